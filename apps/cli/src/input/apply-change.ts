import type { Row } from '../columns.ts';
import type { CommandContext } from '../context/command-context.ts';
import { camelCase } from '../contract/fields.ts';
import { usageError } from '../errors/errors.ts';
import type { Change } from './dry-run.ts';

/**
 * Sends a change; with `--dry-run` prints it instead.
 *
 * @returns the record in the response; undefined if the operation has none, and with `--dry-run`
 */
export async function applyChange(change: Change, context: CommandContext): Promise<Row | undefined> {
  const { resource, operation, input } = change;
  if (context.isDryRun) {
    if (context.json !== undefined && context.json.fields.length > 0) {
      throw usageError('--json takes no fields with --dry-run', 'It prints the whole request.');
    }
    const { preview } = await import('./dry-run.ts');
    await preview(change, context);
    return undefined;
  }
  const procedure = context.procedures[camelCase(operation)];
  if (procedure === undefined) throw new Error(`There is no procedure ${resource.name}.${operation}`);
  return (await procedure.mutate(input, context.callOptions)) as Row | undefined;
}
