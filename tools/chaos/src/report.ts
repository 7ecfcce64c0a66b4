import { markdownTable } from '@roster/harness/markdown';
import { medianOf } from '@roster/harness/statistics';
import { type Attempt, isWrite } from './history.ts';
import { type Outage, outagesOf } from './outages.ts';
import { isBroken, type Run } from './run.ts';

const SHOWN_MAX = 20;

function outcomeOf({ status, isFromService, failure }: Attempt): string {
  if (status === undefined) return failure?.startsWith('no answer') ? 'no answer in time' : 'connection lost';
  if (status < 300) return `${status}`;
  return isFromService === true ? `${status}` : `${status} of the balancer`;
}

function counted<Item>(items: readonly Item[], nameOf: (item: Item) => string): [string, Item[]][] {
  return [...Map.groupBy(items, nameOf)].sort(([a], [b]) => (a < b ? -1 : 1));
}

function seconds(timeMs: number): string {
  return (timeMs / 1_000).toFixed(1);
}

function requestsOf(attempts: readonly Attempt[]): string {
  const rows = counted(attempts, outcomeOf).map(([outcome, group]) => {
    const writes = group.filter(isWrite).length;
    return [outcome, group.length - writes, writes];
  });
  return markdownTable(['outcome', 'reads', 'writes'], rows);
}

function faultsOf(outages: readonly Outage[]): string {
  const rows = counted(outages, ({ fault }) => fault.planned.kind).map(([kind, group]) => {
    const dark = group.map(({ darkMs }) => darkMs);
    const unwritable = group.map(({ unwritableMs }) => unwritableMs);
    const recovery = group.map(({ recoveryMs }) => recoveryMs);
    return [
      kind,
      group.length,
      ...[dark, unwritable, recovery].flatMap((times) => [
        seconds(medianOf(times)),
        seconds(Math.max(...times)),
      ]),
    ];
  });
  const head = ['fault', 'times', 'dark', 'worst', 'no write', 'worst', 'recovery', 'worst'];
  return markdownTable(head, rows);
}

function verdictsOf({ verdicts }: Run): string {
  const rows = verdicts.map(({ promise, count, broken }) => [
    promise,
    count,
    broken.length === 0 ? 'kept' : `**broken ${broken.length} times**`,
  ]);
  const details = verdicts
    .filter(({ broken }) => broken.length > 0)
    .map(({ promise, broken }) => {
      const shown = broken.slice(0, SHOWN_MAX).map((line) => `- ${line}`);
      const more = broken.length > SHOWN_MAX ? [`- and ${broken.length - SHOWN_MAX} more`] : [];
      return [`### Broken: ${promise}`, '', ...shown, ...more, ''].join('\n');
    });
  return [markdownTable(['promise', 'checked', 'verdict'], rows, { isText: true }), '', ...details].join(
    '\n',
  );
}

/** What happened, as a page of Markdown. */
export function reportOf(run: Run): string {
  const { options, kinds, balancer, attempts, faults, startMs, endMs } = run;
  const outages = outagesOf(faults, attempts);
  const verdict = isBroken(run) ? 'Promises were broken.' : 'Every promise was kept.';
  return [
    '# Chaos',
    '',
    `**${verdict}** Seed ${options.seed}; ${faults.length} faults of ${kinds.length} kinds and ${attempts.length} requests in ` +
      `${seconds(endMs - startMs)} s; ${options.servers} servers behind ${balancer}, PostgreSQL with a synchronous standby` +
      `${options.isPatroni ? ' under Patroni' : ''}.`,
    '',
    '## Promises',
    '',
    verdictsOf(run),
    '## Requests',
    '',
    requestsOf(attempts),
    '',
    '## Faults',
    '',
    'Seconds, median and worst. Dark: the longest time without any success from the fault to the next one; no write:',
    'without an acknowledged write; recovery: from the moment that all was whole again to the next acknowledged write.',
    '',
    faultsOf(outages),
    '',
  ].join('\n');
}
