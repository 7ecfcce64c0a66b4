import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { connectionOf } from '../connection.ts';
import type { Surroundings } from '../session.ts';

/** `open`: the documentation of the service in a browser, or its URL where there is none. */
export function openCommand(surroundings: Surroundings): CommandUnknownOpts {
  const { io, openUrl } = surroundings;
  return new Command('open')
    .summary('Open the documentation in a browser')
    .description('Open /docs of the service in a browser; in a pipe, or without a browser, print its URL.')
    .action(async (_options, command) => {
      const { url } = connectionOf(command.optsWithGlobals(), surroundings);
      const docs = `${url.replace(/\/+$/, '')}/docs`;
      if (io.isTerminal && (await openUrl(docs))) io.stderr.write(`Opened ${docs}\n`);
      else io.stdout.write(`${docs}\n`);
    });
}
