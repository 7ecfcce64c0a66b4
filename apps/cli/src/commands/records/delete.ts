import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { valueAt } from '../../contract/columns.ts';
import { operationContract } from '../../contract/operations.ts';
import { parseInput } from '../../contract/options.ts';
import type { Resource } from '../../contract/resources.ts';
import { CliError, hasErrorCode, usageError } from '../../errors.ts';
import { ask } from '../../ui/io-streams.ts';
import { printable } from '../../ui/text.ts';
import { applyChange } from '../change.ts';
import { buildRecordCommand } from '../command-builder.ts';
import type { CommandContext, ContextFactory } from '../context.ts';

/** Asks for confirmation unless `--yes` is given. Resolves to the name of the record if it is known and shown. */
async function confirmedName(
  resource: Resource,
  id: string,
  { isAsked, context }: { isAsked: boolean; context: CommandContext },
): Promise<string | undefined> {
  if (!(isAsked || context.io.isErrorTerminal)) return undefined;
  return isAsked ? confirmDelete(resource, id, context) : readNameIfAllowed(resource, id, context);
}

export function deleteCommand(resource: Resource, createContext: ContextFactory): CommandUnknownOpts {
  const { fields } = operationContract(resource.name, 'delete');
  return buildRecordCommand(resource, 'delete')
    .option('--yes', "Don't ask for confirmation. Required if stdin isn't a terminal")
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

type NamedResource = Pick<Resource, 'singular' | 'nameField'>;

export async function readName(
  { nameField }: NamedResource,
  id: unknown,
  { procedures, callOptions }: CommandContext,
): Promise<string> {
  return String(valueAt(await procedures.get.query({ id }, callOptions), nameField));
}

export async function readNameIfAllowed(
  ...parameters: Parameters<typeof readName>
): Promise<string | undefined> {
  try {
    return await readName(...parameters);
  } catch (error) {
    if (hasErrorCode(error, 'insufficient_scope')) return undefined;
    throw error;
  }
}

/** Asks the user to type the name of the record, and resolves to it. Throws if the name differs, or the user can't be asked. */
export async function confirmDelete(
  resource: NamedResource,
  id: unknown,
  context: CommandContext,
): Promise<string> {
  const { io, callOptions } = context;
  if (!io.isInteractive) {
    throw usageError("can't ask for confirmation", 'Add --yes to delete without confirmation.');
  }
  const name = await readName(resource, id, context);
  const question = `Delete the ${resource.singular} "${printable(name)}"? Type its name to confirm: `;
  if ((await ask(io, question, callOptions.signal)).trim() !== printable(name).trim())
    throw new CliError('the name does not match; nothing was deleted');
  return name;
}
