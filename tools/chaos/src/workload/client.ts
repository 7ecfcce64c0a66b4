import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Caller, openCaller } from '@roster/harness/caller';
import { type Attempt, type History, isDone, type Seen, seenOf } from '../history.ts';
import type { Random } from '../random.ts';
import type { Known } from './known.ts';
import { decide, type Operation } from './operations.ts';

export interface ClientOptions {
  number: number;
  port: number;
  key: string;
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

interface Body {
  code?: string;
  currentVersion?: number;
  items?: Parameters<typeof seenOf>[0][];
  cascaded?: object;
  mergeId?: string;
  duplicateId?: string;
  moved?: object;
  survivorId?: string;
  conflicts?: object[];
  notReturned?: object;
}

function seenIn(body: Body & Partial<Parameters<typeof seenOf>[0]>): Seen[] {
  if (body.items !== undefined) return body.items.map(seenOf);
  const { id, version, status, ...others } = body;
  if (id === undefined || version === undefined || status === undefined) return [];
  // Beside the record a deactivation with its agents, a merge and its undo say what they did to others.
  const { cascaded, mergeId, duplicateId, moved, survivorId, conflicts, notReturned, ...record } = others;
  return [seenOf({ ...record, id, version, status })];
}

/** What an answer says, as the history keeps it. */
function readingOf({ status, headers, body }: Answer): Partial<Attempt> & { seen: Seen[] } {
  const reading = {
    status,
    isFromService: headers['x-request-id'] !== undefined,
    hasRetryAfter: headers['retry-after'] !== undefined,
    isReplayed: headers['idempotency-replayed'] === 'true',
  };
  const isJson = headers['content-type']?.includes('json') === true && body !== '';
  if (!isJson) return { ...reading, seen: [] };
  const parsed = JSON.parse(body) as Body;
  if (status < 400) return { ...reading, seen: seenIn(parsed) };
  const { code, currentVersion } = parsed;
  return {
    ...reading,
    seen: [],
    ...(code !== undefined && { code }),
    ...(currentVersion !== undefined && { currentVersion }),
  };
}

const TOKEN = 'consistency-token';

/** One client's way to the service, and how new what it has seen is. */
interface Session {
  caller: Caller;
  number: number;
  /** The latest token it was given; of two, the greater text is the later. */
  token: string;
}

/** How new a read is to be; a change is made to what there is. */
function freshnessOf({ method, isLatest }: Operation, token: string): Record<string, string> {
  if (method !== 'GET') return {};
  // A conditional read without a token is answered from what there is now; no record has the version 0.
  if (isLatest) return { 'If-None-Match': '"0"' };
  return token === '' ? {} : { [TOKEN]: token };
}

function headersOf(operation: Operation, { token, requestId }: { token: string; requestId: string }) {
  const { id, ifVersion, isKeyed } = operation;
  return {
    'X-Request-Id': requestId,
    ...freshnessOf(operation, token),
    ...(ifVersion !== undefined && { 'If-Match': `"${ifVersion}"` }),
    ...(isKeyed && { 'Idempotency-Key': id }),
  };
}

async function attempt(operation: Operation, session: Session, count: number): Promise<Attempt> {
  const { id: of, verb, collection, record, duplicate, ifVersion, isKeyed, method, path, body } = operation;
  const id = `${of}.${count}`;
  const startMs = performance.now();
  const made = {
    id,
    operation: of,
    client: session.number,
    verb,
    collection,
    isKeyed,
    isStrict: operation.isLatest,
    startMs,
    ...(record !== undefined && { record }),
    ...(duplicate !== undefined && { duplicate }),
    ...(ifVersion !== undefined && { ifVersion }),
  };
  try {
    const headers = headersOf(operation, { token: session.token, requestId: id });
    const answer = await session.caller.send({ method, path, headers, body });
    const token = String(answer.headers[TOKEN] ?? '');
    if (token > session.token) session.token = token;
    return { ...made, ...readingOf(answer), endMs: performance.now() };
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    return { ...made, endMs: performance.now(), seen: [], failure };
  }
}

function isWorthRepeating({ status, code, isKeyed }: Attempt): boolean {
  if (!isKeyed) return false;
  return status === undefined || status >= 500 || code === 'idempotency_in_progress';
}

function learn(known: Known, done: Attempt): void {
  const { verb, collection, record, duplicate } = done;
  if (!isDone(done)) {
    if (record !== undefined && done.currentVersion !== undefined)
      known.saw(collection, { record, version: done.currentVersion, status: '', digest: '' });
    return;
  }
  if (verb === 'delete' && record !== undefined) known.isGone(collection, record, 'deleted');
  if (duplicate !== undefined) known.isGone(collection, duplicate, 'merged');
  for (const seen of done.seen) known.saw(collection, seen);
}

/** One client: asks for one thing after another until told to stop, and for some again until it knows. */
export async function runClient(options: ClientOptions): Promise<void> {
  const { number, random, known, history, paceMs, signal } = options;
  const session: Session = { caller: openCaller(options), number, token: '' };
  for (let index = 0; !signal.aborted; index += 1) {
    const next = performance.now() + paceMs;
    const operation = decide(`c${number}-${index}`, { random, known });
    for (let count = 1; ; count += 1) {
      const made = await attempt(operation, session, count);
      history.add(made);
      learn(known, made);
      const isTrouble = made.status === undefined || made.status >= 500;
      if (!isWorthRepeating(made) && !isTrouble) break;
      await sleep(random.between(PAUSE_MS.least, PAUSE_MS.most));
      if (!isWorthRepeating(made) || count === ATTEMPTS_MAX) break;
    }
    await sleep(Math.max(0, next - performance.now()));
  }
  session.caller.close();
}
