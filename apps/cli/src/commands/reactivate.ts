import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Noun } from '../nouns.ts';
import type { Start } from '../session.ts';
import { recordCommand } from './verb-command.ts';

/** `reactivate <id>`: an inactive record is active again. */
export function reactivateCommand(noun: Noun, start: Start): CommandUnknownOpts {
  return recordCommand(noun, 'reactivate').action(async (id, _options, command) => {
    const { procedures, printer, signal } = await start(noun, command);
    await printer.record(await procedures.reactivate.mutate({ id }, { signal }));
  });
}
