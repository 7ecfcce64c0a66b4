import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { openCaller } from '@roster/harness/caller';
import { type AttackName, attackNames } from './attacks.ts';

/** What attacks need of the service before they begin: keys, and webhooks at a receiver that never answers. */
export interface Preparation extends AsyncDisposable {
  keys: Record<AttackName, string>;
  webhookIds: string[];
  /** Removes the webhooks, to which nothing can ever be delivered. */
  removeWebhooks(): Promise<void>;
}

interface PreparationOptions {
  port: number;
  /** A key that may make keys and webhooks. */
  key: string;
  /** How long a request that fails is tried again before the preparation fails. */
  patienceMs: number;
}

const WEBHOOKS = 5;

/** A receiver that takes connections, reads what comes and never answers. */
async function startSilentReceiver(): Promise<AsyncDisposable & { url: string }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

const READ = ['offices:read', 'agents:read'];
const scopes: Partial<Record<AttackName, string[]>> = {
  'unread pages': READ,
  'long searches': READ,
  bursts: READ,
  'encoded batches': READ,
  'webhook tests': ['webhooks:manage'],
};
const WRITE = ['offices:write', 'agents:write'];

/** Makes a key for each attack, and the webhooks. */
export async function prepareAttacks(options: PreparationOptions): Promise<Preparation> {
  const caller = openCaller(options);
  const send = (method: string, path: string, body?: object) =>
    caller.persist<Record<string, string>>({ method, path, body }, options.patienceMs);
  const receiver = await startSilentReceiver();
  const keys: [AttackName, string][] = [];
  for (const name of attackNames) {
    const { secret = '' } = await send('POST', '/keys', { name, scopes: scopes[name] ?? WRITE });
    keys.push([name, secret]);
  }
  const webhookIds: string[] = [];
  for (let number = 0; number < WEBHOOKS; number += 1) {
    // Of a type that never comes, so that the tests are all it is sent.
    const { id = '' } = await send('POST', '/webhooks', { url: receiver.url, types: ['office.purged'] });
    webhookIds.push(id);
  }
  return {
    keys: Object.fromEntries(keys) as Record<AttackName, string>,
    webhookIds,
    removeWebhooks: async () => {
      for (const id of webhookIds) await send('DELETE', `/webhooks/${id}`);
    },
    [Symbol.asyncDispose]: () => {
      caller.close();
      return receiver[Symbol.asyncDispose]();
    },
  };
}
