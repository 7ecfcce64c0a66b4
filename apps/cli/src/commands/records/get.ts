import type { Row } from '../../contract/columns.ts';
import { camelCase } from '../../contract/fields.ts';
import { type MakeCommand, operationCommand } from '../command-builder.ts';

/** A query that prints what it returns, such as `agents get` or `stats get`. */
export function getCommand(operation: string): MakeCommand {
  return operationCommand(operation, {
    run: async ({ input }, { procedures, printer, callOptions }) =>
      printer.record((await procedures[camelCase(operation)]?.query<Row>(input, callOptions)) ?? {}),
  });
}
