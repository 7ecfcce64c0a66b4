import type { Event } from '@roster/api';

/** The state of a consumer of the feed: the records by collection, and its position. */
interface Saved {
  after: string;
  records: Map<string, { table: string; record: unknown }>;
}

interface Page {
  items: Event[];
  nextAfter: string;
  hasMore: boolean;
}

/**
 * A consumer that knows the feed alone. It saves its records and its place together; a crash discards what it has
 * not saved, and it continues from there.
 */
export class Replica {
  #saved: Saved = { after: '0', records: new Map() };
  #working: Saved = { after: '0', records: new Map() };

  get after(): string {
    return this.#working.after;
  }

  /** Applies one page: every event says what its record is now. */
  apply({ items, nextAfter }: Page): void {
    for (const { subject, type, record } of items) {
      const [table = '', verb] = type.split('.');
      if (verb === 'deleted' || verb === 'purged') this.#working.records.delete(subject);
      else this.#working.records.set(subject, { table, record });
    }
    this.#working.after = nextAfter;
  }

  save(): void {
    this.#saved = { after: this.#working.after, records: new Map(this.#working.records) };
  }

  crash(): void {
    this.#working = { after: this.#saved.after, records: new Map(this.#saved.records) };
  }

  /** The JSON of every record of a resource, ordered by id. */
  texts(table: 'office' | 'agent'): string[] {
    return [...this.#working.records]
      .filter(([, kept]) => kept.table === table)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { record }]) => JSON.stringify(record));
  }
}
