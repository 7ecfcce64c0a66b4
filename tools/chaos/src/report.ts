import { markdownTable } from '@roster/harness/markdown';
import { medianOf } from '@roster/harness/statistics';
import { type Attempt, isWrite } from './history.ts';
import { outagesOf } from './outages.ts';
import type { Run } from './run.ts';

const SHOWN_MAX = 20;

function outcomeOf({ status, isFromService, failure }: Attempt): string {
  if (status === undefined)
    return failure?.startsWith('no response') ? 'no response in time' : 'connection lost';
  return status < 300 || isFromService ? `${status}` : `${status} of the balancer`;
}

/** A row for each group, in the order of their names. */
function rowsOf<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  cellsOf: (group: Item[]) => (number | string)[],
) {
  const groups = [...Map.groupBy(items, nameOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  return groups.map(([name, group]) => [name, ...cellsOf(group)]);
}

function seconds(timeMs: number): string {
  return (timeMs / 1_000).toFixed(1);
}

function requestsOf({ attempts }: Run): string {
  const cellsOf = (group: Attempt[]) => {
    const writes = group.filter(isWrite).length;
    return [group.length - writes, writes];
  };
  return markdownTable(['outcome', 'reads', 'writes'], rowsOf(attempts, outcomeOf, cellsOf));
}

function faultsOf({ faults, attempts }: Run): string {
  const outages = outagesOf(faults, attempts);
  const columns = ['darkMs', 'unwritableMs', 'recoveryMs'] as const;
  const cellsOf = (group: typeof outages) => {
    const times = columns.map((column) => group.map((outage) => outage[column]));
    const cells = times.flatMap((some) => [seconds(medianOf(some)), seconds(Math.max(...some))]);
    return [group.length, ...cells];
  };
  const head = ['fault', 'times', 'dark', 'worst', 'no write', 'worst', 'recovery', 'worst'];
  return markdownTable(
    head,
    rowsOf(outages, ({ kind }) => kind, cellsOf),
  );
}

function verdictsOf({ verdicts }: Run): string {
  const rows = verdicts.map(({ promise, count, broken }) => {
    return [promise, count, broken.length === 0 ? 'kept' : `**broken ${broken.length} times**`];
  });
  const details = verdicts.flatMap(({ promise, broken }) => {
    const shown = broken.slice(0, SHOWN_MAX).map((line) => `- ${line}`);
    const more = broken.length > SHOWN_MAX ? [`- and ${broken.length - SHOWN_MAX} more`] : [];
    return broken.length === 0 ? [] : [`### Broken: ${promise}`, '', ...shown, ...more, ''];
  });
  const table = markdownTable(['promise', 'checked', 'verdict'], rows, { isText: true });
  return [table, '', ...details].join('\n');
}

/** What happened, as a page of Markdown. */
export function reportOf(run: Run): string {
  const { options, kinds, balancer, attempts, faults, startMs, endMs } = run;
  const verdict = run.isBroken ? 'Promises were broken.' : 'Every promise was kept.';
  return `# Chaos

**${verdict}** Seed ${options.seed}; ${faults.length} faults of ${kinds.length} kinds and ${attempts.length} requests in \
${seconds(endMs - startMs)} s; ${options.servers} servers behind ${balancer}, PostgreSQL with a synchronous standby\
${options.isPatroni ? ' under Patroni' : ''}.

## Promises

${verdictsOf(run)}
## Requests

${requestsOf(run)}

## Faults

Seconds, median and worst. Dark: the longest time without any success from the fault to the next one; no write:
without an acknowledged write; recovery: from the moment that all was whole again to the next acknowledged write.

${faultsOf(run)}
`;
}
