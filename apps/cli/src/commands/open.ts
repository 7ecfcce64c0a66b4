import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { type Connection, connectionOf } from '../service/connection.ts';
import type { Runtime } from './context.ts';

/** Asks the service for a link that signs in a browser as this key or session; undefined if there is none. */
async function linkFor({ url, key }: Connection, signal: AbortSignal): Promise<string | undefined> {
  if (key === undefined) return undefined;
  const { callSignIn } = await import('../service/sign-in.ts');
  const asked = callSignIn<{ url: string }>({ url, signal }, '/sign-in/links', {
    body: {},
    key,
  });
  const response = await asked.catch((error: unknown) => {
    if (signal.aborted) throw error;
    return undefined;
  });
  return response?.status === 201 ? response.body.url : undefined;
}

export function openCommand(runtime: Runtime): CommandUnknownOpts {
  const { io, openUrl, signal } = runtime;
  return new Command('open')
    .summary('Open the console in a browser')
    .description(
      'Opens the console in a browser and signs you in with your key or session, by a link that works once and for ten minutes. ' +
        'Opens the documentation if the service has no console. In a pipe, prints the URL of the service instead.',
    )
    .action(async (_options, command) => {
      const connection = connectionOf(command.optsWithGlobals(), runtime);
      const entry = `${connection.url.replace(/\/+$/, '')}/`;
      if (!io.isTerminal) return void io.stdout.write(`${entry}\n`);
      const link = await linkFor(connection, signal);
      if (await openUrl(link ?? entry)) io.stderr.write(`Opened ${entry}\n`);
      else io.stdout.write(`${link ?? entry}\n`);
    });
}
