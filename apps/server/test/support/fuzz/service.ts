import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { createTestDatabase } from '@roster/db/testing';
import type { Unfinished } from './held.ts';
import type { FuzzRequest } from './request.ts';
import { Wire, type WireAnswer } from './wire.ts';

/** The server that is fuzzed, and the one who sends to it. */
export interface FuzzedService extends AsyncDisposable {
  /** Sends a request and waits for its response. */
  send(request: FuzzRequest): Promise<WireAnswer>;
  /** Sends bytes on a new connection; resolves to what was received. */
  blurt(bytes: Buffer): Promise<WireAnswer[]>;
  /** As another caller: sends a request that never ends, until the server ends it; resolves to what was received. */
  leaveUnfinished(unfinished: Unfinished): Promise<WireAnswer[]>;
  /** As another caller: sends requests and reads no response, for a while or until the server ends the connection. */
  leaveUnread(requests: readonly FuzzRequest[]): Promise<void>;
  /** Bytes in use, on the heap and in buffers, after a collection of garbage. */
  memoryUsed(): Promise<number>;
  /** What the process wrote since this was last asked: nothing, unless something went wrong. */
  takeOutput(): string;
}

const target = fileURLToPath(new URL('target.ts', import.meta.url));
const KNOWN_MAX = 10;

/** Ids of records that are there, so that requests meet some. */
class KnownIds {
  readonly #ids: Record<string, string[]> = { offices: [], agents: [], keys: [], webhooks: [] };

  /** Remembers the record that a request has created. */
  note(answer: WireAnswer): void {
    const [, collection = '', id = ''] = /^\/(\w+)\/(.+)$/.exec(answer.headers.get('location') ?? '') ?? [];
    const ids = this.#ids[collection];
    if (answer.status !== 201 || ids === undefined) return;
    ids.unshift(id);
    ids.splice(KNOWN_MAX);
  }

  /** Puts ids in place of what stands for them. */
  putInto(text: string): string {
    return text.replaceAll(
      /@(offices|agents|keys|webhooks):(\d)@/g,
      (_, collection: string, index: string) => {
        const ids = this.#ids[collection] ?? [];
        return ids[Number(index) % ids.length] ?? '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
      },
    );
  }
}

function bytesOf({ method, target: path, headers, body }: FuzzRequest, known: KnownIds, key: string): Buffer {
  const content = typeof body === 'string' ? Buffer.from(known.putInto(body)) : body;
  const named = new Set(headers.map(([name]) => name.toLowerCase()));
  const all = [
    ['Host', '127.0.0.1'],
    ...(named.has('authorization') ? [] : [['Authorization', `Bearer ${key}`]]),
    ...(content === undefined || named.has('content-type') ? [] : [['Content-Type', 'application/json']]),
    ...(content === undefined ? [] : [['Content-Length', String(content.length)]]),
    ...headers,
  ];
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const head = Buffer.from(`${method} ${known.putInto(path)} HTTP/1.1\r\n${lines}\r\n`, 'latin1');
  return Buffer.concat([head, content ?? Buffer.alloc(0)]);
}

/** A key that may do all but make keys, for what would use up the bounds of one caller. */
async function makeKey(url: string, key: string): Promise<string> {
  const scopes = ['offices:read', 'offices:write', 'agents:read', 'agents:write', 'events:read'];
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ name: 'held connections', scopes });
  const response = await fetch(`${url}/keys`, { method: 'POST', headers, body });
  return ((await response.json()) as { secret: string }).secret;
}

async function told<Message>(child: ChildProcess): Promise<Message> {
  const [message] = await once(child, 'message');
  return message as Message;
}

/** Starts the server in a process of its own over a database of its own. */
export async function startFuzzedService(): Promise<FuzzedService> {
  const database = await createTestDatabase();
  const key = randomBytes(24).toString('hex');
  const env = { ...process.env, DATABASE_URL: database.url, ROSTER_ADMIN_KEY: key };
  const child = fork(target, { env, execArgv: ['--expose-gc'], silent: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const { url } = await told<{ url: string }>(child);
  const wire = new Wire(url);
  const known = new KnownIds();
  const otherKey = await makeKey(url, key);
  return {
    send: async (request) => {
      const answer = await wire.exchange(bytesOf(request, known, key), request.method === 'HEAD');
      known.note(answer);
      return answer;
    },
    blurt: (bytes) => wire.blurt(bytes),
    leaveUnfinished: ({ request, ...how }) => wire.trickle(bytesOf(request, known, otherKey), how),
    leaveUnread: (requests) =>
      wire.ignore(Buffer.concat(requests.map((one) => bytesOf(one, known, otherKey)))),
    memoryUsed: async () => {
      child.send('memory');
      return (await told<{ memoryUsed: number }>(child)).memoryUsed;
    },
    takeOutput: () => {
      const taken = output;
      output = '';
      return taken;
    },
    [Symbol.asyncDispose]: async () => {
      wire.close();
      if (child.exitCode === null) {
        child.kill();
        await once(child, 'exit');
      }
      await database[Symbol.asyncDispose]();
    },
  };
}
