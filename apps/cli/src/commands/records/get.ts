import type { Row } from '../../contract/columns.ts';
import { camelCase } from '../../contract/fields.ts';
import { type MakeCommand, operationCommand } from '../command-builder.ts';

/** The command of a query, which prints what that returns. */
export function getCommand(operation: string): MakeCommand {
  return operationCommand(operation, {
    run: async ({ input }, { procedures, printer, callOptions }) =>
      printer.record((await procedures[camelCase(operation)]?.query(input, callOptions)) as Row),
  });
}
