import type { ClientConfig } from 'pg';

/** Where one server listens: a host name, an address, or the directory of a unix socket. */
export interface Address {
  host: string;
  port: number;
}

/** Which server of several is meant (libpq's `target_session_attrs`), of those that can be written to. */
export type Target = 'any' | 'read-write' | 'primary';

export interface Addresses {
  /** What a connection to any of them is opened with; its host is the first. */
  config: ClientConfig;
  addresses: [Address, ...Address[]];
  target: Target;
  /** The name of the database, as the path says it; empty for the user's own. */
  database: string;
}

const DEFAULT_PORT = 5432;
const shape = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#]*)(\/[^/?#]*)?(?:\?([^#]*))?$/;
const targets: readonly string[] = ['any', 'read-write', 'primary'] satisfies Target[];
const unwritable = ['read-only', 'standby', 'prefer-standby'];

/**
 * Reads a `postgres://` URL that may name several servers as libpq reads it (PostgreSQL manual, section 32.1.1.2):
 * `h1:5432,h2:5433` before the path, or lists in the parameters `host` and `port`; node-postgres knows neither.
 * Where several are named and `target_session_attrs` is not, it is `read-write`, while libpq takes any: a service
 * that writes has no use for a standby.
 * @throws TypeError saying what is wrong with it, without the URL, which holds a password.
 */
export function readAddresses(url: string): Addresses {
  const [, scheme, user, authority = '', path = '', search = ''] = shape.exec(url) ?? [];
  if (scheme === undefined) throw new TypeError('must be a postgres:// URL');
  const parameters = new URLSearchParams(search);
  const named = parameters.get('host');
  const addresses =
    named === null ? authority.split(',').map(parseAddress) : withPorts(named, parameters.get('port'));
  const [first] = addresses;
  if (first === undefined) throw new TypeError('must name a host');
  const given = parameters.get('target_session_attrs');
  const target = given === null ? (addresses.length > 1 ? 'read-write' : 'any') : parseTarget(given);
  for (const name of ['host', 'port', 'target_session_attrs']) parameters.delete(name);
  const rest = parameters.size > 0 ? `?${parameters}` : '';
  const connectionString = `${scheme}${user === undefined ? '' : `${user}@`}placeholder${path}${rest}`;
  if (!URL.canParse(connectionString)) throw new TypeError('must be a postgres:// URL');
  return {
    config: { connectionString },
    addresses: [first, ...addresses.slice(1)],
    target,
    database: decodeURIComponent(path.slice(1)),
  };
}

/** The one server of a replica's URL. @throws TypeError where it names several, or says of which kind it must be. */
export function readReplica(url: string): Address {
  const {
    addresses: [address, ...others],
    target,
  } = readAddresses(url);
  if (others.length > 0 || target !== 'any') {
    throw new TypeError('must name one server for each replica, without target_session_attrs');
  }
  return address;
}

/** `host`, `host:port`, `[::1]:port`, or a percent-encoded socket directory. */
function parseAddress(text: string): Address {
  const match = /^(\[[^\]]+\]|[^:[\]]*)(?::(\d{1,5}))?$/.exec(text);
  if (match === null) throw new TypeError('must name its hosts as host or host:port, separated by commas');
  const [, host = '', port] = match;
  const name = decodeURIComponent(host.replace(/^\[(.*)\]$/, '$1')) || 'localhost';
  return { host: name, port: parsePort(port) };
}

/** Lists in parameters: as many ports as hosts, or one for all. */
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

function parseTarget(text: string): Target {
  if (targets.includes(text)) return text as Target;
  const why = unwritable.includes(text) ? 'may lead to a server that cannot be written to' : 'is unknown';
  throw new TypeError(`must have a target_session_attrs of ${targets.join(', ')}; "${text}" ${why}`);
}
