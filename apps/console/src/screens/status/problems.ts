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

/** More of the connections than this part are as good as all. */
const CONNECTIONS_FULL = 0.9;

function problemsOfDatabase({ database, standbys }: ServiceStatus): Problem[] {
  const problems: Problem[] = [];
  const { circuits, migrations, connections } = database;
  if (circuits.requests === 'open')
    problems.push({
      id: 'circuit-requests',
      tone: 'danger',
      message: msg`The circuit breaker of requests is open: the database cannot be reached.`,
    });
  if (circuits.workers === 'open')
    problems.push({
      id: 'circuit-workers',
      tone: 'danger',
      message: msg`The circuit breaker of the workers is open: deliveries, jobs and scheduled changes wait.`,
    });
  for (const { name, isHealthy, reason } of standbys) {
    if (isHealthy) continue;
    const why = reason ?? '';
    problems.push({
      id: `standby-${name}`,
      tone: 'warning',
      message: msg`The standby ${name} is not read from: ${why}`,
    });
  }
  if (migrations.pending.length > 0)
    problems.push({
      id: 'migrations-pending',
      tone: 'warning',
      message: msg`Migrations of this release have not run.`,
    });
  if (migrations.unknown.length > 0)
    problems.push({
      id: 'migrations-unknown',
      tone: 'warning',
      message: msg`The database has migrations of a later release: update this server.`,
    });
  const { open, max } = connections;
  if (open > max * CONNECTIONS_FULL)
    problems.push({
      id: 'connections',
      tone: 'warning',
      message: msg`${open} of ${max} PostgreSQL connections are in use.`,
    });
  return problems;
}

function problemsOfQueues({ sequencer, deliveries, jobs, scheduledChanges }: ServiceStatus): Problem[] {
  const problems: Problem[] = [];
  if (sequencer.oldestWaitingS > LATE_S.sequencer)
    problems.push({
      id: 'sequencer',
      tone: 'danger',
      message: msg`Events are waiting for their positions: no one is told of changes.`,
    });
  if (deliveries.oldestDueS > LATE_S.deliveries)
    problems.push({ id: 'deliveries', tone: 'warning', message: msg`Deliveries of webhooks are late.` });
  const { failing } = deliveries;
  if (failing > 0)
    problems.push({
      id: 'webhooks',
      tone: 'warning',
      message: msg`${plural(failing, {
        one: '# webhook is failing.',
        other: '# webhooks are failing.',
      })}`,
    });
  if (jobs.oldestQueuedS > LATE_S.jobs)
    problems.push({ id: 'jobs', tone: 'warning', message: msg`Jobs have been waiting for a long time.` });
  if (scheduledChanges.oldestDueS > LATE_S.scheduledChanges)
    problems.push({ id: 'scheduledChanges', tone: 'warning', message: msg`Scheduled changes are late.` });
  return problems;
}

/** Lists the problems of the service, the worst first; none if all is well. */
export function problemsOf(status: ServiceStatus): Problem[] {
  const problems = [...problemsOfDatabase(status), ...problemsOfQueues(status)];
  if (new Set(status.servers.map(({ version }) => version)).size > 1)
    problems.push({ id: 'versions', tone: 'warning', message: msg`The servers have different versions.` });
  return problems.sort((one, other) => one.tone.localeCompare(other.tone));
}
