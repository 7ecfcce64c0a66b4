import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../../config/config.ts';
import { type Finding, ok, problem } from './finding.ts';

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

export async function checkListening({ host, port, metricsAt }: Config): Promise<Finding[]> {
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
