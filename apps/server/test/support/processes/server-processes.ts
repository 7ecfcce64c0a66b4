import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import type { ServiceProcess } from './service-process.ts';

/** The processes of a server that its primary process has started and that run, without PostgreSQL. Linux tells them. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter((child) => child !== '' && readFileSync(`/proc/${child}/comm`, 'utf8') !== 'postgres\n')
      .map(Number);
  } catch {
    return [];
  }
}

/** Whether a process runs, and is not only waited for. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** A keep-alive connection to one of the processes of a server. */
export interface Connection {
  /** The process that has accepted it. */
  pid: number;
  request(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; json: unknown; headers: IncomingHttpHeaders }>;
  /** A response that is read as it arrives. */
  open(path: string): Promise<IncomingMessage>;
  close(): void;
}

const AUTHORIZATION = { Authorization: 'Bearer a-key-for-tests-of-whole-processes-0' };

async function connectTo({ url, output }: ServiceProcess): Promise<Connection> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
  ): Promise<IncomingMessage> => {
    const type = body !== undefined && { 'Content-Type': 'application/json' };
    const headers = { ...AUTHORIZATION, ...type, ...more };
    const sent = request(`${url}${path}`, { method, agent, headers });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = await once(sent, 'response');
    return response;
  };
  const ask: Connection['request'] = async (method, path, body, more) => {
    const response = await send(method, path, body, more);
    const { statusCode: status = 0, headers } = response;
    return { status, headers, json: JSON.parse((await text(response)) || 'null') };
  };
  const id = randomUUID();
  // Not a probe, of which a process logs what is new alone.
  await ask('HEAD', '/docs/errors', undefined, { 'X-Request-Id': id });
  const line = new RegExp(`"pid":(\\d+),.*"reqId":"${id}"`);
  // A process writes its lines at the latest after a second.
  await expect.poll(output, { timeout: 10_000 }).toMatch(line);
  return {
    pid: Number(line.exec(output())?.[1]),
    request: ask,
    open: (path) => send('GET', path),
    close: () => agent.destroy(),
  };
}

/** Opens a connection to each of the two processes of a server. */
export async function connectToBoth(service: ServiceProcess): Promise<[Connection, Connection] & Disposable> {
  const first = await connectTo(service);
  // The primary process hands out connections in turn, to processes that are free.
  for (let tries = 0; tries < 20; tries += 1) {
    const second = await connectTo(service);
    if (second.pid !== first.pid) return Object.assign([first, second] as [Connection, Connection], disposal);
    second.close();
  }
  throw new Error('all connections went to one process');
}

const disposal = {
  [Symbol.dispose](this: Connection[]) {
    for (const { close } of this) close();
  },
};
