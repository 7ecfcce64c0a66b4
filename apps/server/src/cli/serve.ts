import { parseArgs } from 'node:util';
import type { Command } from './command.ts';
import { start } from './start.ts';

export const serve: Command = {
  name: 'serve',
  summary: 'starts the service; what happens without a command',
  usage: `roster-server [serve]

Migrates the database, listens, and serves until it is told to stop (SIGTERM, Ctrl-C): then it is not ready any more,
finishes what runs and leaves. A second signal stops it at once.`,
  run: (invocation) => {
    parseArgs({ args: invocation.args, options: {} });
    return start(invocation);
  },
};
