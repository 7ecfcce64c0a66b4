import type { ReplicaState } from '@roster/db';
import { Gauge, type Registry } from 'prom-client';

/** Registers the metrics of replicas, by host and port, which each scrape reads. */
export function measureReplicas(registry: Registry, states: () => ReplicaState[]): void {
  const labelNames = ['replica'];
  const registers = [registry];
  new Gauge({
    name: 'roster_replica_up',
    help: '1 if the replica is healthy and serves reads, else 0.',
    labelNames,
    aggregator: 'min',
    registers,
    collect() {
      for (const { name, isHealthy } of states()) this.set({ replica: name }, isHealthy ? 1 : 0);
    },
  });
  new Gauge({
    name: 'roster_replica_lag_seconds',
    help: 'The maximum lag of the replica behind the primary; absent if it is unknown.',
    labelNames,
    aggregator: 'max',
    registers,
    collect() {
      this.reset();
      for (const { name, lagMs } of states()) {
        if (Number.isFinite(lagMs)) this.set({ replica: name }, lagMs / 1_000);
      }
    },
  });
}
