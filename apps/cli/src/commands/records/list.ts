import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { columnsForPeople, type Row } from '../../contract/columns.ts';
import type { OperationContract } from '../../contract/fields.ts';
import { operationContract } from '../../contract/operations.ts';
import { type Input, parseInput } from '../../contract/options.ts';
import type { Resource } from '../../contract/resources.ts';
import { addColumns, addJsonLines, columnsWanted } from '../../ui/json-option.ts';
import { buildOperationCommand } from '../command-builder.ts';
import type { CommandContext, ContextFactory } from '../context.ts';
import { namesFor, printList } from '../lists.ts';

/** A table shows where agents work. */
function withPlace(input: Input, { fields }: OperationContract): Input {
  const canHavePlace = fields.some(({ flag, choices }) => flag === 'expand' && choices?.includes('place'));
  return canHavePlace ? { expand: ['place'], ...input } : input;
}

/** `agents list` and the like: a page, or with `--all` every page. `after` is called with the rows of the last page. */
export function listCommand(
  resource: Resource,
  createContext: ContextFactory,
  after?: (rows: readonly Row[], context: CommandContext) => void,
): CommandUnknownOpts {
  const contract = operationContract(resource.name, 'list');
  const command = buildOperationCommand(resource, 'list').option('--all', 'Fetch all pages');
  addJsonLines(command);
  addColumns(command);
  return command.action(async (options, command) => {
    const context = await createContext(resource, command);
    const { isForPeople } = context.printer;
    const given = parseInput(contract.fields, options);
    const input = isForPeople ? withPlace(given, contract) : given;
    const own = isForPeople ? columnsForPeople(resource.columns(input)) : resource.columns(input);
    const columns = columnsWanted(options, contract, own);
    const names = [resource.singular, resource.name.replace('-', ' ')] as const;
    const word = namesFor(columns, context);
    const list = { operation: 'list', input, options, contract, columns, names, word };
    const { items } = await printList(list, context);
    after?.(items, context);
  });
}
