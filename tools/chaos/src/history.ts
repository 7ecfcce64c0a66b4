import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { records } from '@roster/contract/records';

/** A resource of the directory. */
export type Collection = keyof typeof records;
export const collections = Object.keys(records) as Collection[];

/** Makes something of each resource. */
export function forEachCollection<Made>(make: (collection: Collection) => Made): Record<Collection, Made> {
  return Object.fromEntries(collections.map((name) => [name, make(name)])) as Record<Collection, Made>;
}

/** How often each thing is wanted of the deployment, compared with the others. */
export const verbWeights = {
  create: 13,
  update: 22,
  deactivate: 4,
  reactivate: 4,
  schedule: 4,
  delete: 3,
  restore: 2,
  merge: 3,
  unmerge: 2,
  get: 42,
  list: 10,
};

/** What an attempt wants done. */
export type Verb = keyof typeof verbWeights;

/** A record as a response showed it. */
export interface Seen {
  record: string;
  version: number;
  status: string;
  /** Of the whole record; two that are equal have the same. */
  digest: string;
}

/** One request and what came of it. Times are milliseconds of one clock that never steps. */
export interface Attempt {
  /** Its X-Request-Id; the event of a change carries it. */
  id: string;
  /** What it is an attempt at; those with an Idempotency-Key share that too. */
  operation: string;
  client: number;
  verb: Verb;
  collection: Collection;
  /** The record it is about; unknown for a list and before a creation. */
  record?: string | undefined;
  /** The record that a merge makes a part of that one. */
  duplicate?: string | undefined;
  isKeyed: boolean;
  /** The version of its If-Match. */
  ifVersion?: number | undefined;
  startMs: number;
  endMs: number;
  /** Undefined where no response came, or none that was whole: then its outcome is unknown. */
  status?: number;
  /** The code of an error. */
  code?: string | undefined;
  /** Whether a server of the service answered; a balancer has no request ids. */
  isFromService?: boolean;
  hasRetryAfter?: boolean;
  /** With `version_conflict`. */
  currentVersion?: number | undefined;
  /** The records in the response. */
  seen: Seen[];
  /** Why there was no response. */
  failure?: string;
}

/** Whether the service said that it was done. */
export function isDone({ status }: Attempt): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/** Whether the response leaves its outcome unknown. */
export function isUnknown({ status }: Attempt): boolean {
  return status === undefined || status >= 500;
}

export function isWrite({ verb }: Pick<Attempt, 'verb'>): boolean {
  return verb !== 'get' && verb !== 'list';
}

/** The operation of a request id: all attempts at one thing have its id and a number. */
export function operationOf(requestId: string | null): string {
  return requestId?.replace(/\.\d+$/, '') ?? '';
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** For JSON.stringify: the names of each object in order, so that what is equal has the same text. */
function inOrder(_: string, value: unknown): unknown {
  if (!isObject(value) || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A short text that two values share when, and only when, they are equal as JSON. */
export function digestOf(value: unknown): string {
  return hash('sha1', JSON.stringify(value, inOrder), 'base64url').slice(0, 16);
}

/** What an event is remembered by. The messages of webhooks do not name the actor, so the name does not count. */
export function eventDigestOf(event: object): string {
  const actor = 'actor' in event && isObject(event.actor) ? { ...event.actor, name: null } : null;
  return digestOf({ ...event, actor });
}

/** What a record in a response or an event is remembered by. */
export function seenOf(record: { id: string; version: number; status: string }): Seen {
  const { id, version, status } = record;
  return { record: id, version, status, digest: digestOf(record) };
}

/** Everything that was asked and answered, in memory and line by line in a file. */
export class History implements AsyncDisposable {
  readonly attempts: Attempt[] = [];
  readonly #file: WriteStream;

  constructor(path: string) {
    this.#file = createWriteStream(path);
  }

  add(attempt: Attempt): void {
    this.attempts.push(attempt);
    this.#file.write(`${JSON.stringify(attempt)}\n`);
  }

  /** All lines are in the file afterwards. */
  async [Symbol.asyncDispose](): Promise<void> {
    await once(this.#file.end(), 'close');
  }
}
