import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { verbContract } from '../contract.ts';
import { inputOf } from '../fields.ts';
import type { Noun } from '../nouns.ts';
import type { Start } from '../session.ts';
import { recordCommand } from './verb-command.ts';

/** `deactivate <id>`: the record stays, and is no longer active. */
export function deactivateCommand(noun: Noun, start: Start): CommandUnknownOpts {
  const { fields } = verbContract(noun.name, 'deactivate');
  return recordCommand(noun, 'deactivate').action(async (id, options, command) => {
    const { procedures, printer, signal } = await start(noun, command);
    const input = { ...inputOf(fields, options), id };
    await printer.record(await procedures.deactivate.mutate(input, { signal }));
  });
}
