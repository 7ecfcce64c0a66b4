import type { Session } from '../context/command-context.ts';
import { ask } from '../context/io-streams.ts';
import { CliError, usageError } from '../errors/errors.ts';
import { printable } from '../output/text.ts';
import { type Noun, valueAt } from '../resources.ts';

/** Lets the user type the name of what will be gone. Throws where that is not what they type, or nobody can. */
export async function confirmDelete(
  { singular, namePlace }: Pick<Noun, 'singular' | 'namePlace'>,
  id: unknown,
  { procedures, io, callOptions }: Session,
): Promise<void> {
  if (!io.isInteractive) {
    throw usageError('there is nobody to ask', 'Add --yes to delete without being asked.');
  }
  const record = await procedures.get.query({ id }, callOptions);
  const name = printable(String(valueAt(record, namePlace)));
  const question = `Delete the ${singular} "${name}"? Type its name to go on: `;
  if ((await ask(io, question, callOptions.signal)).trim() !== name.trim())
    throw new CliError('that is not its name; nothing was deleted');
}
