import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../config.ts';
import type { Finding } from './findings.ts';

const reasons: Record<string, string> = {
  EADDRINUSE: 'somebody listens there already',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'the name leads to no address',
};

/** Whether the server could listen where it is told to: it does, for a moment. */
export async function listeningFinding({ host, port }: Pick<Config, 'host' | 'port'>): Promise<Finding> {
  const place =
    port === 0 ? `a free port of ${host}` : `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const subject = 'listening';
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    return { level: 'ok', subject, detail: `would listen at ${place}`, values: { host, port } };
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const why = reasons[code] ?? message;
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
