import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Noun } from '../nouns.ts';
import type { Start } from '../session.ts';
import { recordCommand } from './verb-command.ts';

/** `restore <id>`: a deleted record is there again, under its id. */
export function restoreCommand(noun: Noun, start: Start): CommandUnknownOpts {
  return recordCommand(noun, 'restore').action(async (id, _options, command) => {
    const { procedures, printer, signal } = await start(noun, command);
    await printer.record(await procedures.restore.mutate({ id }, { signal }));
  });
}
