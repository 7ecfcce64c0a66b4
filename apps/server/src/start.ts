import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import { EmbeddedUnavailable } from '@roster/db';
import { ConfigError, readConfig } from './config.ts';
import { type Service, startService } from './service.ts';

const say = (line: string) => process.stderr.write(`${line}\n`);

/** How a shell gets the key into a command: from the file, where there is one. */
function keyForShell({ keyFile, firstKey }: Service): string {
  if (keyFile !== undefined && existsSync(keyFile)) return `$(cat ${relative(process.cwd(), keyFile)})`;
  return firstKey ?? '$ROSTER_KEY';
}

/** What a newcomer needs to see first: where it is, where the data are, and a line that works when pasted. */
function welcome(service: Service): string {
  const { url, data, firstKey, keyFile } = service;
  const shown = `  The first key is    ${firstKey} (shown this once${keyFile === undefined ? '' : `; kept in ${keyFile}`})`;
  return [
    '',
    `  Roster listens at   ${url}`,
    `  Documentation at    ${url}/docs`,
    `  The data are in     ${data}`,
    ...(firstKey === undefined ? [] : [shown]),
    '',
    '  Create an office:',
    `  curl -s ${url}/offices -H "Authorization: Bearer ${keyForShell(service)}" \\`,
    `    -H 'Content-Type: application/json' -d '{"name":"Atlântico Imóveis"}'`,
    '',
  ].join('\n');
}

function stopOnSignals(service: Service): void {
  let isStopping = false;
  const stop = async (signal: string) => {
    if (isStopping) {
      say('Stopped at once.');
      process.exit(1);
    }
    isStopping = true;
    say(`\n${signal}: finishing what runs; once more stops at once.`);
    await service.close();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(signal));
}

/** Starts the service with these settings and says where it is; what keeps it from that is said, and exits with 1. */
export async function start(environment: Record<string, string | undefined>): Promise<void> {
  try {
    const config = readConfig(environment);
    const service = await startService(config, (message) => say(`  ${message}`));
    stopOnSignals(service);
    process.stdout.write(`${welcome(service)}\n`);
  } catch (error) {
    const isExpected = error instanceof ConfigError || error instanceof EmbeddedUnavailable;
    say(
      isExpected ? error.message : `Roster could not start: ${error instanceof Error ? error.stack : error}`,
    );
    process.exitCode = 1;
  }
}
