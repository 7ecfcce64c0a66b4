import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { pause } from '@roster/harness/until';
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

/** Each connection sends the next of some requests again and again, with a pause after each answer. */
const asking = (connections: number, pauseMs: number, requests: Buffer[]): Pattern => ({
  connections,
  pauseMs,
  bytes: inTurn(requests),
});

/** Requests whose bodies never come to their end. */
function unfinished(
  connections: number,
  paths: string[],
  headers: object,
  declared = 200_000,
  sent = 1_000,
): Pattern {
  const all = { ...headers, ...json, 'Content-Length': declared };
  const requests = paths.map((path) => request('POST', path, all, `{"name":"${'x'.repeat(sent)}`));
  return { connections, isRead: true, bytes: inTurn(requests) };
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
  'unfinished bodies without a key': () => unfinished(210, ['/trpc/offices.create'], {}),
  'unfinished bodies with a key': (target) =>
    unfinished(210, ['/trpc/offices.create', '/offices'], bearer(target)),
  'unfinished imports': (target) =>
    unfinished(120, ['/imports/agents'], bearer(target), 4_000_000, 3_900_000),
  // Answers of 4 MB, asked for without a key.
  'unread assets': () => ({ connections: 150, bytes: inTurn([get(ASSET)]) }),
  // Many requests sent at once on each connection.
  'unread pages': (target) => ({
    connections: 100,
    bytes: inTurn([Buffer.concat(Array(20).fill(get('/agents?limit=200', bearer(target))))]),
  }),
  // The asset is compressed for them each time.
  'asset readers': () =>
    asking(4, 10, [get(ASSET, { 'Accept-Encoding': 'br' }), get(ASSET, { 'Accept-Encoding': 'gzip' })]),
  // Imports that are all faults, each of which would be named in the answer.
  'fault lists': (target) => {
    const requests = FAULTS_A_RECORD.flatMap(faultyRecords).map((record) => {
      const body = JSON.stringify({ records: Array(RECORDS).fill(record) });
      return request(
        'POST',
        '/imports/agents',
        { ...bearer(target), ...json, 'Content-Length': body.length },
        body,
      );
    });
    return asking(8, 100, requests);
  },
  // More words than a search may have, and as many as it may have.
  'long searches': (target) => ({
    connections: 30,
    pauseMs: 50,
    bytes: (index) => get(searchPath(index % 2 === 0 ? 99 : 8, index), bearer(target)),
  }),
  // The whole rate of a key at one moment, in pages as long as there are: more requests than a server serves at once.
  bursts: (target) => ({ ...asking(300, 20_000, [get('/agents?limit=200', bearer(target))]), isBurst: true }),
  // Of webhooks whose receiver never answers.
  'webhook tests': (target) => {
    const headers = { ...bearer(target), 'Content-Length': 0 };
    return asking(
      205,
      500,
      target.webhookIds.map((id) => request('PUT', `/webhooks/${id}/test`, headers)),
    );
  },
  // Batches whose commas are percent-encoded once, twice or three times, so that they may count as one call.
  'encoded batches': (target) => {
    const calls = Array(20).fill('offices.list');
    const input = encodeURIComponent(JSON.stringify({ ...calls.map(() => ({ limit: 50 })) }));
    const paths = ['%2C', '%252C', '%25252C'].map(
      (comma) => `/trpc/${calls.join(comma)}?batch=1&input=${input}`,
    );
    return asking(
      6,
      50,
      paths.map((path) => get(path, bearer(target))),
    );
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
  const all = new Map(names.map((name): [AttackName, Outcomes] => [name, new Map()]));
  const running = [...all].map(async ([name, outcomes], index) => {
    await pause((index * spreadMs) / names.length, options.signal);
    const target = { ...options, key: keys[name] };
    await attack(target, outcomes, attacks[name](target));
  });
  await Promise.all(running);
  return all;
}
