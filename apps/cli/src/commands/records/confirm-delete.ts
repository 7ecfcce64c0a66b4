import { valueAt } from '../../contract/columns.ts';
import type { Resource } from '../../contract/resources.ts';
import { CliError, hasErrorCode, usageError } from '../../errors.ts';
import { ask } from '../../ui/io-streams.ts';
import { printable } from '../../ui/text.ts';
import type { CommandContext } from '../context.ts';

type NamedResource = Pick<Resource, 'singular' | 'nameField'>;

/** The name of the record with an id. Throws `RosterError` if it does not exist or the key may not read it. */
export async function readName(
  { nameField }: NamedResource,
  id: unknown,
  { procedures, callOptions }: CommandContext,
): Promise<string> {
  return String(valueAt(await procedures.get.query({ id }, callOptions), nameField));
}

/** The same, or undefined if the key may not read the record. */
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

/**
 * Asks the user to type the name of the record that is about to be deleted, and resolves to that name. Throws if the
 * answer is another name, and a usage error if the user cannot be prompted.
 */
export async function confirmDelete(
  resource: NamedResource,
  id: unknown,
  context: CommandContext,
): Promise<string> {
  const { io, callOptions } = context;
  if (!io.isInteractive) {
    throw usageError('cannot prompt for confirmation', 'Add --yes to delete without confirmation.');
  }
  const name = await readName(resource, id, context);
  const question = `Delete the ${resource.singular} "${printable(name)}"? Type its name to confirm: `;
  if ((await ask(io, question, callOptions.signal)).trim() !== printable(name).trim())
    throw new CliError('the name does not match; nothing was deleted');
  return name;
}
