import process from 'node:process';
import { parseArgs } from 'node:util';
import { readConfig } from '../config/config.ts';
import { isPretty } from '../observability/logger.ts';
import { startSteps } from '../processes/progress-line.ts';
import { type ServeOutput, serveUntilStopped } from '../processes/serve-until-stopped.ts';
import { welcome } from '../processes/welcome.ts';
import type { Command } from './command.ts';

export const serve: Command = {
  name: 'serve',
  summary: 'starts the server; the default without a command',
  usage: `roster-server [serve]

Migrates the database and serves requests until it is told to stop (SIGTERM, Ctrl-C). It then finishes the requests that run and
exits. A second signal stops it at once. With ROSTER_PROCESSES it starts several processes, which share the port.`,
  run: async ({ args, environment, print, printError }) => {
    parseArgs({ args, options: {} });
    const config = readConfig(environment);
    if (config.processes > 1) {
      const { serveAsOneOfSeveral } = await import('../processes/server-process.ts');
      return serveAsOneOfSeveral(config, printError);
    }
    const steps = startSteps(printError);
    const stopping = new AbortController();
    const { stdin: input, stdout: output } = process;
    const ask = async (suggested: string | undefined) => {
      steps.end();
      const { askCountry } = await import('../processes/ask-country.ts');
      return askCountry(suggested, { input, output, signal: stopping.signal });
    };
    const isAskable = input.isTTY === true && output.isTTY === true;
    try {
      const listening: ServeOutput = {
        announce: (service) => {
          steps.end();
          (isPretty(config.logFormat) ? print : printError)(welcome(service));
        },
        progress: steps.tell,
        stopping: (message) => {
          steps.end();
          stopping.abort();
          printError(message);
        },
      };
      return await serveUntilStopped(config, listening, isAskable ? { askCountry: ask } : {});
    } finally {
      steps.end();
    }
  },
};
