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
export function parseConnectionString(url: string): { host: string; port: number; database: string } {
  const [, scheme, authority = '', path = '', search = ''] =
    /^(postgres(?:ql)?:\/\/)(?:[^/?#]*@)?([^/?#]*)(\/[^/?#]*)?(?:\?([^#]*))?$/.exec(url) ?? [];
  if (scheme === undefined) throw new TypeError('must be a postgres:// URL');
  const parameters = new URLSearchParams(search);
  const named = parameters.get('host') ?? authority;
  if (named.includes(',') || parameters.has('target_session_attrs'))
    throw new TypeError('must name one address: put a proxy or a pooler in front of several servers');
  const [, host = '', portInAuthority] = /^(\[[^\]]+\]|[^:[\]]*)(?::(\d{1,5}))?$/.exec(authority) ?? [
    undefined,
  ];
  const port = Number(parameters.get('port') ?? portInAuthority ?? 5432);
  const isPort = Number.isInteger(port) && port >= 1 && port <= 65_535;
  if (host === undefined || !isPort) throw new TypeError('must name its server as host or host:port');
  const name = decodeURIComponent((parameters.get('host') ?? host).replace(/^\[(.*)\]$/, '$1'));
  return { host: name || 'localhost', port, database: decodeURIComponent(path.slice(1)) };
}
