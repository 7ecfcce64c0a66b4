import { describe, expect, it } from 'vitest';
import { parseConnectionString, parseReplicaUrl } from './connection-string.ts';

describe('the connection string of several hosts', () => {
  it.each([
    ['postgres://u:p@h1:5433,h2/db', ['h1:5433', 'h2:5432'], 'read-write'],
    ['postgresql://u:p%40@h1,h2:1/db?sslmode=require', ['h1:5432', 'h2:1'], 'read-write'],
    [
      'postgres://[::1]:5433,10.0.0.1/db?target_session_attrs=primary',
      ['::1:5433', '10.0.0.1:5432'],
      'primary',
    ],
    ['postgres://u@/db?host=/run/a,/run/b&port=1,2', ['/run/a:1', '/run/b:2'], 'read-write'],
    ['postgres://u@/db?host=/run/a,/run/b&port=7', ['/run/a:7', '/run/b:7'], 'read-write'],
    ['postgres://%2Frun%2Fa/db', ['/run/a:5432'], 'any'],
    ['postgres:///db', ['localhost:5432'], 'any'],
    ['postgres://h/db?target_session_attrs=any', ['h:5432'], 'any'],
  ])('is parsed as by libpq: %s', (url, hosts, target) => {
    const parsed = parseConnectionString(url);
    expect(parsed.addresses.map(({ host, port }) => `${host}:${port}`)).toEqual(hosts);
    expect(parsed).toMatchObject({ targetSessionAttrs: target, database: 'db' });
  });

  it('keeps user, password and parameters for node-postgres, without those it does not support', () => {
    const { config } = parseConnectionString(
      'postgres://u:p%40@h1,h2/db?target_session_attrs=any&sslmode=require',
    );
    expect(config.connectionString).toBe('postgres://u:p%40@placeholder/db?sslmode=require');
  });

  it.each([
    ['mysql://h/db', 'must be a postgres:// URL'],
    ['postgres://h1:1:2,h2/db', 'must name its hosts'],
    ['postgres://h1:0,h2/db', 'ports from 1 to 65535'],
    ['postgres://u@/db?host=a,b,c&port=1,2', 'as many ports as hosts'],
    ['postgres://h1,h2/db?target_session_attrs=standby', 'does not accept writes'],
    ['postgres://h1,h2/db?target_session_attrs=master', '"master" is unknown'],
  ])('is rejected with the reason and without its password: %s', (url, reason) => {
    expect(() => parseConnectionString(url)).toThrow(reason);
  });
});

describe('the connection string of a replica', () => {
  it('names one host', () => {
    expect(parseReplicaUrl('postgres://u@h:1/db')).toEqual({ host: 'h', port: 1 });
    expect(() => parseReplicaUrl('postgres://h1,h2/db')).toThrow('one server for each replica');
  });
});
