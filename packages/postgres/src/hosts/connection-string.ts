import type { ClientConfig } from 'pg';

/** The address of one server. `host` is a host name, an IP address, or the directory of a Unix socket. */
export interface Address {
  host: string;
  port: number;
}

/** The values of libpq's `target_session_attrs` that select a server which may accept writes. */
export type TargetSessionAttrs = 'any' | 'read-write' | 'primary';

export interface ConnectionParameters {
  /** The options of a connection to any of the addresses, with a placeholder for the host. */
  config: ClientConfig;
  addresses: [Address, ...Address[]];
  targetSessionAttrs: TargetSessionAttrs;
  /** The name of the database in the path; empty for the default, which is the name of the user. */
  database: string;
}

const DEFAULT_PORT = 5432;
const shape = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#]*)(\/[^/?#]*)?(?:\?([^#]*))?$/;
const targets: readonly string[] = ['any', 'read-write', 'primary'] satisfies TargetSessionAttrs[];
const unwritable = ['read-only', 'standby', 'prefer-standby'];

/**
 * Parses a `postgres://` URL with one host or several, as libpq does (PostgreSQL manual, section 32.1.1.2):
 * `h1:5432,h2:5433` before the path, or lists in the parameters `host` and `port`. node-postgres supports neither.
 * With several hosts `target_session_attrs` is `read-write` by default, while libpq accepts any server: a pool for writes
 * has no use for a standby.
 * @throws TypeError that says what is invalid, without the URL, which may contain a password
 */
export function parseConnectionString(url: string): ConnectionParameters {
  const [, scheme, user, authority = '', path = '', search = ''] = shape.exec(url) ?? [];
  if (scheme === undefined) throw new TypeError('must be a postgres:// URL');
  const parameters = new URLSearchParams(search);
  const named = parameters.get('host');
  const addresses =
    named === null ? authority.split(',').map(parseAddress) : withPorts(named, parameters.get('port'));
  const [first] = addresses;
  if (first === undefined) throw new TypeError('must name a host');
  const given = parameters.get('target_session_attrs');
  const byDefault = addresses.length > 1 ? 'read-write' : 'any';
  const targetSessionAttrs = given === null ? byDefault : parseTargetSessionAttrs(given);
  for (const name of ['host', 'port', 'target_session_attrs']) parameters.delete(name);
  const rest = parameters.size > 0 ? `?${parameters}` : '';
  const connectionString = `${scheme}${user === undefined ? '' : `${user}@`}placeholder${path}${rest}`;
  if (!URL.canParse(connectionString)) throw new TypeError('must be a postgres:// URL');
  return {
    config: { connectionString },
    addresses: [first, ...addresses.slice(1)],
    targetSessionAttrs,
    database: decodeURIComponent(path.slice(1)),
  };
}

/**
 * The address in the URL of a replica.
 * @throws TypeError for an invalid URL, for several hosts, or with `target_session_attrs`
 */
export function parseReplicaUrl(url: string): Address {
  const {
    addresses: [address, ...others],
    targetSessionAttrs,
  } = parseConnectionString(url);
  if (others.length > 0 || targetSessionAttrs !== 'any') {
    throw new TypeError('must name one server for each replica, without target_session_attrs');
  }
  return address;
}

/** Parses `host`, `host:port`, `[::1]:port`, or a percent-encoded socket directory. */
function parseAddress(text: string): Address {
  const match = /^(\[[^\]]+\]|[^:[\]]*)(?::(\d{1,5}))?$/.exec(text);
  if (match === null) throw new TypeError('must name its hosts as host or host:port, separated by commas');
  const [, host = '', port] = match;
  const name = decodeURIComponent(host.replace(/^\[(.*)\]$/, '$1')) || 'localhost';
  return { host: name, port: parsePort(port) };
}

/** Parses the parameters `host` and `port`: as many ports as hosts, or one for all. */
function withPorts(hosts: string, ports: string | null): Address[] {
  const names = hosts.split(',');
  const numbers = ports?.split(',') ?? [];
  if (numbers.length > 1 && numbers.length !== names.length) {
    throw new TypeError('must have as many ports as hosts, or one');
  }
  return names.map((host, index) => ({ host, port: parsePort(numbers[numbers.length > 1 ? index : 0]) }));
}

function parsePort(text: string | undefined): number {
  if (text === undefined || text === '') return DEFAULT_PORT;
  const port = Number(text);
  if (!(Number.isInteger(port) && port >= 1 && port <= 65_535)) {
    throw new TypeError('must have ports from 1 to 65535');
  }
  return port;
}

function parseTargetSessionAttrs(text: string): TargetSessionAttrs {
  if (targets.includes(text)) return text as TargetSessionAttrs;
  const why = unwritable.includes(text) ? 'may select a server that does not accept writes' : 'is unknown';
  throw new TypeError(`must have a target_session_attrs of ${targets.join(', ')}; "${text}" ${why}`);
}
