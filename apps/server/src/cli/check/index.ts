import process from 'node:process';
import { parseArgs } from 'node:util';
import { type Config, ConfigError, readConfig } from '../../config/config.ts';
import { faultsOf } from '../../known-faults.ts';
import type { Command } from '../command.ts';
import { checkDatabase, checkLocalPostgres } from './database.ts';
import { type Finding, formatFinding, ok, problem, warning } from './finding.ts';
import { checkListening } from './listening.ts';
import { checkIdentityProvider, checkMailServer } from './other-servers.ts';

export const check: Command = {
  name: 'check',
  summary: 'checks the settings, the database and the ports, and changes nothing',
  usage: `roster-server --check [--json]

Checks the settings, the database and the ports, and prints what a start would do. Nothing is changed: no
directory is created, no migration runs. The exit code is 0 if a start would succeed, also with warnings, and 1 if there is a
problem.

  --json   one JSON object: { "ok": boolean, "findings": [{ "level", "subject", "detail", "values" }] }`,
  run: async ({ args, environment, print }) => {
    const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } });
    const findings = await diagnose(environment);
    const isOk = findings.every(({ level }) => level !== 'problem');
    if (values.json) print(JSON.stringify({ ok: isOk, findings }, null, 2));
    else for (const finding of findings) print(formatFinding(finding));
    return isOk ? 0 : 1;
  },
};

/** Checks everything that a start depends on, and changes nothing. Invalid settings are the only findings then. */
export async function diagnose(environment: Record<string, string | undefined>): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n').map((detail) => ({ subject: 'settings', ...problem(detail) }));
  }
  const { databaseUrl } = config;
  const database =
    databaseUrl === undefined
      ? await checkLocalPostgres(config)
      : await checkDatabase({ connection: databaseUrl, config });
  return [
    { subject: 'settings', ...ok('every setting can be read') },
    ...faultsOf('Node.js', process.versions.node).map((fault) => ({
      subject: 'known-faults',
      ...warning(fault),
    })),
    ...database,
    ...(await checkIdentityProvider(config)),
    ...(await checkMailServer(config)),
    ...(await checkListening(config)),
  ];
}

/** Explains a failed command in the words of `--check`. Problems of ports count for `serve` only. */
export async function problemLines(
  environment: Record<string, string | undefined>,
  command: string,
): Promise<string[]> {
  const findings = await diagnose(environment);
  return findings
    .filter(({ level }) => level === 'problem')
    .filter(({ subject }) => command === 'serve' || !['listening', 'metrics'].includes(subject))
    .map(formatFinding);
}
