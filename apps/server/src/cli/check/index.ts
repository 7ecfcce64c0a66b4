import { once } from 'node:events';
import { createServer } from 'node:net';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { RosterError } from '@roster/api';
import { type Config, ConfigError, readConfig } from '../../config/config.ts';
import { faultsOf } from '../../known-faults.ts';
import { IdentityProvider } from '../../sign-in/identity-provider.ts';
import { verifyMailServer } from '../../sign-in/mail.ts';
import type { Command } from '../command.ts';
import { checkDatabase, checkLocalPostgres } from './database.ts';
import { type Finding, formatFinding, ok, problem, type Result, warning } from './finding.ts';

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

interface SettingNames {
  host: string;
  port: string;
}

const SERVICE: SettingNames = { host: 'HOST', port: 'PORT' };
const METRICS: SettingNames = { host: 'ROSTER_METRICS_HOST', port: 'ROSTER_METRICS_PORT' };

const advice: Record<string, (names: SettingNames) => string> = {
  EADDRINUSE: ({ port }) => `another process listens there; stop it, or set ${port} to another port`,
  EACCES: ({ port }) => `this user may not listen there; set ${port} to 1024 or more`,
  EADDRNOTAVAIL: ({ host }) => `this machine has no such address; set ${host} to one that it has`,
  ENOTFOUND: ({ host }) => `that name has no address; set ${host} to an address of this machine`,
};

async function checkListening({ host, port, metricsAt }: Config): Promise<Finding[]> {
  const findings = [await checkAddress('listening', { host, port }, SERVICE)];
  if (metricsAt !== undefined) findings.push(await checkAddress('metrics', metricsAt, METRICS));
  return findings;
}

async function checkAddress(
  subject: string,
  { host, port }: { host: string; port: number },
  names: SettingNames,
): Promise<Finding> {
  const address =
    port === 0 ? `a free port of ${host}` : `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    return { subject, ...ok(`would listen at ${address}`, { host, port }) };
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const why = advice[code]?.(names) ?? message;
    return { subject, ...problem(`cannot listen at ${address}: ${why}`, { host, port, code }) };
  } finally {
    server.close();
  }
}

async function checkIdentityProvider({ identityProvider }: Config): Promise<Finding[]> {
  if (identityProvider === undefined) return [];
  return [{ subject: 'sign-in', ...(await askProvider(identityProvider)) }];
}

async function askProvider(config: NonNullable<Config['identityProvider']>): Promise<Result> {
  const { issuer } = config;
  try {
    const { hasDeviceFlow, hasLogout, hasBackChannelLogout } = await new IdentityProvider(config).support();
    const supported = [
      'signs people in',
      ...(hasDeviceFlow ? ['on other devices too'] : []),
      ...(hasLogout ? ['signs them out'] : []),
      ...(hasBackChannelLogout ? ['says when they have signed out there'] : []),
    ];
    const values = { issuer, hasDeviceFlow, hasLogout, hasBackChannelLogout };
    return ok(`${issuer} ${supported.join(', ')}`, values);
  } catch (error) {
    if (!(error instanceof RosterError)) throw error;
    return warning(`${issuer}: ${error.message} You can't sign in there until it does.`, { issuer });
  }
}

export async function checkMailServer({ mail }: Config): Promise<Finding[]> {
  if (mail === undefined) return [];
  return [{ subject: 'email', ...(await askMailServer(mail)) }];
}

async function askMailServer(mail: NonNullable<Config['mail']>): Promise<Result> {
  const { host, port, from } = mail;
  const values = { host, port, from };
  try {
    await verifyMailServer(mail);
    return ok(`${host}:${port} lets the service in; email comes from ${from}`, values);
  } catch (error) {
    return warning(`${host}:${port}: ${(error as Error).message} No email is sent until it does.`, values);
  }
}
