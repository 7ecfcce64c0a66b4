import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { measureReplicas } from './replicas.ts';

it('each replica has a gauge of its health, and one of its lag if that is known', async () => {
  const registry = new Registry();
  const replica = { name: 'db2:5432', isHealthy: true, lagMs: 120, unhealthyReason: undefined, answered: 0 };
  measureReplicas(registry, () => [replica]);
  const samples = async () => (await registry.metrics()).split('\n').filter((line) => /^\w/.test(line));
  expect(await samples()).toEqual([
    'roster_replica_up{replica="db2:5432"} 1',
    'roster_replica_lag_seconds{replica="db2:5432"} 0.12',
  ]);
  Object.assign(replica, { isHealthy: false, lagMs: Number.POSITIVE_INFINITY });
  expect(await samples()).toEqual(['roster_replica_up{replica="db2:5432"} 0']);
});
