import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
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

/** A port as Linux lists it. */
const hexOf = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');

/** The process of a server that holds the connection between two ports, by the sockets that Linux lists. */
function acceptorOf(parent: number, { local, remote }: { local: number; remote: number }): number {
  const lines = ['tcp', 'tcp6'].flatMap((name) => readFileSync(`/proc/net/${name}`, 'utf8').split('\n'));
  const rows = lines.map((line) => line.trim().split(/\s+/));
  const row = rows.find(
    ([, own = '', other = '']) => own.endsWith(`:${hexOf(local)}`) && other.endsWith(`:${hexOf(remote)}`),
  );
  const link = `socket:[${row?.[9]}]`;
  const holds = (pid: number) =>
    readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`) === link;
      } catch {
        // Closed meanwhile.
        return false;
      }
    });
  const pid = childrenOf(parent).find(holds);
  if (pid === undefined) throw new Error(`no process of the server holds the connection from port ${remote}`);
  return pid;
}

const AUTHORIZATION = { Authorization: 'Bearer a-key-for-tests-of-whole-processes-0' };

async function connectTo(service: ServiceProcess): Promise<Connection> {
  const { url } = service;
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
  await ask('GET', '/healthz');
  const [socket] = Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? []);
  return {
    pid: acceptorOf(service.pid, {
      local: Number(new URL(service.url).port),
      remote: socket?.localPort ?? 0,
    }),
    request: ask,
    open: (path) => send('GET', path),
    close: () => agent.destroy(),
  };
}

/** Opens a connection to each of the two processes of a server. */
export async function connectToBoth(service: ServiceProcess): Promise<[Connection, Connection] & Disposable> {
  const first = await connectTo(service);
  // By chance each process gets its share of the connections: all of 100 go to one of two in no run.
  for (let tries = 0; tries < 100; tries += 1) {
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
