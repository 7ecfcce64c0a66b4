import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { loadClient } from '../../service/client.ts';
import { connectionOf } from '../../service/connection.ts';
import type { Runtime } from '../context.ts';

const description =
  'Serve an assistant over stdin and stdout, in the Model Context Protocol, until stdin ends: an assistant starts this command ' +
  'itself. It gets tools to find and read records and, if the key may write, to change them. docs/how-to/mcp.md says how to ' +
  'connect one, and how to connect it to the service directly.';

/**
 * `mcp`: the tools of the service for an assistant on this computer, with the connection of any other command: options, environment,
 * profile.
 */
export function mcpCommand(runtime: Runtime): CommandUnknownOpts {
  return new Command('mcp')
    .summary('Serve an assistant (Model Context Protocol)')
    .description(description)
    .action(async (_options, command) => {
      const connection = connectionOf(command.optsWithGlobals(), runtime);
      const client = await loadClient(connection);
      // Help and errors of the command line need no protocol, which is larger than all the rest.
      const { serveAssistant } = await import('./serve.ts');
      await serveAssistant(client, runtime);
    });
}
