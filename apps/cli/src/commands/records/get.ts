import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Row } from '../../contract/columns.ts';
import { camelCase } from '../../contract/fields.ts';
import { operationContract } from '../../contract/operations.ts';
import { parseInput } from '../../contract/options.ts';
import type { Resource } from '../../contract/resources.ts';
import { buildOperationCommand, buildRecordCommand } from '../command-builder.ts';
import type { ContextFactory } from '../context.ts';

export function getCommand(operation: string) {
  return (resource: Resource, createContext: ContextFactory): CommandUnknownOpts => {
    const { fields, hasId } = operationContract(resource.name, operation);
    const build = hasId ? buildRecordCommand : buildOperationCommand;
    const command: CommandUnknownOpts = build(resource, operation);
    return command.action(async () => {
      const { procedures, printer, callOptions } = await createContext(resource, command);
      const id = hasId && { id: command.processedArgs[0] };
      const input = { ...parseInput(fields, command.opts()), ...id };
      await printer.record((await procedures[camelCase(operation)]?.query(input, callOptions)) as Row);
    });
  };
}
