import { valueAt } from '../../contract/columns.ts';
import type { Resource } from '../../contract/resources.ts';
import { CliError, hasErrorCode, usageError } from '../../errors.ts';
import { ask } from '../../ui/io-streams.ts';
import { printable } from '../../ui/text.ts';
import { applyChange, type Call, operationCommand } from '../command-builder.ts';
import type { CommandContext } from '../context.ts';

/** Asks for confirmation unless `--yes` is given. Resolves to the name of the record if it is known and shown. */
async function confirmedName({ resource, input: { id }, options }: Call, context: CommandContext) {
  if (!options.yes) return confirmDelete(resource, id, context);
  return context.io.isErrorTerminal ? readNameIfAllowed(resource, id, context) : undefined;
}

export const deleteCommand = operationCommand('delete', {
  addOptions: (command) =>
    command.option('--yes', "Don't ask for confirmation. Required if stdin isn't a terminal"),
  run: async (call, context) => {
    const { name: noun, singular, operations } = call.resource;
    const { id } = call.input;
    const name = await confirmedName(call, context);
    await applyChange(call, context);
    const record = name === undefined ? id : `"${name}" (${id})`;
    const restore = operations.includes('restore')
      ? ` Restore it with: ${context.commandLine(`${noun} restore ${id}`)}`
      : '';
    context.io.stderr.write(`Deleted ${singular} ${record}.${restore}\n`);
  },
});

type NamedResource = Pick<Resource, 'singular' | 'nameField'>;

async function readName(
  { nameField }: NamedResource,
  id: unknown,
  { procedures, callOptions }: CommandContext,
): Promise<string> {
  return String(valueAt(await procedures.get.query({ id }, callOptions), nameField));
}

async function readNameIfAllowed(...parameters: Parameters<typeof readName>): Promise<string | undefined> {
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
