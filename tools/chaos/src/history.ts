import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { records } from '@roster/contract/records';

/** A resource of the directory. */
export type Collection = keyof typeof records;
export const collections = Object.keys(records) as Collection[];

/** Makes something of each resource. */
export function forEachCollection<Made>(make: (collection: Collection) => Made): Record<Collection, Made> {
  return Object.fromEntries(collections.map((name) => [name, make(name)])) as Record<Collection, Made>;
}

/** What an attempt wants done. */
export type Verb =
  | 'create'
  | 'update'
  | 'deactivate'
  | 'reactivate'
  | 'schedule'
  | 'delete'
  | 'restore'
  | 'merge'
  | 'unmerge'
  | 'get'
  | 'list';

/** A record as an answer showed it. */
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
  record?: string;
  /** The record that a merge makes a part of that one. */
  duplicate?: string;
  isKeyed: boolean;
  /** Whether it may show nothing older than what anybody has been answered, and not only its own client. */
  isStrict: boolean;
  /** The version of its If-Match. */
  ifVersion?: number;
  startMs: number;
  endMs: number;
  /** Undefined where no answer came, or none that was whole: then its outcome is unknown. */
  status?: number;
  /** The code of an error. */
  code?: string;
  /** Whether a server of the service answered; a balancer has no request ids. */
  isFromService?: boolean;
  hasRetryAfter?: boolean;
  isReplayed?: boolean;
  /** With `version_conflict`. */
  currentVersion?: number;
  /** The records in the answer. */
  seen: Seen[];
  /** Why there was no answer. */
  failure?: string;
}

/** Whether the service said that it was done. */
export function isDone({ status }: Attempt): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/** Whether the answer leaves its outcome unknown. */
export function isUnknown({ status }: Attempt): boolean {
  return status === undefined || status >= 500;
}

const READS: ReadonlySet<Verb> = new Set(['get', 'list']);

export function isWrite({ verb }: Attempt): boolean {
  return !READS.has(verb);
}

/** The value with the names of its objects in order: what is equal has the same text. */
function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(ordered);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, part]) => [name, ordered(part)]));
}

/** A short text that two values share when, and only when, they are equal as JSON. */
export function digestOf(value: unknown): string {
  return createHash('sha1')
    .update(JSON.stringify(ordered(value)))
    .digest('base64url')
    .slice(0, 16);
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** What an event is remembered by. The messages of webhooks do not name the actor, so the name does not count. */
export function eventDigestOf(event: object): string {
  const actor = 'actor' in event && isObject(event.actor) ? { ...event.actor, name: null } : null;
  return digestOf({ ...event, actor });
}

/** What a record in an answer or an event is remembered by. */
export function seenOf(record: { id: string; version: number; status: string }): Seen {
  const { id, version, status } = record;
  return { record: id, version, status, digest: digestOf(record) };
}

/** Everything that was asked and answered, in memory and line by line in a file. */
export interface History {
  attempts: Attempt[];
  add(attempt: Attempt): void;
  /** All lines are in the file afterwards. */
  close(): Promise<void>;
}

export function openHistory(file: string): History {
  const stream = createWriteStream(file);
  const attempts: Attempt[] = [];
  return {
    attempts,
    add: (attempt) => {
      attempts.push(attempt);
      stream.write(`${JSON.stringify(attempt)}\n`);
    },
    close: async () => {
      stream.end();
      await once(stream, 'close');
    },
  };
}
