import type { ClientConfig } from 'pg';

/** The address of PostgreSQL: a `postgres://` URL, or the parameters of a server. */
export type ConnectionTarget =
  | string
  | { host: string; port: number; user: string; database: string; password?: string };

/** The configuration of a node-postgres client for a target. */
export function clientConfig(target: ConnectionTarget, applicationName?: string): ClientConfig {
  const address = typeof target === 'string' ? { connectionString: target } : target;
  return { ...address, ...(applicationName !== undefined && { application_name: applicationName }) };
}

/**
 * The parts of a `postgres://` URL that are shown to people. `host` is a host name, an IP address, or the directory of a Unix
 * socket, also in the parameter `host`; `database` is empty for the default, which is the name of the user.
 * @throws TypeError that says what is invalid, without the URL, which may contain a password
 */
export function parseConnectionString(text: string): { host: string; port: number; database: string } {
  if (!/^postgres(ql)?:\/\//.test(text)) throw new TypeError('must be a postgres:// URL');
  // Only here may a user stand before no host.
  const url = URL.parse(text.replace('@/', '@localhost/'));
  const parameters = url?.searchParams;
  const host = parameters?.get('host') ?? decodeURIComponent(url?.hostname ?? '');
  const port = Number(parameters?.get('port') ?? (url?.port || 5432));
  const isOne = !host.includes(',') && !parameters?.has('target_session_attrs');
  if (url === null || !isOne || !Number.isInteger(port) || port < 1 || port > 65_535)
    throw new TypeError(
      'must name one address, as host or host:port: put a proxy or a pooler in front of several servers',
    );
  const database = decodeURIComponent(url.pathname.slice(1));
  return { host: host.replace(/^\[(.*)\]$/, '$1') || 'localhost', port, database };
}
