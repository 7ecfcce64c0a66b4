import { type Row, valueAt } from '../../contract/columns.ts';
import type { Input } from '../../contract/options.ts';
import type { Resource } from '../../contract/resources.ts';
import { CliError } from '../../errors.ts';
import { ask } from '../../ui/io-streams.ts';
import { printable } from '../../ui/text.ts';
import { operationCommand } from '../command-builder.ts';
import type { CommandContext } from '../context.ts';
import { addData } from '../json-body.ts';

interface LookAlike {
  score: number;
  reasons: { text: string }[];
  record: Row;
}

function lineOf({ score, reasons, record }: LookAlike, { nameField }: Resource): string {
  const why = reasons.map(({ text }) => text).join('; ');
  return printable(`${valueAt(record, nameField)} (${record.id}), ${score.toFixed(2)}: ${why}`);
}

async function findLookAlikes(
  input: Input,
  { procedures, callOptions: { signal } }: CommandContext,
): Promise<LookAlike[]> {
  const answer = await procedures.checkDuplicates?.mutate<{ lookAlikes: LookAlike[] }>(input, { signal });
  return answer?.lookAlikes ?? [];
}

/**
 * Prints the records that a new one looks like, and asks on a terminal whether to create it anyway. Errors of the check, such
 * as a missing scope, are left to the creation. Resolves to the record to use instead, if any.
 */
export async function chooseLookAlike(
  resource: Resource,
  input: Input,
  context: CommandContext,
): Promise<Row | undefined> {
  const { io, json, callOptions } = context;
  // With JSON, stderr has nothing but the JSON of an error.
  if (json !== undefined) return undefined;
  const found = await findLookAlikes(input, context).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'RosterError') return [];
    throw error;
  });
  if (found.length === 0) return undefined;
  if (!io.isInteractive) {
    for (const one of found) io.stderr.write(`Looks like ${lineOf(one, resource)}\n`);
    return undefined;
  }
  io.stderr.write('Looks like:\n');
  for (const [place, one] of found.entries()) io.stderr.write(`  ${place + 1}  ${lineOf(one, resource)}\n`);
  const question = 'Type "create" to create it anyway, or the number of the record to use instead: ';
  const answer = (await ask(io, question, callOptions.signal)).trim();
  if (answer === 'create') return undefined;
  const used = /^\d$/.test(answer) ? found[Number(answer) - 1] : undefined;
  if (used === undefined) throw new CliError('nothing was created');
  return used.record;
}

export const checkDuplicatesCommand = operationCommand('check-duplicates', {
  addOptions: addData,
  run: async ({ resource, input }, context) => {
    const { io, printer } = context;
    const lookAlikes = await findLookAlikes(input, context);
    if (!printer.isForPeople) return printer.record({ lookAlikes });
    for (const one of lookAlikes) io.stdout.write(`${lineOf(one, resource)}\n`);
    if (lookAlikes.length === 0) io.stderr.write(`No similar ${resource.name} found.\n`);
  },
});
