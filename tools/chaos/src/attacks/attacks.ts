import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { pause } from '@roster/harness/until';
import { type AttackTarget, attack, type Outcomes, type Pattern } from './connections.ts';

/** An attack: what one caller does on its connections to take more than its share. */
type Attack = (key: string, webhookIds: readonly string[]) => Pattern;

const json = { 'Content-Type': 'application/json' };
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
const ASSET = '/docs/js/scalar.js';

/** The head of a request, with what follows it. */
function request(method: string, path: string, headers: object = {}, body = ''): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}\r\n${body}`);
}

const get = (path: string, headers: object = {}) => request('GET', path, headers);

/** Each connection has the next of some requests. */
const inTurn = (requests: Buffer[]) => (index: number) => requests[index % requests.length] as Buffer;

/** Each connection sends the next of some requests again and again, with a pause after each response. */
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
  'unfinished bodies with a key': (key) => unfinished(210, ['/trpc/offices.create', '/offices'], bearer(key)),
  'unfinished imports': (key) => unfinished(120, ['/imports/agents'], bearer(key), 4_000_000, 3_900_000),
  // Responses of 4 MB, asked for without a key.
  'unread assets': () => ({ connections: 150, bytes: inTurn([get(ASSET)]) }),
  // Many requests sent at once on each connection.
  'unread pages': (key) => ({
    connections: 100,
    bytes: inTurn([Buffer.concat(Array(20).fill(get('/agents?limit=200', bearer(key))))]),
  }),
  // As many requests as Node.js parses at once, without a key; no response is read. Node.js takes 20 ms for each connection.
  'pipelined requests': () => ({
    connections: 10,
    bytes: inTurn([Buffer.concat(Array(1_900).fill(request('GET', '/nowhere')))]),
  }),
  // The asset is compressed for them each time.
  'asset readers': () =>
    asking(4, 10, [get(ASSET, { 'Accept-Encoding': 'br' }), get(ASSET, { 'Accept-Encoding': 'gzip' })]),
  // Imports that are all faults, each of which would be named in the response.
  'fault lists': (key) => {
    const requests = FAULTS_A_RECORD.flatMap(faultyRecords).map((record) => {
      const body = JSON.stringify({ records: Array(RECORDS).fill(record) });
      return request(
        'POST',
        '/imports/agents',
        { ...bearer(key), ...json, 'Content-Length': body.length },
        body,
      );
    });
    return asking(8, 100, requests);
  },
  // More words than a search may have, and as many as it may have.
  'long searches': (key) => ({
    connections: 30,
    pauseMs: 50,
    bytes: (index) => get(searchPath(index % 2 === 0 ? 99 : 8, index), bearer(key)),
  }),
  // The whole rate of a key at one moment, in pages as long as there are: more requests than a server serves at once.
  bursts: (key) => ({ ...asking(300, 20_000, [get('/agents?limit=200', bearer(key))]), isBurst: true }),
  // Of webhooks whose receiver never responds.
  'webhook tests': (key, webhookIds) => {
    const headers = { ...bearer(key), 'Content-Length': 0 };
    return asking(
      205,
      500,
      webhookIds.map((id) => request('PUT', `/webhooks/${id}/test`, headers)),
    );
  },
  // Batches whose commas are percent-encoded once, twice or three times, so that they may count as one call.
  'encoded batches': (key) => {
    const calls = Array(20).fill('offices.list');
    const input = encodeURIComponent(JSON.stringify({ ...calls.map(() => ({ limit: 50 })) }));
    const paths = ['%2C', '%252C', '%25252C'].map(
      (comma) => `/trpc/${calls.join(comma)}?batch=1&input=${input}`,
    );
    return asking(
      6,
      50,
      paths.map((path) => get(path, bearer(key))),
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

export interface AttackOptions extends AttackTarget {
  /** A valid key for each attack. */
  keys: Readonly<Record<AttackName, string>>;
  /** Webhooks whose receiver takes connections and never responds. */
  webhookIds: readonly string[];
  /** The time over which the attacks start, one after the other; all at the same moment unless given. */
  spreadMs?: number;
}

/** Runs some attacks at once until the signal fires; returns what each attacker got. */
export async function runAttacks(
  names: readonly AttackName[],
  { keys, webhookIds, spreadMs = 0, ...target }: AttackOptions,
): Promise<Map<AttackName, Outcomes>> {
  const run = async (name: AttackName, index: number): Promise<[AttackName, Outcomes]> => {
    await pause((index * spreadMs) / names.length, target.signal);
    return [name, await attack(target, attacks[name](keys[name], webhookIds))];
  };
  return new Map(await Promise.all(names.map(run)));
}
