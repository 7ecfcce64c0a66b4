import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Asked, openCaller } from '@roster/harness/caller';
import { pause } from '@roster/harness/until';
import { Client } from 'pg';

/** What a neighbour knows of the service. */
export interface Scene {
  port: number;
  databaseUrl: string;
  /** Its key, which is limited to one office. */
  key: string;
  officeId: string;
  /** The email address of an agent that it may not see. */
  takenEmail: string;
  /** Agents of that office. */
  agentIds: readonly string[];
}

/** What a caller does beside a good one, until the signal fires. */
type Neighbour = (scene: Scene, signal: AbortSignal) => Promise<unknown>;

const CALLERS = 16;
const PACE_MS = 200;

/** Callers that each send a request again and again, together at most 80 in a second. */
async function callAgain({ port, key }: Scene, signal: AbortSignal, requestOf: (index: number) => Asked) {
  const repeat = async (_: unknown, index: number) => {
    const caller = openCaller({ port, key });
    for (; !signal.aborted; await sleep(PACE_MS)) await caller.send(requestOf(index)).catch(() => undefined);
    caller.close();
  };
  await Promise.all(Array.from({ length: CALLERS }, repeat));
}

export const LIST = '/agents?limit=200&sort=-updatedAt&expand=office';

/** Connects, asks for a long list and resets the connection. */
export async function dropList({ port, key }: Scene): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true }).on('error', () => undefined);
  socket.write(`GET ${LIST} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  await sleep(8);
  socket.resetAndDestroy();
}

/** An entry is a case of the suite. */
export const neighbours = {
  'drops lists that it has asked for': async (scene, signal) => {
    for (; !signal.aborted; await pause(50, signal)) void dropList(scene);
  },
  'changes agents whose rows are locked': async (scene, signal) => {
    const { databaseUrl, agentIds } = scene;
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query('begin');
    await client.query('select from agent where id = any($1) for update', [agentIds]);
    await callAgain(scene, signal, (index) => ({
      method: 'PATCH',
      path: `/agents/${agentIds[index % agentIds.length]}`,
      body: { title: `Title ${Math.random()}` },
    }));
    await client.end();
  },
  'makes changes that always fail': (scene, signal) =>
    callAgain(scene, signal, () => ({
      method: 'POST',
      path: '/agents',
      body: { firstName: 'Ana', lastName: 'Silva', officeId: scene.officeId, email: scene.takenEmail },
    })),
  'pipelines a thousand requests on each connection': async ({ port, key }, signal) => {
    const request = `GET /agents?limit=1 HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    for (; !signal.aborted; await pause(PACE_MS, signal)) {
      const socket = connect({ host: '127.0.0.1', port }).on('error', () => undefined);
      socket.on('data', () => undefined).write(request.repeat(1_000));
      void sleep(5 * PACE_MS).then(() => socket.destroy());
    }
  },
  'sends files slowly': async ({ port, key }, signal) => {
    const head =
      `POST /imports/agents/file HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n` +
      'Content-Type: text/csv\r\nContent-Length: 1000000\r\n\r\nFirst name,Last name\r\n';
    const sockets = Array.from({ length: CALLERS }, () =>
      connect({ host: '127.0.0.1', port }).on('error', () => undefined),
    );
    for (const socket of sockets) socket.on('data', () => undefined).write(head);
    for (; !signal.aborted; await pause(PACE_MS, signal))
      for (const socket of sockets) socket.write('Ana,Reis\r\n');
    for (const socket of sockets) socket.destroy();
  },
} satisfies Record<string, Neighbour>;

export type NeighbourName = keyof typeof neighbours;
