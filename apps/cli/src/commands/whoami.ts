import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { operationContract } from '../contract/operations.ts';
import { addJson } from '../ui/json-option.ts';
import { createCommandContext, type Runtime } from './context.ts';

export function whoamiCommand(runtime: Runtime): CommandUnknownOpts {
  const contract = operationContract('sessions', 'current');
  const command = new Command('whoami')
    .summary('Show who you are signed in as')
    .description('Shows the person or key in use, with its roles or scopes, its offices and the session.');
  addJson(command, contract);
  return command.action(async (_options, command) => {
    const context = await createCommandContext(['sessions', 'current'], command.optsWithGlobals(), runtime);
    const { procedures, callOptions, printer } = context;
    await printer.record(await procedures.current.query({}, callOptions));
  });
}
