import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import process from 'node:process';
import type { Service } from '../server.ts';

export type ServiceSummary = Omit<Service, 'close'>;

function keyForShell({ keyFile, firstKey }: ServiceSummary): string {
  if (keyFile !== undefined && existsSync(keyFile)) return `$(cat ${relative(process.cwd(), keyFile)})`;
  return firstKey?.secret ?? '$ROSTER_KEY';
}

function lineOfConsole({ consoleUrl, isConsoleReady }: ServiceSummary): string[] {
  if (consoleUrl === undefined) return [];
  const note = isConsoleReady ? '' : ' (being prepared: the page opens it when it is ready)';
  return [`  Console at          ${consoleUrl}${note}`];
}

const NO_KEY = [
  '  There is no API key yet, and this output may be kept, so none is created. Set ROSTER_ADMIN_KEY,',
  '  or start once on a terminal, which shows the first key.',
];

/** The secret is shown to people, and never written to a log that is kept. */
function linesOfKey({ firstKey, keyFile, isWithoutKey }: ServiceSummary): string[] {
  if (isWithoutKey) return NO_KEY;
  if (firstKey === undefined) return [];
  if (firstKey.secret === undefined) return [`  The first key is in ${keyFile}`];
  const kept = keyFile === undefined ? '' : `; kept in ${keyFile}`;
  return [`  The first key is    ${firstKey.secret} (shown this once${kept})`];
}

/** In a clone the command runs by npm; elsewhere by its name, with the address of the service. */
function commandLine(url: string): (argv: string) => string {
  const isClone = existsSync(join(import.meta.dirname, '../../../cli/src/roster.js'));
  return (argv) => (isClone ? `npm run -s roster -- ${argv}` : `roster ${argv} --url ${url}`);
}

function signIn({ firstLink, keyFile, consoleUrl, url }: ServiceSummary): string[] {
  if (firstLink !== undefined)
    return ['  The first person signs in here, once, within ten minutes:', `  ${firstLink}`, ''];
  if (keyFile === undefined || consoleUrl === undefined) return [];
  return [`  Sign in with        ${commandLine(url)('open')}`];
}

function firstCall(service: ServiceSummary): string[] {
  if (service.firstKey === undefined) return [];
  return [
    '',
    '  Create an office:',
    `  curl -s ${service.url}/offices -H "Authorization: Bearer ${keyForShell(service)}" \\`,
    `    -H 'Content-Type: application/json' -d '{"name":"Atlântico Imóveis"}'`,
  ];
}

export function welcome(service: ServiceSummary): string {
  const { url, metricsUrl, data } = service;
  return [
    '',
    ...signIn(service),
    `  Roster listens at   ${url}`,
    ...lineOfConsole(service),
    `  Documentation at    ${url}/docs`,
    `  The data are in     ${data}`,
    ...(metricsUrl === undefined ? [] : [`  Metrics are at      ${metricsUrl}`]),
    ...linesOfKey(service),
    ...firstCall(service),
    '',
  ].join('\n');
}
