import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../config/config.ts';
import type { Finding } from './index.ts';

/** The settings that say where to listen. */
interface Names {
  host: string;
  port: string;
}

const SERVICE: Names = { host: 'HOST', port: 'PORT' };
const METRICS: Names = { host: 'ROSTER_METRICS_HOST', port: 'ROSTER_METRICS_PORT' };

const reasons: Record<string, (names: Names) => string> = {
  EADDRINUSE: ({ port }) => `another process listens there; stop it, or set ${port} to another port`,
  EACCES: ({ port }) => `this user may not listen there; set ${port} to 1024 or more`,
  EADDRNOTAVAIL: ({ host }) => `this machine has no such address; set ${host} to one that it has`,
  ENOTFOUND: ({ host }) => `no address is known for that name; set ${host} to an address of this machine`,
};

/** Whether the server could listen where it is told to, for requests and for the metrics. */
export async function listeningFindings({ host, port, metricsAt }: Config): Promise<Finding[]> {
  const findings = [await findingOf('listening', { host, port }, SERVICE)];
  if (metricsAt !== undefined) findings.push(await findingOf('metrics', metricsAt, METRICS));
  return findings;
}

/** Listens for a moment. */
async function findingOf(
  subject: string,
  { host, port }: { host: string; port: number },
  names: Names,
): Promise<Finding> {
  const place =
    port === 0 ? `a free port of ${host}` : `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    return { level: 'ok', subject, detail: `would listen at ${place}`, values: { host, port } };
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const why = reasons[code]?.(names) ?? message;
    return {
      level: 'problem',
      subject,
      detail: `cannot listen at ${place}: ${why}`,
      values: { host, port, code },
    };
  } finally {
    server.close();
  }
}
