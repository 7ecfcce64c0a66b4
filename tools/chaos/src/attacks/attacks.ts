import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { type AttackTarget, attack, type Outcomes, type Pattern } from './connections.ts';

/** An attack: what one caller does on its connections to take more than its share. */
type Attack = (target: AttackTarget) => Pattern;

const json = { 'Content-Type': 'application/json' };
const bearer = ({ key }: AttackTarget) => ({ Authorization: `Bearer ${key}` });
const ASSET = '/docs/js/scalar.js';

/** The head of a request, with what follows it. */
function request(method: string, path: string, headers: object = {}, body = ''): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}\r\n${body}`);
}

const get = (path: string, headers: object = {}) => request('GET', path, headers);

/** Each connection has the next of some requests. */
const inTurn = (requests: Buffer[]) => (index: number) => requests[index % requests.length] as Buffer;

/** Requests whose bodies never come to their end. */
function unfinished(paths: string[], headers: object, { declared = 200_000, sent = 1_000 } = {}) {
  const all = { ...headers, ...json, 'Content-Length': declared };
  return inTurn(paths.map((path) => request('POST', path, all, `{"name":"${'x'.repeat(sent)}`)));
}

const RECORDS = 500;
/** So many that a body has 450,000 in all, and so many that it holds fewer values than a body may. */
const FAULTS_A_RECORD = [900, 90];

/** Records in which every value, name or pair is a fault. */
function faultyRecords(faults: number): object[] {
  const numbers = Array.from({ length: faults }, (_, index) => index);
  return [
    { firstName: 'Ana', lastName: 'Silva', languages: numbers.map(() => 1) },
    Object.fromEntries(numbers.map((n) => [`n${n}`, 1])),
    { firstName: 'Ana', lastName: 'Silva', metadata: Object.fromEntries(numbers.map((n) => [n, 1])) },
  ];
}

/** A search for some words, few of which narrow it. */
function searchPath(words: number, first: number): string {
  const letters = Array.from({ length: words }, (_, word) => String.fromCharCode(97 + ((first + word) % 26)));
  return `/agents?q=${letters.join('+')}`;
}

/** A secret that no key has, as the service makes them: one of another form would not be looked up. */
function wrongSecret(): string {
  const text = `rst_${randomBytes(32).toString('base64url')}`;
  return text + crc32(text).toString(16).padStart(8, '0');
}

const attacks = {
  'unfinished bodies without a key': () => ({
    connections: 210,
    isRead: true,
    bytes: unfinished(['/trpc/offices.create'], {}),
  }),
  'unfinished bodies with a key': (target) => ({
    connections: 210,
    isRead: true,
    bytes: unfinished(['/trpc/offices.create', '/offices'], bearer(target)),
  }),
  'unfinished imports': (target) => ({
    connections: 120,
    isRead: true,
    bytes: unfinished(['/imports/agents'], bearer(target), { declared: 4_000_000, sent: 3_900_000 }),
  }),
  // Answers of 4 MB, asked for without a key.
  'unread assets': () => ({ connections: 150, bytes: inTurn([get(ASSET)]) }),
  // Many requests sent at once on each connection.
  'unread pages': (target) => ({
    connections: 100,
    bytes: inTurn([Buffer.concat(Array(20).fill(get('/agents?limit=200', bearer(target))))]),
  }),
  // The asset is compressed for them each time.
  'asset readers': () => ({
    connections: 4,
    pauseMs: 10,
    bytes: inTurn(['br', 'gzip'].map((coding) => get(ASSET, { 'Accept-Encoding': coding }))),
  }),
  // Imports that are all faults, each of which would be named in the answer.
  'fault lists': (target) => {
    const bodies = FAULTS_A_RECORD.flatMap(faultyRecords).map((record) =>
      JSON.stringify({ records: Array(RECORDS).fill(record) }),
    );
    const headers = { ...bearer(target), ...json };
    const requests = bodies.map((body) =>
      request('POST', '/imports/agents', { ...headers, 'Content-Length': body.length }, body),
    );
    return { connections: 8, pauseMs: 100, bytes: inTurn(requests) };
  },
  // More words than a search may have, and as many as it may have.
  'long searches': (target) => ({
    connections: 30,
    pauseMs: 50,
    bytes: (index) => get(searchPath(index % 2 === 0 ? 99 : 8, index), bearer(target)),
  }),
  // The whole rate of a key at one moment, in pages as long as there are: more requests than a server serves at once.
  bursts: (target) => ({
    connections: 300,
    isBurst: true,
    pauseMs: 20_000,
    bytes: inTurn([get('/agents?limit=200', bearer(target))]),
  }),
  // Of webhooks whose receiver never answers.
  'webhook tests': (target) => ({
    connections: 205,
    pauseMs: 500,
    bytes: inTurn(
      target.webhookIds.map((id) =>
        request('PUT', `/webhooks/${id}/test`, { ...bearer(target), 'Content-Length': 0 }),
      ),
    ),
  }),
  // Batches whose commas are percent-encoded once, twice or three times, so that they may count as one call.
  'encoded batches': (target) => {
    const calls = Array(20).fill('offices.list');
    const input = encodeURIComponent(JSON.stringify({ ...calls.map(() => ({ limit: 50 })) }));
    const paths = ['%2C', '%252C', '%25252C'].map(
      (comma) => `/trpc/${calls.join(comma)}?batch=1&input=${input}`,
    );
    return { connections: 6, pauseMs: 50, bytes: inTurn(paths.map((path) => get(path, bearer(target)))) };
  },
  // Another one each time.
  'wrong keys': () => ({
    connections: 16,
    pauseMs: 50,
    bytes: () => get('/offices', { Authorization: `Bearer ${wrongSecret()}` }),
  }),
} satisfies Record<string, Attack>;

export type AttackName = keyof typeof attacks;

export const attackNames = Object.keys(attacks) as AttackName[];

/** What attacks call, each with a key of its own. */
export interface AttackOptions extends Omit<AttackTarget, 'key'> {
  keys: Readonly<Record<AttackName, string>>;
  /** The time over which the attacks start, one after the other; all at the same moment unless given. */
  spreadMs?: number;
}

/** Runs some attacks at once until the signal fires; answers what each attacker got. */
export async function runAttacks(
  names: readonly AttackName[],
  { keys, spreadMs = 0, ...options }: AttackOptions,
): Promise<Map<AttackName, Outcomes>> {
  const running = names.map(async (name, index): Promise<[AttackName, Outcomes]> => {
    const outcomes: Outcomes = new Map();
    await sleep((index * spreadMs) / names.length);
    if (options.signal.aborted) return [name, outcomes];
    const target = { ...options, key: keys[name] };
    const pattern: Pattern = attacks[name](target);
    await attack(target, outcomes, pattern);
    return [name, outcomes];
  });
  return new Map(await Promise.all(running));
}
