import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import type { LocalPostgres } from '@roster/db';
import { readConfig } from '../config/config.ts';
import { type Service, startService } from '../server.ts';
import type { Invocation } from './command.ts';
import { exitCodeOf, listenForStop, type StopSignal } from './stop-signals.ts';

/** How a shell gets the key into a command: from the file, where there is one. */
function keyForShell({ keyFile, firstKey }: Service): string {
  if (keyFile !== undefined && existsSync(keyFile)) return `$(cat ${relative(process.cwd(), keyFile)})`;
  return firstKey ?? '$ROSTER_KEY';
}

/** What a newcomer needs to see first: where it is, where the data are, and a line that works when pasted. */
function welcome(service: Service): string {
  const { url, metricsUrl, data, firstKey, keyFile } = service;
  const shown = `  The first key is    ${firstKey} (shown this once${keyFile === undefined ? '' : `; kept in ${keyFile}`})`;
  return [
    '',
    `  Roster listens at   ${url}`,
    `  Documentation at    ${url}/docs`,
    `  The data are in     ${data}`,
    ...(metricsUrl === undefined ? [] : [`  Metrics are at      ${metricsUrl}`]),
    ...(firstKey === undefined ? [] : [shown]),
    '',
    '  Create an office:',
    `  curl -s ${url}/offices -H "Authorization: Bearer ${keyForShell(service)}" \\`,
    `    -H 'Content-Type: application/json' -d '{"name":"Atlântico Imóveis"}'`,
    '',
  ].join('\n');
}

/** How long PostgreSQL may take to stop when the process is told to stop at once. */
const AT_ONCE_MS = 10_000;

/**
 * Starts the service with these settings, says where it is, and serves until it is told to stop, also while it starts.
 * Answers the exit code: 0 when it stopped in order. Told a second time, it only stops the local PostgreSQL, and ends the
 * process as the signal would.
 */
export async function start({
  environment,
  print,
  say,
}: Pick<Invocation, 'environment' | 'print' | 'say'>): Promise<number> {
  const config = readConfig(environment);
  let database: Promise<LocalPostgres> | undefined;
  const told = Promise.withResolvers<StopSignal>();
  let isStopping = false;
  const onStop = (signal: StopSignal) => {
    isStopping = true;
    say(`\n${signal}: finishing what runs; once more stops at once.`);
    told.resolve(signal);
  };
  const onStopAgain = (signal: StopSignal) => {
    say('Stopped at once.');
    const code = exitCodeOf(signal);
    const stopped = database?.then((localPostgres) => localPostgres.close()).catch(() => undefined);
    void Promise.race([stopped, setTimeout(AT_ONCE_MS)]).then(() => process.exit(code));
  };
  listenForStop(onStop, onStopAgain);
  const starting = startService(config, {
    onProgress: (message) => say(`  ${message}`),
    onDatabase: (localPostgres) => {
      database = localPostgres;
    },
  });
  let service: Service;
  try {
    service = await starting;
  } catch (error) {
    // Ctrl-C reaches what the start runs beside it, such as initdb, which then fails.
    if (isStopping) return exitCodeOf(await told.promise);
    throw error;
  }
  if (!isStopping) print(welcome(service));
  await told.promise;
  await service.close();
  return 0;
}
