import type { Row } from '../columns.ts';
import type { CommandContext } from '../context/command-context.ts';
import { camelCase } from '../contract/fields.ts';
import { usageError } from '../errors/errors.ts';
import type { Change } from './dry-run.ts';

/** The response to a change. */
interface ChangeResult {
  /** Undefined if the operation has no response body. */
  record: Row | undefined;
}

/** Sends a change. With `--dry-run` prints it instead, and resolves to undefined. */
export async function applyChange(
  change: Change,
  context: CommandContext,
): Promise<ChangeResult | undefined> {
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
  return { record: (await procedure.mutate(input, context.callOptions)) as Row | undefined };
}
