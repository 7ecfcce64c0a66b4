import type { Row } from '../contract/columns.ts';
import { camelCase } from '../contract/fields.ts';
import type { Input } from '../contract/options.ts';
import type { CommandContext } from './context.ts';

/** A change of a record, as it is sent. */
interface Change {
  resource: { name: string };
  operation: string;
  input: Input;
}

/**
 * Sends a change.
 *
 * @returns the record in the response; undefined if the operation has none
 */
export async function applyChange(
  { resource, operation, input }: Change,
  { procedures, callOptions }: CommandContext,
): Promise<Row | undefined> {
  const procedure = procedures[camelCase(operation)];
  if (procedure === undefined) throw new Error(`There is no procedure ${resource.name}.${operation}`);
  return (await procedure.mutate(input, callOptions)) as Row | undefined;
}
