import { operationContract } from '../../contract/operations.ts';
import { parseInput } from '../../contract/options.ts';
import type { Resource } from '../../contract/resources.ts';
import { usageError } from '../../errors.ts';
import { applyChange, operationCommand, reportChange } from '../command-builder.ts';
import { addData } from '../json-body.ts';

const changeableFields = ({ name }: Resource) =>
  operationContract(name, 'update').fields.filter(({ isCondition }) => !isCondition);

export const updateCommand = operationCommand('update', {
  addOptions: (command, resource) => {
    const clearable = changeableFields(resource).find(({ isNullable }) => isNullable)?.flag;
    addData(command).addHelpText(
      'after',
      `\nAn empty value clears a field: --${clearable} ''. Lists are replaced, not merged.`,
    );
  },
  run: async ({ resource, operation, input, options }, context) => {
    const isEmpty = Object.keys(parseInput(changeableFields(resource), options)).length === 0;
    if (isEmpty && options.data === undefined)
      throw usageError('there is nothing to change', 'Set a field with its option, or pass --data.');
    const record = await applyChange({ resource, operation, input }, context);
    if (record !== undefined) await reportChange({ resource, operation, record }, context);
  },
});
