import type { TestServer } from '../support/index.ts';

/**
 * One of two services that differ only in what a caller may not see. Ids, cursors and positions differ between the two, so
 * each response is compared with these replaced by the order in which they first appeared. Everything else is compared as it is.
 */

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Times of the database's clock; the service's own clock is set by the test, to years before. */
const DATABASE_TIME = /20(?:2[6-9]|[3-9]\d)-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** What a response of one of the two is compared by. */
export interface Comparable {
  status: number;
  etag: string | null;
  allow: string | null;
  body: string;
  /** The ids of hidden records that it has and no request of the caller ever had. */
  hidden: string[];
}

/** A request in which `{agent:3}`, `{office:0}` and `{hidden:1}` stand for ids, and `{cursor}` and `{position:2}` for what was answered. Its path may have blanks and quotes. */
export interface SymbolicRequest {
  method: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export class Twin {
  readonly server: TestServer;
  readonly #names = new Map<string, string>();
  /** The ids that the caller has met, by kind. */
  readonly known: Record<string, string[]> = {
    agent: [],
    office: [],
    hidden: [],
    job: [],
    change: [],
    webhook: [],
  };
  /** The ids of what the caller may not see. */
  readonly #hidden = new Set<string>();
  readonly #positions: string[] = ['0'];
  #cursor = '';
  #met = 0;

  constructor(server: TestServer) {
    this.server = server;
  }

  /** Adds an id that requests may name, under its kind and number. */
  know(kind: string, id: string): void {
    const ids = this.known[kind] ?? [];
    this.known[kind] = ids;
    if (ids.includes(id)) return;
    ids.push(id);
    this.#names.set(id, `#${kind}${ids.length - 1}`);
  }

  /** Adds an id of what the caller may not see, which no response has unless a request had it before. */
  hide(id: string): void {
    this.#hidden.add(id);
  }

  /** A value that only answers have told is named by the order in which they did. */
  #nameOf(value: string): string {
    const name = this.#names.get(value) ?? `#${this.#met}`;
    if (!this.#names.has(value)) this.#met += 1;
    this.#names.set(value, name);
    return name;
  }

  #resolved(text: string): string {
    return text.replaceAll(/\{(\w+)(?::(\d+))?\}/g, (_, kind: string, nth = '0') => {
      if (kind === 'cursor') return this.#cursor;
      const values = kind === 'position' ? this.#positions : (this.known[kind] ?? []);
      return values[Number(nth) % Math.max(1, values.length)] ?? '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
    });
  }

  /** Sends a request with a key, and returns what is compared. */
  async ask({ method, path, body, headers = {} }: SymbolicRequest, key: string): Promise<Comparable> {
    const sent = body === undefined ? undefined : this.#resolved(JSON.stringify(body));
    const place = this.#resolved(path).replaceAll(/["{} ]/g, encodeURIComponent);
    for (const [id] of `${place} ${sent}`.matchAll(UUID)) this.#hidden.delete(id);
    const response = await this.server.request(method, place, sent, {
      ...headers,
      Authorization: `Bearer ${key}`,
      'X-Request-Id': 'twin',
    });
    const text = await response.text();
    this.#learn(method, path, text);
    return {
      status: response.status,
      etag: response.headers.get('etag'),
      allow: response.headers.get('allow'),
      body: this.#comparable(text),
      hidden: [...text.matchAll(UUID)].flatMap(([id]) => (this.#hidden.has(id) ? id : [])),
    };
  }

  /** Remembers what later requests may name. */
  #learn(method: string, path: string, text: string): void {
    if (!text.startsWith('{')) return;
    const result = JSON.parse(text) as Record<string, unknown>;
    if (typeof result.nextCursor === 'string') this.#cursor = encodeURIComponent(result.nextCursor);
    const kind = /^\/(agent|office|team|job|scheduled-change|webhook)s/
      .exec(path)?.[1]
      ?.replace('scheduled-', '');
    const record = (result.record as Record<string, unknown> | undefined) ?? result;
    if (
      kind !== undefined &&
      method === 'POST' &&
      !path.endsWith('/merge') &&
      typeof record.id === 'string'
    ) {
      this.know(path.endsWith('/bulk') ? 'job' : kind, record.id);
    }
    for (const change of (result.scheduledChanges as { id: string }[] | undefined) ?? [])
      this.know('change', change.id);
    for (const position of text.matchAll(/"position":(\d+)/g)) this.#remember(position[1] ?? '0');
  }

  #remember(position: string): void {
    if (!this.#positions.includes(position)) this.#positions.push(position);
  }

  #comparable(text: string): string {
    return (
      text
        .replaceAll(this.server.url, 'SERVER')
        .replaceAll(
          /((?:nextCursor|prevCursor)\W+|skiptoken=)([\w-]+)/g,
          (_, name: string, cursor: string) => {
            const [value, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
            // That of a history has a place in the whole log.
            return `${name}${typeof id === 'string' ? JSON.stringify([value, id]) : 'AT'}`;
          },
        )
        .replaceAll(UUID, (id) => this.#nameOf(id))
        .replaceAll(/"secret":"[^"]*"/g, '"secret":"SECRET"')
        // Of the whole log: they say how many changes there were, which cannot be hidden.
        .replaceAll(/"(nextAfter|readTo)":"?\d+~?"?/g, '"$1":"AT"')
        .replaceAll(/"position":(\d+)/g, (_, at: string) => `"position":${this.#nameOf(at)}`)
        .replaceAll(DATABASE_TIME, 'TIME')
    );
  }
}
