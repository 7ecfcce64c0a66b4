import type { Job } from '@roster/client';
import type { Row } from '../../contract/columns.ts';
import { applyChange, operationCommand } from '../command-builder.ts';
import { addWait, reportJob } from './follow.ts';
import { reportPreview, undoWords } from './preview.ts';

export const undoCommand = operationCommand('undo', {
  addOptions: (command) => {
    addWait(command);
    command.option('--dry-run', 'Show what would be restored, without changing anything');
  },
  run: async (call, context) => {
    const { client, callOptions, isDryRun } = context;
    if (isDryRun) {
      // An import has the id of its job.
      const id = String(call.input.id);
      const preview = await client.jobs.previewUndo.mutate({ id }, { signal: callOptions.signal });
      return reportPreview(preview, ['record', 'records'], context, undoWords);
    }
    const job = await applyChange<Row & Job>(call, context);
    if (job !== undefined) await reportJob(job, call.options, context);
  },
});
