import { setTimeout as sleep } from 'node:timers/promises';
import { records } from '@roster/contract/records';
import { openCaller, type Result } from '@roster/harness/caller';
import {
  type Attempt,
  type Collection,
  forEachCollection,
  type History,
  isDone,
  isUnknown,
  type Seen,
  seenOf,
} from '../history.ts';
import type { Random } from '../random.ts';
import type { Known } from './known.ts';
import { decide, type Operation } from './operations.ts';

interface ClientOptions {
  number: number;
  port: number;
  random: Random;
  known: Known;
  history: History;
  /** The least time between the starts of two operations. */
  paceMs: number;
  /** Fires when no operation is to be begun any more. */
  signal: AbortSignal;
}

/** How often a request with an Idempotency-Key is sent before it counts as lost. */
const ATTEMPTS_MAX = 40;
const PAUSE_MS = { least: 50, most: 400 };

type Shown = Parameters<typeof seenOf>[0];

/** Beside the fields of its record a deactivation with its agents, a merge and its undo say what they did to others. */
const fieldsOf = forEachCollection(
  (collection) => new Set(records[collection].fields.map(({ name }) => name)),
);

function seenIn(body: Shown & { items?: Shown[] }, collection: Collection): Seen[] {
  if (body.items !== undefined) return body.items.map(seenOf);
  const fields = Object.entries(body).filter(([name]) => fieldsOf[collection].has(name));
  const record = Object.fromEntries(fields) as Shown;
  return record.version === undefined ? [] : [seenOf(record)];
}

/** What a response says, as the history keeps it. */
function readResponse({ status, headers, body }: Result, collection: Collection) {
  const isJson = headers['content-type']?.includes('json') && body !== '';
  const parsed = isJson ? JSON.parse(body) : {};
  const { code, currentVersion }: Partial<Attempt> = status < 400 ? {} : parsed;
  return {
    status,
    isFromService: headers['x-request-id'] !== undefined,
    hasRetryAfter: headers['retry-after'] !== undefined,
    code,
    currentVersion,
    seen: status < 400 ? seenIn(parsed, collection) : [],
  };
}

function headersOf({ operation, ifVersion, isKeyed }: Operation) {
  return {
    ...(ifVersion !== undefined && { 'If-Match': `"${ifVersion}"` }),
    ...(isKeyed && { 'Idempotency-Key': operation }),
  };
}

function learn(known: Known, done: Attempt): void {
  const { verb, collection, record, duplicate, currentVersion: version } = done;
  if (!isDone(done)) {
    if (record !== undefined && version !== undefined) known.saw(collection, { record, version });
    return;
  }
  if (verb === 'delete' && record !== undefined) known.isGone(collection, record, 'deleted');
  if (duplicate !== undefined) known.isGone(collection, duplicate, 'merged');
  for (const seen of done.seen) known.saw(collection, seen);
}

/** One client: asks for one thing after another until told to stop, and for some again until it knows. */
export async function runClient({ number, port, random, known, history, paceMs, signal }: ClientOptions) {
  const caller = openCaller({ port });
  const attempt = async ({ method, path, body, ...asked }: Operation, count: number): Promise<Attempt> => {
    const id = `${asked.operation}.${count}`;
    const headers = { 'X-Request-Id': id, ...headersOf({ method, path, ...asked }) };
    const made = { id, client: number, ...asked, startMs: performance.now() };
    try {
      const response = await caller.send({ method, path, headers, body });
      return { ...made, ...readResponse(response, asked.collection), endMs: performance.now() };
    } catch (error) {
      return { ...made, endMs: performance.now(), seen: [], failure: (error as Error).message };
    }
  };
  for (let index = 0; !signal.aborted; index += 1) {
    const next = performance.now() + paceMs;
    const operation = decide(`c${number}-${index}`, { random, known });
    for (let count = 1, isOpen = true; isOpen && count <= ATTEMPTS_MAX; count += 1) {
      const made = await attempt(operation, count);
      history.add(made);
      learn(known, made);
      isOpen = isUnknown(made) || made.code === 'idempotency_in_progress';
      if (isOpen) await sleep(random.between(PAUSE_MS.least, PAUSE_MS.most));
      isOpen &&= operation.isKeyed;
    }
    await sleep(Math.max(0, next - performance.now()));
  }
  caller.close();
}
