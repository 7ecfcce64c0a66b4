import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Start } from '../context/command-context.ts';
import { verbContract } from '../contract/contract.ts';
import { usageError } from '../errors/errors.ts';
import { change } from '../input/apply-change.ts';
import { inputOf, merged } from '../input/fields.ts';
import { bodyOf } from '../input/json-body.ts';
import { reportChange } from '../output/report-change.ts';
import type { Noun } from '../resources.ts';
import { recordCommand } from './command-builder.ts';

/** `update <id>`: some fields of a record, from options and `--data`. */
export function updateCommand(noun: Noun, start: Start): CommandUnknownOpts {
  const { fields } = verbContract(noun.name, 'update');
  const changeable = fields.filter(({ isCondition }) => !isCondition);
  const clearable = changeable.find(({ isNullable }) => isNullable)?.flag;
  return recordCommand(noun, 'update')
    .option('--data <json>', 'The changes as JSON: itself, @file, or - for stdin; options go over it')
    .addHelpText(
      'after',
      `\nAn empty value clears a field: --${clearable} ''. A list is replaced as a whole.`,
    )
    .action(async (id, options, command) => {
      const session = await start(noun, command);
      if (options.data === undefined && Object.keys(inputOf(changeable, options)).length === 0) {
        throw usageError('there is nothing to change', 'Name a field by its option, or give --data.');
      }
      const body = await bodyOf(options.data ?? '{}', session);
      const input = { ...merged(body, inputOf(fields, options)), id };
      const done = await change({ noun, verb: 'update', input }, session);
      if (done?.record !== undefined)
        await reportChange({ noun, verb: 'update', record: done.record }, session);
    });
}
