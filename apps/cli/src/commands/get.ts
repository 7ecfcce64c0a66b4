import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Noun } from '../nouns.ts';
import type { Start } from '../session.ts';
import { recordCommand } from './verb-command.ts';

/** `get <id>`: one record. */
export function getCommand(noun: Noun, start: Start): CommandUnknownOpts {
  return recordCommand(noun, 'get').action(async (id, _options, command) => {
    const { procedures, printer, callOptions } = await start(noun, command);
    await printer.record(await procedures.get.query({ id }, callOptions));
  });
}
