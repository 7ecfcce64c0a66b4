import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import type { Invocation } from './commands/command.ts';
import { readConfig } from './config.ts';
import { type Service, startService } from './service.ts';

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

/** Resolves when the service has stopped, because the process was told to. */
function stopped(service: Service, say: Invocation['say']): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let isStopping = false;
  const stop = (signal: string) => {
    if (isStopping) {
      say('Stopped at once.');
      process.exit(1);
    }
    isStopping = true;
    say(`\n${signal}: finishing what runs; once more stops at once.`);
    service.close().then(resolve, reject);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(signal));
  return promise;
}

/** Starts the service with these settings, says where it is, and serves until it is told to stop. Answers the exit code. */
export async function start({
  environment,
  print,
  say,
}: Pick<Invocation, 'environment' | 'print' | 'say'>): Promise<number> {
  const service = await startService(readConfig(environment), (message) => say(`  ${message}`));
  const end = stopped(service, say);
  print(welcome(service));
  await end;
  return 0;
}
