import type { MessageDescriptor } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import type { ServiceStatus } from '@roster/client';

/** Something that an operator should look at. */
export interface Problem {
  id: string;
  tone: 'warning' | 'danger';
  message: MessageDescriptor;
}

/** The ages in seconds beyond which what waits is not being worked off. */
export const LATE_S = { sequencer: 10, deliveries: 60, jobs: 300, scheduledChanges: 60 } as const;

/** For how long the oldest delivery waits: one that is due, or an event that is only in the log. */
export const oldestDeliveryS = ({ oldestDueS, lagS }: ServiceStatus['deliveries']) =>
  Math.max(oldestDueS, lagS);

/** More of the connections than this part are as good as all. */
const CONNECTIONS_FULL = 0.9;

const danger = (id: string, message: MessageDescriptor): Problem => ({ id, tone: 'danger', message });
const warning = (id: string, message: MessageDescriptor): Problem => ({ id, tone: 'warning', message });

function problemsOfDatabase({ database }: ServiceStatus): (Problem | false)[] {
  const { circuits, migrations, connections } = database;
  const { open, max } = connections;
  return [
    circuits.requests === 'open' &&
      danger(
        'circuit-requests',
        msg`The circuit breaker of requests is open: the database cannot be reached.`,
      ),
    circuits.workers === 'open' &&
      danger(
        'circuit-workers',
        msg`The circuit breaker of the workers is open: deliveries, jobs and scheduled changes wait.`,
      ),
    migrations.pending.length > 0 &&
      warning('migrations-pending', msg`Migrations of this release have not run.`),
    migrations.unknown.length > 0 &&
      warning('migrations-unknown', msg`The database has migrations of a later release: update this server.`),
    open > max * CONNECTIONS_FULL &&
      warning('connections', msg`${open} of ${max} PostgreSQL connections are in use.`),
  ];
}

function problemsOfQueues({ sequencer, deliveries, jobs, scheduledChanges }: ServiceStatus) {
  const { failing } = deliveries;
  const failingText = msg`${plural(failing, {
    one: '# webhook is failing.',
    other: '# webhooks are failing.',
  })}`;
  return [
    sequencer.oldestWaitingS > LATE_S.sequencer &&
      danger('sequencer', msg`Events are waiting for their positions: no one is told of changes.`),
    oldestDeliveryS(deliveries) > LATE_S.deliveries &&
      warning('deliveries', msg`Deliveries of webhooks are late.`),
    failing > 0 && warning('webhooks', failingText),
    jobs.oldestQueuedS > LATE_S.jobs && warning('jobs', msg`Jobs have been waiting for a long time.`),
    scheduledChanges.oldestDueS > LATE_S.scheduledChanges &&
      warning('scheduledChanges', msg`Scheduled changes are late.`),
  ];
}

/** Lists the problems of the service, the worst first; none if all is well. */
export function problemsOf(status: ServiceStatus): Problem[] {
  const versions = new Set(status.servers.map(({ version }) => version));
  const problems = [
    ...problemsOfDatabase(status),
    ...problemsOfQueues(status),
    versions.size > 1 && warning('versions', msg`The servers have different versions.`),
  ];
  return problems
    .filter((problem) => problem !== false)
    .toSorted((one, other) => one.tone.localeCompare(other.tone));
}
