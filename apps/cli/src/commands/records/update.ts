import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { operationContract } from '../../contract/operations.ts';
import { parseInput } from '../../contract/options.ts';
import type { Resource } from '../../contract/resources.ts';
import { usageError } from '../../errors.ts';
import { applyChange, reportChange } from '../change.ts';
import { buildOperationCommand, buildRecordCommand } from '../command-builder.ts';
import type { ContextFactory } from '../context.ts';
import { addData, inputWithData } from '../json-body.ts';

export function updateCommand(resource: Resource, createContext: ContextFactory): CommandUnknownOpts {
  const { fields, hasId } = operationContract(resource.name, 'update');
  const changeable = fields.filter(({ isCondition }) => !isCondition);
  const clearable = changeable.find(({ isNullable }) => isNullable)?.flag;
  const build = hasId ? buildRecordCommand : buildOperationCommand;
  const command: CommandUnknownOpts = build(resource, 'update');
  return addData(command)
    .addHelpText(
      'after',
      `\nAn empty value clears a field: --${clearable} ''. Lists are replaced, not merged.`,
    )
    .action(async () => {
      const context = await createContext(resource, command);
      const options: { data?: string } = command.opts();
      if (options.data === undefined && Object.keys(parseInput(changeable, options)).length === 0) {
        throw usageError('there is nothing to change', 'Set a field with its option, or pass --data.');
      }
      const given = await inputWithData(fields, options, context);
      const id = hasId ? String(command.processedArgs[0]) : undefined;
      if (id !== undefined && typeof given.id === 'string' && given.id.toLowerCase() !== id.toLowerCase())
        throw usageError(`--data has the id ${given.id}, and the command changes ${id}`);
      const input = { ...given, ...(id !== undefined && { id }) };
      const record = await applyChange({ resource, operation: 'update', input }, context);
      if (record !== undefined) await reportChange({ resource, operation: 'update', record }, context);
    });
}
