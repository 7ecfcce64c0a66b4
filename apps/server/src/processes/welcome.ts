import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import type { Service } from '../server.ts';

/** The parts of a service that its first lines name. */
export type ServiceSummary = Omit<Service, 'close'>;

/** The key for a command line: read from its file if there is one. */
function keyForShell({ keyFile, firstKey }: ServiceSummary): string {
  if (keyFile !== undefined && existsSync(keyFile)) return `$(cat ${relative(process.cwd(), keyFile)})`;
  return firstKey ?? '$ROSTER_KEY';
}

/** The first lines on a terminal: the URLs, the database, the first key, and a command that works when it is pasted. */
export function welcome(service: ServiceSummary): string {
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
