import type { Row } from '../../contract/columns.ts';
import { counted } from '../../ui/text.ts';
import { operationCommand, reportChange } from '../command-builder.ts';

type Unmerged = Row & {
  conflicts: { resource: string; id: string; field: string | null }[];
  notReturned: Record<string, number>;
};

function leftText({ conflicts, notReturned }: Unmerged): string {
  const { scheduledChanges = 0, views = 0 } = notReturned;
  const fields = conflicts.map(
    ({ resource, id, field }) => `  ${resource} ${id}  ${field ?? 'deleted, or no longer in the log'}`,
  );
  const counts = [
    [fields.length, ['value', 'values']],
    [scheduledChanges, ['scheduled change', 'scheduled changes']],
    [views, ['saved view', 'saved views']],
  ] as const;
  const left = counts.flatMap(([count, names]) => (count === 0 ? [] : counted(count, names)));
  if (left.length === 0) return '';
  return [
    `Left unchanged, because they have changed since the merge: ${left.join(', ')}`,
    ...fields,
    '',
  ].join('\n');
}

export const unmergeCommand = operationCommand('unmerge', {
  run: async ({ resource, operation, input }, context) => {
    const { io, procedures, callOptions, printer, isDryRun } = context;
    const unmerged = (await procedures.unmerge?.mutate(input, callOptions)) as Unmerged;
    if (isDryRun) await printer.record(unmerged);
    else await reportChange({ resource, operation, record: unmerged }, context);
    if (printer.isForPeople) io.stderr.write(leftText(unmerged));
    if (isDryRun) io.stderr.write('Nothing was changed.\n');
  },
});
