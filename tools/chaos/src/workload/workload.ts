import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordEventType } from '@roster/client';
import { operations } from '@roster/contract/operations';
import { until } from '@roster/harness/until';
import { Webhook } from 'standardwebhooks';
import type { Followed } from '../checker/evidence.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { History } from '../history.ts';
import type { Random } from '../random.ts';
import { runClient } from './client.ts';
import { follow } from './follower.ts';
import { runJobs } from './jobs.ts';
import { Known } from './known.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** How many clients there are, and how many operations a second all of them ask for while nothing is broken. */
export interface ClientOptions {
  clients: number;
  rate: number;
}

interface Environment extends ClientOptions {
  cluster: Cluster;
  random: Random;
  history: History;
}

/** Makes the webhook that receives every event of an office. */
async function makeWebhook({ client }: Cluster, receiver: Receiver): Promise<string> {
  const known =
    operations['webhooks.create']?.fields.find(({ name }) => name === 'types')?.item?.choices ?? [];
  const types = known.filter((type) => type.startsWith('office.')) as RecordEventType[];
  // A busy machine starts slowly.
  const { id, secret } = await until('a webhook', () =>
    client.webhooks.create.mutate({ url: receiver.url, types }),
  );
  receiver.verifier = new Webhook(secret);
  return id;
}

/** Starts the clients, the followers and the receiver, before anything has happened in the deployment; they end with the stack. */
export async function startWorkload(
  { cluster, random, history, clients, rate }: Environment,
  stack: AsyncDisposableStack,
) {
  const { port } = cluster.balancer;
  const receiver = stack.use(await startReceiver(random.fork('receiver')));
  const webhookId = await makeWebhook(cluster, receiver);
  const following = new AbortController();
  const followers = ['follower 0', 'follower 1'].map((name): Followed => ({ name, items: [], expiries: [] }));
  const followed = followers.map((follower) => follow(follower, port, following.signal));
  stack.defer(async () => {
    following.abort();
    await Promise.all(followed);
  });
  const stopping = new AbortController();
  const { signal } = stopping;
  const known = new Known();
  const paceMs = (clients * 1_000) / rate;
  const running = Array.from({ length: clients }, async (_, number) => {
    // Not all at once.
    await sleep((number * paceMs) / clients);
    await runClient({
      number,
      port,
      random: random.fork(`client ${number}`),
      known,
      history,
      paceMs,
      signal,
    });
  });
  running.push(runJobs(cluster.client, random.fork('jobs'), signal));
  /** No client begins anything new; waits until none waits for a response. */
  const stopClients = async () => {
    stopping.abort();
    await Promise.all(running);
  };
  stack.defer(stopClients);
  return { followers, receiver, webhookId, stopClients };
}

/** All clients of the deployment while it is broken. */
export type Workload = Awaited<ReturnType<typeof startWorkload>>;
