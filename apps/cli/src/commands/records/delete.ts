import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { operationContract } from '../../contract/operations.ts';
import { parseInput } from '../../contract/options.ts';
import type { Resource } from '../../contract/resources.ts';
import { applyChange } from '../apply-change.ts';
import { buildRecordCommand } from '../command-builder.ts';
import type { CommandContext, ContextFactory } from '../context.ts';
import { confirmDelete, readNameIfAllowed } from './confirm-delete.ts';

/** Asks for confirmation unless `--yes` is given. Resolves to the name of the record if it is known and shown. */
async function confirmedName(
  resource: Resource,
  id: string,
  { isAsked, context }: { isAsked: boolean; context: CommandContext },
): Promise<string | undefined> {
  if (!(isAsked || context.io.isErrorTerminal)) return undefined;
  return isAsked ? confirmDelete(resource, id, context) : readNameIfAllowed(resource, id, context);
}

/** `delete <id>`: asks the user for confirmation; without a terminal it needs `--yes`. */
export function deleteCommand(resource: Resource, createContext: ContextFactory): CommandUnknownOpts {
  const { fields } = operationContract(resource.name, 'delete');
  return buildRecordCommand(resource, 'delete')
    .option('--yes', 'Do not ask for confirmation; required if stdin is not a terminal')
    .action(async (id, options, command) => {
      const context = await createContext(resource, command);
      const name = await confirmedName(resource, id, { isAsked: !options.yes, context });
      const input = { ...parseInput(fields, options), id };
      await applyChange({ resource, operation: 'delete', input }, context);
      const { io, commandLine } = context;
      const record = name === undefined ? id : `"${name}" (${id})`;
      const restore = resource.operations.includes('restore')
        ? ` Restore it with: ${commandLine(`${resource.name} restore ${id}`)}`
        : '';
      io.stderr.write(`Deleted ${resource.singular} ${record}.${restore}\n`);
    });
}
