import type { RosterClient, Scope } from '@roster/client';
import { startHttpServer } from '@roster/harness/http-server';
import { until } from '@roster/harness/until';
import { type AttackName, attackNames } from './attacks.ts';

const WEBHOOKS = 5;
const READ: Scope[] = ['offices:read', 'agents:read'];
const WRITE: Scope[] = ['offices:write', 'agents:write'];
const scopes: Partial<Record<AttackName, Scope[]>> = {
  'unread pages': READ,
  'long searches': READ,
  bursts: READ,
  'encoded batches': READ,
  'webhook tests': ['webhooks:manage'],
};

/**
 * Makes what attacks need of the service: a key for each, and webhooks at a receiver that never responds. A part of the deployment may be
 * broken at the moment.
 */
export async function prepareAttacks({ keys, webhooks }: RosterClient) {
  const receiver = await startHttpServer((request) => void request.resume());
  const secretFor = async (name: AttackName): Promise<[AttackName, string]> => {
    const input = { name, scopes: scopes[name] ?? WRITE };
    return [name, (await until('a key', () => keys.create.mutate(input))).secret];
  };
  const secrets = await Promise.all(attackNames.map(secretFor));
  const webhookIds: string[] = [];
  for (let number = 0; number < WEBHOOKS; number += 1) {
    // Of a type that never comes, so that the tests are all it is sent.
    const input = { url: receiver.url, types: ['office.purged' as const] };
    webhookIds.push((await until('a webhook', () => webhooks.create.mutate(input))).id);
  }
  const isRemoved = (id: string) =>
    webhooks.delete.mutate({ id }).then(
      () => true,
      (error) => error.code === 'not_found',
    );
  return {
    keys: Object.fromEntries(secrets) as Record<AttackName, string>,
    webhookIds,
    /** Removes the webhooks, to which nothing can ever be delivered. */
    removeWebhooks: async () => {
      for (const id of webhookIds) await until('the end of a webhook', () => isRemoved(id));
    },
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}
