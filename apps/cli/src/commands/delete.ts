import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { verbContract } from '../contract.ts';
import { CliError, usageError } from '../failures.ts';
import { inputOf } from '../fields.ts';
import { ask } from '../io.ts';
import { type Noun, valueAt } from '../nouns.ts';
import { printable } from '../output/text.ts';
import type { Session, Start } from '../session.ts';
import { recordCommand } from './verb-command.ts';

/** Lets the user type the name of what will be gone. Throws where that is not what they type. */
async function confirm(noun: Noun, id: string, { procedures, io, callOptions }: Session): Promise<void> {
  const record = await procedures.get.query({ id }, callOptions);
  const name = printable(String(valueAt(record, noun.namePlace)));
  const question = `Delete the ${noun.singular} "${name}"? Type its name to go on: `;
  if ((await ask(io, question, callOptions.signal)).trim() !== name.trim())
    throw new CliError('that is not its name; nothing was deleted');
}

/** `delete <id>`: asks a person first, and a program for `--yes`. */
export function deleteCommand(noun: Noun, start: Start): CommandUnknownOpts {
  const { fields } = verbContract(noun.name, 'delete');
  return recordCommand(noun, 'delete')
    .option('--yes', 'Do not ask; needed where nobody can be asked')
    .action(async (id, options, command) => {
      const { yes } = options;
      const session = await start(noun, command);
      if (!yes && !session.io.isInteractive) {
        throw usageError('there is nobody to ask', 'Add --yes to delete without being asked.');
      }
      if (!yes) await confirm(noun, id, session);
      const input = { ...inputOf(fields, options), id };
      await session.procedures.delete.mutate(input, session.callOptions);
      session.io.stderr.write(
        `Deleted ${noun.singular} ${id}. It comes back with: roster ${noun.name} restore ${id}\n`,
      );
    });
}
