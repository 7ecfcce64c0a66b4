import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Session, Start } from '../context/command-context.ts';
import { verbContract } from '../contract/contract.ts';
import { usageError } from '../errors/errors.ts';
import { change } from '../input/apply-change.ts';
import { type Input, inputOf, merged } from '../input/fields.ts';
import { bodyOf } from '../input/json-body.ts';
import { reportChange } from '../output/report-change.ts';
import type { Noun } from '../resources.ts';
import { verbCommand } from './command-builder.ts';

/** What the options and the data say; where they say nothing, what a person answers, if there is one. */
async function newRecord(noun: Noun, options: { data?: string }, session: Session): Promise<Input> {
  const { fields } = verbContract(noun.name, 'create');
  const input = inputOf(fields, options);
  if (options.data !== undefined) return merged(await bodyOf(options.data, session), input);
  if (Object.keys(input).length > 0 || !session.io.isInteractive) return input;
  const { askForRecord } = await import('../prompts/ask-for-record.ts');
  return askForRecord(noun, session);
}

/** Throws a usage error where an option that every command has was taken for the field of its name. */
function checkGlobals(noun: Noun, given: Record<string, unknown>): void {
  const { fields } = verbContract(noun.name, 'create');
  for (const { path, flag, isRequired } of fields) {
    const [name = ''] = path;
    const isMistaken =
      isRequired && flag.endsWith(`-${name}`) && path.length === 1 && given[name] !== undefined;
    if (isMistaken) {
      throw usageError(
        `--${flag} is required`,
        `--${name} says where the service is; give --${flag} for the field.`,
      );
    }
  }
}

/** `create`: a new record, from options and `--data`, or from questions to a person who gives neither. */
export function createCommand(noun: Noun, start: Start): CommandUnknownOpts {
  return verbCommand(noun, 'create')
    .option('--data <json>', 'The fields as JSON: itself, @file, or - for stdin; options go over it')
    .addHelpText('after', '\nAt a terminal, without any field, it asks for them one by one.')
    .action(async (options, command) => {
      if (
        Object.keys(inputOf(verbContract(noun.name, 'create').fields, options)).length === 0 &&
        !options.data
      )
        checkGlobals(noun, command.optsWithGlobals());
      const session = await start(noun, command);
      const input = await newRecord(noun, options, session);
      const done = await change({ noun, verb: 'create', input }, session);
      if (done?.record !== undefined)
        await reportChange({ noun, verb: 'create', record: done.record }, session);
    });
}
