import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { LocalPostgres } from '@roster/db';
import { readConfig } from '../config/config.ts';
import { type Service, startService } from '../server.ts';
import type { Command, Invocation } from './command.ts';
import { exitCodeOf, listenForStop, type StopSignal } from './stop-signals.ts';

export const serve: Command = {
  name: 'serve',
  summary: 'starts the server; the default without a command',
  usage: `roster-server [serve]

Migrates the database and serves requests until it is told to stop (SIGTERM, Ctrl-C). It then finishes the requests that run and
exits. A second signal stops it at once.`,
  run: (invocation) => {
    parseArgs({ args: invocation.args, options: {} });
    return startAndWait(invocation);
  },
};

/** The key for a command line: read from its file if there is one. */
function keyForShell({ keyFile, firstKey }: Service): string {
  if (keyFile !== undefined && existsSync(keyFile)) return `$(cat ${relative(process.cwd(), keyFile)})`;
  return firstKey ?? '$ROSTER_KEY';
}

/** The first lines on a terminal: the URLs, the database, the first key, and a command that works when it is pasted. */
function welcome(service: Service): string {
  const { url, consoleUrl, metricsUrl, data, firstKey, keyFile, firstLink } = service;
  const shown = `  The first key is    ${firstKey} (shown this once${keyFile === undefined ? '' : `; kept in ${keyFile}`})`;
  return [
    '',
    `  Roster listens at   ${url}`,
    ...(consoleUrl === undefined ? [] : [`  Console at          ${consoleUrl}`]),
    `  Documentation at    ${url}/docs`,
    `  The data are in     ${data}`,
    ...(metricsUrl === undefined ? [] : [`  Metrics are at      ${metricsUrl}`]),
    ...(firstKey === undefined ? [] : [shown]),
    ...(firstLink === undefined
      ? []
      : ['', '  The first person signs in here, once, within ten minutes:', `  ${firstLink}`]),
    '',
    '  Create an office:',
    `  curl -s ${url}/offices -H "Authorization: Bearer ${keyForShell(service)}" \\`,
    `    -H 'Content-Type: application/json' -d '{"name":"Atlântico Imóveis"}'`,
    '',
  ].join('\n');
}

/** How long the local PostgreSQL may take to stop after a second signal. */
const DATABASE_STOP_MS = 10_000;

/**
 * Starts the server, prints where it listens, and resolves when it has stopped after a signal, which may come during the start.
 * After a second signal it stops only the local PostgreSQL, and ends the process as the signal would.
 *
 * @returns the exit code: 0 if it stopped in order
 * @throws what startService and readConfig throw
 */
async function startAndWait({ environment, print, printError }: Omit<Invocation, 'args'>): Promise<number> {
  const config = readConfig(environment);
  let database: Promise<LocalPostgres> | undefined;
  const stop = Promise.withResolvers<StopSignal>();
  let isStopping = false;
  const onStop = (signal: StopSignal) => {
    isStopping = true;
    printError(`\n${signal}: finishing what runs; once more stops at once.`);
    stop.resolve(signal);
  };
  const onStopAgain = (signal: StopSignal) => {
    printError('Stopped at once.');
    const code = exitCodeOf(signal);
    const stopped = database?.then((localPostgres) => localPostgres.close()).catch(() => undefined);
    void Promise.race([stopped, setTimeout(DATABASE_STOP_MS)]).then(() => process.exit(code));
  };
  listenForStop(onStop, onStopAgain);
  const starting = startService(config, {
    onProgress: (message) => printError(`  ${message}`),
    onDatabase: (localPostgres) => {
      database = localPostgres;
    },
  });
  let service: Service;
  try {
    service = await starting;
  } catch (error) {
    // Ctrl-C also ends the child processes of a start, such as initdb, so that the start fails.
    if (isStopping) return exitCodeOf(await stop.promise);
    throw error;
  }
  if (!isStopping) print(welcome(service));
  await stop.promise;
  await service.close();
  return 0;
}
