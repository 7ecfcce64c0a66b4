import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { bodyOf } from '../body.ts';
import { verbContract } from '../contract.ts';
import { inputOf, merged } from '../fields.ts';
import type { Noun } from '../nouns.ts';
import type { Start } from '../session.ts';
import { printRecord } from './print-record.ts';
import { verbCommand } from './verb-command.ts';

/** `create`: a new record, from options and `--data`. */
export function createCommand(noun: Noun, start: Start): CommandUnknownOpts {
  const { fields } = verbContract(noun.name, 'create');
  return verbCommand(noun, 'create')
    .option('--data <json>', 'The fields as JSON: itself, @file, or - for stdin; options go over it', '{}')
    .action(async (options, command) => {
      const session = await start(noun, command);
      const input = merged(await bodyOf(options.data, session), inputOf(fields, options));
      await printRecord(session, await session.procedures.create.mutate(input, session.callOptions));
    });
}
