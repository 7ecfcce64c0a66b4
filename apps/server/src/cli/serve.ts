import process from 'node:process';
import { parseArgs } from 'node:util';
import { readConfig } from '../config/config.ts';
import { isPretty } from '../observability/logger.ts';
import { startServer } from '../server.ts';
import type { Command } from './command.ts';
import { startSteps } from './progress-line.ts';
import { type ServeOutput, serveUntilStopped } from './serve-until-stopped.ts';
import { welcome } from './welcome.ts';

export const serve: Command = {
  name: 'serve',
  summary: 'starts the server; the default without a command',
  usage: `roster-server [serve]

Migrates the database and serves requests until it is told to stop (SIGTERM, Ctrl-C). It then finishes the requests that run and
exits. A second signal stops it at once. With ROSTER_PROCESSES it starts several processes, which share the port.`,
  run: async ({ args, environment, print, printError }) => {
    parseArgs({ args, options: {} });
    const config = readConfig(environment);
    const { default: cluster } = config.processes > 1 ? await import('node:cluster') : {};
    if (cluster?.isWorker) return (await import('./processes/worker.ts')).serveAsWorker(config);
    const steps = startSteps(printError);
    const stopping = new AbortController();
    const { stdin: input, stdout: output } = process;
    const ask = async (suggested: string | undefined) => {
      steps.end();
      const { askCountry } = await import('./ask-country.ts');
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
      const serve = cluster ? (await import('./processes/primary.ts')).serveByProcesses : startServer;
      return await serveUntilStopped(config, listening, { serve, ...(isAskable && { askCountry: ask }) });
    } finally {
      steps.end();
    }
  },
};
