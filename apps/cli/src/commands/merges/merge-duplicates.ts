import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { addConfirmation, runConfirmed } from '../../bulk/confirmed-job.ts';
import type { ContextFactory } from '../../context/command-context.ts';
import { operationContract } from '../../contract/contract.ts';
import { parseInput } from '../../options/fields.ts';
import type { Resource } from '../../resources.ts';
import { buildOperationCommand } from '../command-builder.ts';

/** `merge-duplicates`: makes one record of each pair from a score on, after showing how many they are. */
export function mergeDuplicatesCommand(
  resource: Resource,
  createContext: ContextFactory,
): CommandUnknownOpts {
  const contract = operationContract(resource.name, 'merge-duplicates');
  const command = buildOperationCommand(resource, 'merge-duplicates');
  command.option('--reason <text>', 'Why; kept in the events');
  addConfirmation(command, 'pairs');
  return command.action(async (_options, command) => {
    const context = await createContext(resource, command);
    const { reason } = command.opts() as { reason?: string };
    const filter = parseInput(contract.fields, command.opts());
    const input = { filter, ...(reason !== undefined && { reason }) };
    const names = [`pair of ${resource.name}`, `pairs of ${resource.name}`] as const;
    const call = context.procedures.mergeDuplicates;
    await runConfirmed({ call, input, names, verb: 'Merge' }, command, context);
  });
}
