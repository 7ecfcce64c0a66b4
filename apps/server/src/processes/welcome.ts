import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import type { Service } from '../server.ts';

/** The parts of a service that its first lines name. */
export type ServiceSummary = Omit<Service, 'close'>;

/** The key for a command line: read from its file if there is one. */
function keyForShell({ keyFile, firstKey }: ServiceSummary): string {
  if (keyFile !== undefined && existsSync(keyFile)) return `$(cat ${relative(process.cwd(), keyFile)})`;
  return firstKey?.secret ?? '$ROSTER_KEY';
}

const NO_KEY = [
  '  There is no API key yet, and this output may be kept, so none is created. Set ROSTER_ADMIN_KEY,',
  '  or start once on a terminal, which shows the first key.',
];

/** The lines about the first key. Its secret is told to people alone, not to a log that is kept. */
function linesOfKey({ firstKey, keyFile, isWithoutKey }: ServiceSummary): string[] {
  if (isWithoutKey) return NO_KEY;
  if (firstKey === undefined) return [];
  if (firstKey.secret === undefined) return [`  The first key is in ${keyFile}`];
  const kept = keyFile === undefined ? '' : `; kept in ${keyFile}`;
  return [`  The first key is    ${firstKey.secret} (shown this once${kept})`];
}

/** The first lines of the output: the URLs, the database, the first key, and a command that works when it is pasted. */
export function welcome(service: ServiceSummary): string {
  const { url, consoleUrl, metricsUrl, data, firstLink } = service;
  return [
    '',
    `  Roster listens at   ${url}`,
    ...(consoleUrl === undefined ? [] : [`  Console at          ${consoleUrl}`]),
    `  Documentation at    ${url}/docs`,
    `  The data are in     ${data}`,
    ...(metricsUrl === undefined ? [] : [`  Metrics are at      ${metricsUrl}`]),
    ...linesOfKey(service),
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
