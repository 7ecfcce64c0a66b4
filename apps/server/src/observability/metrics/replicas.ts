import type { ReplicaState } from '@roster/db';
import { Gauge, type Registry } from 'prom-client';

/** Shows how the replicas are, by host and port, whenever the metrics are asked for. */
export function measureReplicas(registry: Registry, states: () => ReplicaState[]): void {
  const labelNames = ['replica'];
  const registers = [registry];
  new Gauge({
    name: 'roster_replica_up',
    help: '1 where the replica is read from, 0 where it is left aside.',
    labelNames,
    registers,
    collect() {
      for (const { name, isHealthy } of states()) this.set({ replica: name }, isHealthy ? 1 : 0);
    },
  });
  new Gauge({
    name: 'roster_replica_lag_seconds',
    help: 'How far behind the primary the replica may be at most; absent where that is not known.',
    labelNames,
    registers,
    collect() {
      this.reset();
      for (const { name, lagMs } of states()) {
        if (Number.isFinite(lagMs)) this.set({ replica: name }, lagMs / 1_000);
      }
    },
  });
}
