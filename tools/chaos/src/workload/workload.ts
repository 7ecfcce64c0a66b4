import { setTimeout as sleep } from 'node:timers/promises';
import { openCaller } from '@roster/harness/caller';
import type { Cluster } from '../cluster/cluster.ts';
import type { History } from '../history.ts';
import type { Random } from '../random.ts';
import { runClient } from './client.ts';
import { Follower } from './follower.ts';
import { runJobClient } from './jobs.ts';
import { createKnown } from './known.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** All clients of the deployment while it is broken. */
export interface Workload extends AsyncDisposable {
  followers: Follower[];
  receiver: Receiver;
  /** The id of the webhook that receives every event of an office. */
  webhookId: string;
  /** No client begins anything new; waits until none waits for an answer. */
  stopClients(): Promise<void>;
}

interface WorkloadOptions {
  cluster: Cluster;
  random: Random;
  history: History;
  clients: number;
  /** Operations a second of all clients together, while nothing is broken. */
  rate: number;
}

const FOLLOWERS = 2;
/** A busy machine starts slowly. */
const PATIENCE_MS = 30_000;

async function makeWebhook(cluster: Cluster, receiver: Receiver): Promise<string> {
  const caller = openCaller({ port: cluster.balancer.port, key: cluster.key });
  const verbs = [
    'created',
    'updated',
    'deactivated',
    'reactivated',
    'deleted',
    'restored',
    'merged',
    'purged',
    'change_failed',
  ];
  const body = { url: receiver.url, types: verbs.map((verb) => `office.${verb}`) };
  const asked = { method: 'POST', path: '/webhooks', body };
  const { id, secret } = await caller.persist<{ id: string; secret: string }>(asked, PATIENCE_MS);
  caller.close();
  receiver.accept(secret);
  return id;
}

/** Starts the clients, the followers and the receiver, before anything has happened in the deployment. */
export async function startWorkload(options: WorkloadOptions): Promise<Workload> {
  const { cluster, random, history, clients, rate } = options;
  const receiver = await startReceiver(random.fork('receiver'));
  const webhookId = await makeWebhook(cluster, receiver);
  const at = { port: cluster.balancer.port, key: cluster.key };
  const followers = Array.from(
    { length: FOLLOWERS },
    (_, index) => new Follower({ ...at, name: `follower ${index}` }),
  );
  const stopping = new AbortController();
  const known = createKnown();
  const paceMs = (clients * 1_000) / rate;
  const running = Promise.all(
    Array.from({ length: clients }, async (_, number) => {
      // Not all at once.
      await sleep((number * paceMs) / clients);
      const own = { number, random: random.fork(`client ${number}`), paceMs };
      await runClient({ ...at, ...own, known, history, signal: stopping.signal });
    }),
  );
  const jobs = runJobClient({ ...at, random: random.fork('jobs'), signal: stopping.signal });
  const stopClients = async () => {
    stopping.abort();
    await Promise.all([running, jobs]);
  };
  return {
    followers,
    receiver,
    webhookId,
    stopClients,
    [Symbol.asyncDispose]: async () => {
      await stopClients();
      await Promise.all(followers.map((follower) => follower.stop()));
      await receiver[Symbol.asyncDispose]();
    },
  };
}
