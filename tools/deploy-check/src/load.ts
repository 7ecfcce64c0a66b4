import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

/** A request that did not end as it should. */
interface Failure {
  what: string;
  why: string;
}

export interface Load {
  /** Ends when what runs has been answered. */
  end(): Promise<{ requests: number; failures: Failure[] }>;
}

export interface Target {
  url: string;
  key: string;
}

/** One request with the key. Throws what kept an answer from coming. */
export async function call({ url, key }: Target, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers };
  return fetch(`${url}${path}`, { ...init, headers, signal: AbortSignal.timeout(20_000) });
}

const ROUNDS_PER_KEY = 250;
const PAUSE_MS = 10;

async function makeKey(target: Target): Promise<string> {
  const body = JSON.stringify({ name: 'Load', scopes: ['offices:read', 'offices:write'] });
  const response = await call(target, '/keys', { method: 'POST', body });
  if (response.status !== 201) throw new Error(`A key is ${response.status}: ${await response.text()}`);
  const { secret } = (await response.json()) as { secret: string };
  return secret;
}

/** A few callers who create offices and read them again, one request after the other, until they are told to end. */
export function beginLoad(service: Target, callers: number): Load {
  let isEnding = false;
  let requests = 0;
  const failures: Failure[] = [];
  const expecting = async (target: Target, status: number, path: string, init?: RequestInit) => {
    const what = `${init?.method ?? 'GET'} ${path}`;
    requests += 1;
    try {
      const response = await call(target, path, init);
      const body = await response.text();
      if (response.status === status) return JSON.parse(body);
      failures.push({ what, why: `${response.status} ${body}` });
    } catch (error) {
      failures.push({ what, why: `${error} ${error instanceof Error ? error.cause : ''}` });
    }
    return undefined;
  };
  const caller = async () => {
    let own = service;
    for (let round = 0; !isEnding; round += 1) {
      // A key of its own, and a new one before the first has used up its rate.
      if (round % ROUNDS_PER_KEY === 0) own = { ...service, key: await makeKey(service) };
      const name = `Office ${randomUUID()}`;
      // Without an Idempotency-Key, so that no proxy may repeat it: it has to arrive the first time.
      const created = await expecting(own, 201, '/offices', {
        method: 'POST',
        body: JSON.stringify({ name }),
      });
      if (created !== undefined) await expecting(own, 200, `/offices/${created.id}`);
      await pause(PAUSE_MS);
    }
  };
  const running = Promise.all(Array.from({ length: callers }, caller));
  return {
    end: async () => {
      isEnding = true;
      await running;
      return { requests, failures };
    },
  };
}

/** Follows the events until one names this text; how long that took after the change, in milliseconds. */
export async function changeSeen(service: Target, name: string): Promise<number> {
  const stream = await call(service, '/events/stream', { headers: { accept: 'text/event-stream' } });
  if (stream.body === null || stream.status !== 200) throw new Error(`The stream is ${stream.status}.`);
  const begun = performance.now();
  const created = await call(service, '/offices', { method: 'POST', body: JSON.stringify({ name }) });
  if (created.status !== 201) throw new Error(`The office is ${created.status}: ${await created.text()}`);
  let seen = '';
  for await (const chunk of stream.body.pipeThrough(new TextDecoderStream())) {
    seen += chunk;
    if (seen.includes(name)) break;
  }
  return Math.round(performance.now() - begun);
}
