import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Job } from '@roster/client';
import { operationContract } from '../../contract/operations.ts';
import { parseInput } from '../../contract/options.ts';
import type { Resource } from '../../contract/resources.ts';
import { applyChange } from '../change.ts';
import { buildRecordCommand } from '../command-builder.ts';
import type { ContextFactory } from '../context.ts';
import { addWait, reportJob } from './follow.ts';
import { reportPreview, undoWords } from './preview.ts';

export function undoCommand(resource: Resource, createContext: ContextFactory): CommandUnknownOpts {
  const { fields } = operationContract(resource.name, 'undo');
  const command = buildRecordCommand(resource, 'undo');
  addWait(command);
  command.option('--dry-run', 'Show what would be restored, without changing anything');
  return command.action(async (id, options, command) => {
    const context = await createContext(resource, command);
    const { client, callOptions, isDryRun } = context;
    if (isDryRun) {
      // An import has the id of its job.
      const preview = await client.jobs.previewUndo.mutate({ id }, { signal: callOptions.signal });
      return reportPreview(preview, ['record', 'records'], context, undoWords);
    }
    const input = { ...parseInput(fields, options), id };
    const record = await applyChange({ resource, operation: 'undo', input }, context);
    if (record === undefined) return;
    // The response of the procedure, which `applyChange` does not know.
    await reportJob({ ...record } as Job, command, context);
  });
}
