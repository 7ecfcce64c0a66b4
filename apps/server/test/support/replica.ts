import type { Event } from '@roster/api';

/** What a consumer of the feed keeps: the records by collection, and where it is. */
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
 * A consumer that knows the feed alone. It saves its records and its place together; a crash takes away what it has
 * not saved, and it goes on from there.
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

  /** The text of every record of a noun, in the order of their ids. */
  texts(table: 'office' | 'agent'): string[] {
    return [...this.#working.records]
      .filter(([, kept]) => kept.table === table)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { record }]) => JSON.stringify(record));
  }
}
