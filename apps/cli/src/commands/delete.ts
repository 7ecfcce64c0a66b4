import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Start } from '../context/command-context.ts';
import { verbContract } from '../contract/contract.ts';
import { change } from '../input/apply-change.ts';
import { inputOf } from '../input/fields.ts';
import { confirmDelete } from '../prompts/confirm-delete.ts';
import type { Noun } from '../resources.ts';
import { recordCommand } from './command-builder.ts';

/** `delete <id>`: asks a person first, and a program for `--yes`. */
export function deleteCommand(noun: Noun, start: Start): CommandUnknownOpts {
  const { fields } = verbContract(noun.name, 'delete');
  return recordCommand(noun, 'delete')
    .option('--yes', 'Do not ask; needed where nobody can be asked')
    .action(async (id, options, command) => {
      const session = await start(noun, command);
      const isAsked = !options.yes && !session.isDryRun;
      if (isAsked) await confirmDelete(noun, id, session);
      const input = { ...inputOf(fields, options), id };
      const done = await change({ noun, verb: 'delete', input }, session);
      if (done === undefined) return;
      const wayBack = noun.verbs.includes('restore')
        ? ` It comes back with: roster ${noun.name} restore ${id}`
        : '';
      session.io.stderr.write(`Deleted ${noun.singular} ${id}.${wayBack}\n`);
    });
}
