import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, Environment, readConfig } from './config.ts';

/** The lines of the error with which these settings are rejected. */
function faultsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  return [];
}

describe('the settings', () => {
  it.each(Object.entries(Environment.shape))('say what %s means', (_, schema) => {
    expect(schema.description).toMatch(/\w{4}/);
  });

  it('are all listed in one error if they are invalid', () => {
    const faults = faultsOf({ PORT: 'http', ROSTER_RATE_LIMIT: '-1', ROSTER_DRAIN_MS: '1e3' });
    expect(faults.map((fault) => fault.split(':')[0])).toEqual([
      'PORT',
      'ROSTER_RATE_LIMIT',
      'ROSTER_DRAIN_MS',
    ]);
  });

  it.each([
    ['ROSTER_PUBLIC_URL', 'roster.example', 'must be a URL, such as https://roster.example'],
    ['ROSTER_OIDC_ISSUER', 'login', 'must be a URL, such as https://login.example'],
    ['ROSTER_SMTP_URL', 'mail.example:587', 'must be a URL, such as smtp://user:password@mail.example:587'],
    ['ROSTER_SMTP_URL', 'smtp://roster:100%@mail.example', 'must have its user and password percent-encoded'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318', 'must be a URL, such as http://127.0.0.1:4318'],
    ['ROSTER_RATE_LIMIT', '-1', 'must be a whole number, 0 or more'],
    ['ROSTER_RATE_LIMIT', '1000000001', 'must be at most 1,000,000,000'],
    ['ROSTER_DATABASE_CONNECTIONS_MAX', '0', 'must be at least 1'],
    ['ROSTER_OIDC_CLIENT_ID', 'x'.repeat(501), 'must be at most 500 characters'],
    ['ROSTER_DOCS', 'maybe', 'must be true or false'],
    ['ROSTER_LOG_FORMAT', 'xml', 'must be auto, json, or pretty'],
    ['OTEL_TRACES_SAMPLER_ARG', 'x', 'must be a number'],
  ])('say of %s=%s what it must be', (name, value, rule) => {
    expect(faultsOf({ [name]: value })).toContain(`${name}: ${rule}`);
  });

  it.each(Object.keys(Environment.shape))('name %s if it is nonsense, unless they take it', (name) => {
    const nonsense = [
      'x',
      '-1',
      '1e999',
      'nan',
      ':',
      '://',
      'http://',
      'https://[',
      'smtp://%',
      '%zz',
      ',',
      '\ud800',
      ' ',
      '{}',
    ];
    for (const value of nonsense) {
      const faults = faultsOf({ [name]: value });
      if (faults.length > 0) expect(faults.join(), value).toContain(`${name}`);
    }
  });

  it('keep events for two years, and never for less time than deleted records', () => {
    const daysOf = (environment: Record<string, string>) => {
      const { historyDays, retentionDays } = readConfig(environment);
      return [historyDays, retentionDays];
    };
    expect(daysOf({})).toEqual([730, 30]);
    expect(daysOf({ ROSTER_HISTORY_DAYS: '1' })).toEqual([30, 30]);
    expect(daysOf({ ROSTER_RETENTION_DAYS: '1000' })).toEqual([1_000, 1_000]);
    expect(faultsOf({ ROSTER_HISTORY_DAYS: '0' })).toHaveLength(1);
  });

  it('reach the connections of the requests', () => {
    const { database } = readConfig({
      ROSTER_DATABASE_CONNECTIONS_MAX: '7',
      ROSTER_STATEMENT_TIMEOUT_MS: '250',
    });
    expect(database).toEqual({
      pool: { max: 7, idleTimeoutMs: 10_000 },
      pipeline: { connections: 4 },
      timeouts: { connectMs: 3_000, statementMs: 250 },
    });
  });
});

describe('an unknown ROSTER_ variable', () => {
  it('is rejected, with the nearest setting', () => {
    expect(faultsOf({ ROSTER_RATELIMIT: '5', ROSTER_ADMIN_KEY_FIEL: '/run/key' })).toEqual([
      'ROSTER_RATELIMIT: there is no such setting; the nearest is ROSTER_RATE_LIMIT',
      'ROSTER_ADMIN_KEY_FIEL: there is no such setting; the nearest is ROSTER_ADMIN_KEY_FILE',
    ]);
    expect(faultsOf({ ROSTER_METRICS: '3000' })).toEqual([
      'ROSTER_METRICS: there is no such setting; `roster-server settings` lists them',
    ]);
  });

  it.each([
    ['the command line', { ROSTER_KEY: 'k', ROSTER_URL: 'http://x', ROSTER_PROFILE: 'p' }],
    ['tests', { ROSTER_TEST_SEED: '1' }],
    [
      'Kubernetes, of a Service named roster or roster-web',
      {
        ROSTER_SERVICE_HOST: '10.0.0.1',
        ROSTER_SERVICE_PORT_HTTP: '3000',
        ROSTER_PORT: 'tcp://10.0.0.1:3000',
        ROSTER_PORT_3000_TCP: 'tcp://10.0.0.1:3000',
        ROSTER_WEB_PORT_3000_TCP_ADDR: '10.0.0.1',
      },
    ],
    ['no one, because it is empty', { ROSTER_RATELIMIT: '' }],
  ])('is accepted if it is of %s', (_, environment) => {
    expect(faultsOf(environment)).toEqual([]);
  });
});

describe('a secret from a file', () => {
  let directory: string;
  const file = (name: string, text: string) => {
    const path = join(directory, name);
    writeFileSync(path, text);
    return path;
  };
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'roster-secrets-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it('is read without the line end after it', () => {
    const DATABASE_URL_FILE = file('url', 'postgres://me:secret@db/roster\r\n');
    const ROSTER_ADMIN_KEY_FILE = file('key', `${'k'.repeat(32)}\n`);
    const { databaseUrl, adminKey } = readConfig({ DATABASE_URL_FILE, ROSTER_ADMIN_KEY_FILE });
    expect({ databaseUrl, adminKey }).toEqual({
      databaseUrl: 'postgres://me:secret@db/roster',
      adminKey: 'k'.repeat(32),
    });
  });

  it('is rejected if it is given in both ways, missing, empty or invalid, and never printed', () => {
    const empty = file('empty', '\n');
    const wrong = file('wrong', 'hush');
    expect(faultsOf({ DATABASE_URL: 'postgres://db/x', DATABASE_URL_FILE: empty })).toEqual([
      'DATABASE_URL and DATABASE_URL_FILE are both given: leave one of them out',
    ]);
    expect(faultsOf({ DATABASE_URL_FILE: '/not/there' })).toEqual([
      'DATABASE_URL_FILE: the file /not/there cannot be read (ENOENT)',
    ]);
    expect(faultsOf({ ROSTER_ADMIN_KEY_FILE: empty })).toEqual([
      `ROSTER_ADMIN_KEY_FILE: the file ${empty} is empty`,
    ]);
    expect(faultsOf({ ROSTER_ADMIN_KEY_FILE: wrong }).join()).toMatch(/^ROSTER_ADMIN_KEY: (?!.*hush)/);
  });
});
