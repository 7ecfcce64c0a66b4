import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { loadClient } from '../../service/client.ts';
import { connectionOf } from '../../service/connection.ts';
import type { Runtime } from '../context.ts';

const description =
  'Serves an assistant over stdin and stdout with the Model Context Protocol, until stdin ends. The assistant starts this command ' +
  'itself, and gets tools to find and read records and, if your key may write, to change them.';

export function mcpCommand(runtime: Runtime): CommandUnknownOpts {
  return new Command('mcp')
    .summary('Connect an assistant (Model Context Protocol)')
    .description(description)
    .action(async (_options, command) => {
      const connection = connectionOf(command.optsWithGlobals(), runtime);
      const client = await loadClient(connection);
      // Help and errors of the command line need no protocol, which is larger than all the rest.
      const { serveAssistant } = await import('./serve.ts');
      await serveAssistant(client, runtime);
    });
}
