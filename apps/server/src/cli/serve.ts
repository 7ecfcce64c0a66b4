import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { LocalPostgres } from '@roster/db';
import { type Config, readConfig } from '../config/config.ts';
import { isPretty } from '../observability/logger.ts';
import { type Service, type StartOptions, startServer, startService } from '../server.ts';
import type { Command } from './command.ts';
import {
  DATABASE_STOP_MS,
  exitCodeOf,
  listenForStop,
  STOPPED_AT_ONCE,
  type StopSignal,
  stoppingText,
} from './stop-signals.ts';
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
    if (cluster?.isWorker) return (await import('./processes.ts')).serveAsWorker(config);
    const steps = startSteps(printError);
    try {
      const listening: ServeOutput = {
        announce: (service) => {
          steps.end();
          (isPretty(config.logFormat) ? print : printError)(welcome(service));
        },
        progress: steps.tell,
        stopping: (message) => {
          steps.end();
          printError(message);
        },
      };
      const serve = cluster ? (await import('./processes.ts')).serveByProcesses : startServer;
      return await serveUntilStopped(config, listening, { serve });
    } finally {
      steps.end();
    }
  },
};

interface ServeOutput {
  announce: (service: Service) => void;
  progress: (message: string) => void;
  stopping: (message: string) => void;
}

/**
 * Resolves to the exit code after a signal, which may come during the start. A second signal stops only the local PostgreSQL, and ends
 * the process.
 */
async function serveUntilStopped(
  config: Config,
  { announce, progress, stopping }: ServeOutput,
  options?: StartOptions,
): Promise<number> {
  let database: Promise<LocalPostgres> | undefined;
  const stop = Promise.withResolvers<StopSignal>();
  let isStopping = false;
  const onStop = (signal: StopSignal) => {
    isStopping = true;
    stopping(stoppingText(signal));
    stop.resolve(signal);
  };
  const onStopAgain = (signal: StopSignal) => {
    stopping(STOPPED_AT_ONCE);
    const code = exitCodeOf(signal);
    const stopped = database?.then((localPostgres) => localPostgres.close()).catch(() => undefined);
    void Promise.race([stopped, setTimeout(DATABASE_STOP_MS)]).then(() => process.exit(code));
  };
  listenForStop(onStop, onStopAgain);
  const starting = startService(config, {
    ...options,
    onProgress: progress,
    onDatabase: (localPostgres) => {
      database = localPostgres;
    },
  });
  let service: Service;
  try {
    service = await starting;
  } catch (error) {
    // Ctrl-C also ends the child processes of a start, such as initdb, so the start fails.
    if (isStopping) return exitCodeOf(await stop.promise);
    throw error;
  }
  if (!isStopping) announce(service);
  await stop.promise;
  await service.close();
  return 0;
}

const EVERY_MS = 200;

/** Shows the latest text, at most five times a second. Write nothing else to the terminal before `clear`. */
function progressLine(terminal: { write(text: string): unknown }): {
  show: (line: string) => void;
  clear: () => void;
} {
  let shownAt = Number.NEGATIVE_INFINITY;
  let isShown = false;
  const CLEAR = '\r\x1b[K';
  return {
    show(line) {
      if (performance.now() - shownAt < EVERY_MS) return;
      shownAt = performance.now();
      isShown = true;
      terminal.write(`${CLEAR}${line}`);
    },
    clear() {
      if (isShown) terminal.write(CLEAR);
      isShown = false;
    },
  };
}

interface StartSteps {
  tell: (step: string) => void;
  end: () => void;
}

/** Shows the steps of a start on a terminal, in one line that is gone at the end. Elsewhere the log has the steps that matter. */
function startSteps(printError: (line: string) => void): StartSteps {
  const line = progressLine(process.stderr);
  let isStarting = true;
  return {
    tell: (step) => {
      if (!isStarting) printError(`  ${step}`);
      else if (process.stderr.isTTY) line.show(`  ${step}`);
    },
    end: () => {
      line.clear();
      isStarting = false;
    },
  };
}
