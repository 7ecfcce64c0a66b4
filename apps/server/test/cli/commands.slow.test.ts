import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { migrate } from '@roster/db';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '../../src/cli/check/finding.ts';
import { commands } from '../../src/cli/commands.ts';
import { run } from '../../src/cli/index.ts';
import { Environment } from '../../src/config/config.ts';
import { faultsOf } from '../../src/known-faults.ts';

/** Runs `roster-server` in this process, with these settings. */
async function ran(argv: string[], environment: Record<string, string> = {}) {
  const lines: string[] = [];
  const said: string[] = [];
  const code = await run(argv, {
    environment: { PORT: '0', ...environment },
    print: (line) => lines.push(line),
    printError: (line) => said.push(line),
  });
  return { code, out: lines.join('\n'), err: said.join('\n') };
}

describe('roster-server', () => {
  it('lists every command in its help, and every option in the help of its command', async () => {
    const { code, out } = await ran(['--help']);
    expect(code).toBe(0);
    for (const { name, summary, usage } of commands) {
      expect(out).toContain(`${name}`);
      expect(out).toContain(summary);
      expect(await ran([name, '--help'])).toEqual({ code: 0, out: usage, err: '' });
    }
  });

  it.each([
    [['sreve'], 'There is no command sreve; there are serve, check, settings, migrate, backup, restore'],
    [['--chekc'], "Unknown option '--chekc'"],
    [['check', '--yaml'], "Unknown option '--yaml'"],
    [['migrate', 'all'], 'Unexpected argument'],
    [['backup', 'one', 'two'], 'one file, not 2\n\nroster-server backup '],
    [['restore', '--force', 'one'], "Unknown option '--force'"],
    [['restore', '--force', 'one'], '\n\nroster-server restore '],
    [['restore'], 'A file is required.\n\nroster-server restore '],
  ])('rejects %s with 2 and says why', async (argv, why) => {
    const { code, err, out } = await ran(argv);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(why);
  });

  it('says that a file is no backup, or does not exist', async () => {
    const path = import.meta.filename;
    const restored = await ran(['restore', path], { DATABASE_URL: 'postgres://127.0.0.1:1/none' });
    expect(restored).toMatchObject({ code: 1, err: expect.stringMatching(/^.*not a backup[^\n]*$/) });
    const absent = await ran(['restore', '/no/such/file']);
    expect(absent.err).toBe("/no/such/file can't be opened: there is no such file or directory.");
  });

  it('lists every setting with its default, and the files of those that are secret', async () => {
    const { code, out } = await ran(['settings']);
    expect(code).toBe(0);
    expect(
      Object.keys(Environment.shape).filter((name) => !new RegExp(`^${name}\\b`, 'm').test(out)),
    ).toEqual([]);
    expect(out).toMatch(/^PORT \(default: 3000\)\n {2}\w/m);
    expect(out).toMatch(/^ROSTER_ADMIN_KEY, ROSTER_ADMIN_KEY_FILE\n/m);
  });

  it('prints its version', async () => {
    expect((await ran(['--version'])).out).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('prints an invalid setting and exits with 1', async () => {
    const serving = await ran([], { PORT: 'http' });
    expect(serving).toMatchObject({ code: 1, err: expect.stringMatching(/^PORT: /) });
    const checking = await ran(['--check'], { ROSTER_RATELIMIT: '1' });
    expect(checking.code).toBe(1);
    expect(checking.out).toMatch(/^PROBLEM +settings +ROSTER_RATELIMIT: .*ROSTER_RATE_LIMIT$/);
  });
});

/** What `--check --json` found, by subject, and its exit code. */
async function checked(environment: Record<string, string>) {
  const { code, out } = await ran(['--check', '--json'], environment);
  const { ok, findings } = JSON.parse(out) as { ok: boolean; findings: Finding[] };
  expect(ok).toBe(code === 0);
  return { code, of: Object.fromEntries(findings.map((finding) => [finding.subject, finding])) };
}

describe('roster-server --check of a database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  it('reports no problem for one that is up to date, and warns if durability is off', async () => {
    const { code, of } = await checked({ DATABASE_URL: database.url });
    expect(code).toBe(0);
    expect(of).toMatchObject({
      settings: { level: 'ok' },
      database: { level: 'ok', values: { versionNumber: expect.any(Number) } },
      encoding: { level: 'ok' },
      rights: { level: 'ok' },
      extension: { level: 'ok', values: { state: 'installed' } },
      migrations: { level: 'ok', values: { pending: [], unknown: [] } },
      sessions: { level: 'ok' },
      connections: { values: { ours: 34 } },
      listening: { level: 'ok' },
    });
    const { rows } = await sql<{ fsync: string }>`show fsync`.execute(database.db);
    const { version } = of.database?.values ?? {};
    const faults = [
      ...faultsOf('Node.js', process.versions.node),
      ...faultsOf('PostgreSQL', String(version)),
    ];
    expect(of['known-faults']?.level).toBe(faults.length > 0 ? 'warning' : undefined);
    expect(of.durability?.level).toBe(rows[0]?.fsync === 'off' ? 'warning' : 'ok');
  });

  it('reports a problem if transactions are read-only', async () => {
    const url = new URL(database.url);
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const { code, of } = await checked({ DATABASE_URL: url.href });
    expect(code).toBe(1);
    expect(of.rights?.detail).toContain('default_transaction_read_only');
  });

  it('warns if a newer release has migrated it', async () => {
    await migrate(database.db, { migrations: { '9999-later': { up: async () => undefined } } });
    const { code, of } = await checked({ DATABASE_URL: database.url });
    expect(code).toBe(0);
    expect(of.migrations).toMatchObject({ level: 'warning', values: { unknown: ['9999-later'] } });
  });

  it('reports a problem if it is from before 0.1.0; so do a start, a migration and a backup, which change nothing', async () => {
    await using old = await createTestDatabase({ template: 'template0' });
    await sql`create table kysely_migration (name text primary key, timestamp text not null)`.execute(old.db);
    await sql`insert into kysely_migration values ('0001-offices-and-agents', '')`.execute(old.db);
    const { code, of } = await checked({ DATABASE_URL: old.url });
    expect(code).toBe(1);
    expect(of.migrations).toMatchObject({ level: 'problem', detail: expect.stringContaining('0.1.0') });
    for (const args of [[], ['migrate'], ['backup', join(tmpdir(), 'never-written')]]) {
      const { code: exit, err } = await ran(args, { DATABASE_URL: old.url, PORT: '0' });
      expect([exit, err]).toEqual([1, expect.stringMatching(/^This database is from before Roster 0\.1\.0/)]);
    }
    const { rows } = await sql`select from pg_tables where schemaname = 'public'`.execute(old.db);
    expect(rows).toHaveLength(1);
  });

  it('a failed start prints the problems that --check finds, without a stack: the database, the port, the metrics', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    const absent = new URL(database.url);
    absent.pathname = '/no_such_database';
    const cases: [environment: Record<string, string>, line: RegExp][] = [
      [
        { DATABASE_URL: 'postgres://me:hush@127.0.0.1:1/roster' },
        /^PROBLEM +database +cannot be reached: .*ECONNREFUSED.*; start PostgreSQL there, or correct DATABASE_URL$/m,
      ],
      [{ DATABASE_URL: absent.href }, /^PROBLEM +database .*no_such_database.*; create that database, or/m],
      [
        { DATABASE_URL: database.url, PORT: String(port) },
        /^PROBLEM +listening +cannot listen at http:\/\/127\.0\.0\.1:\d+: another process .* set PORT to another port$/m,
      ],
      [
        { DATABASE_URL: database.url, HOST: '192.0.2.1' },
        /^PROBLEM +listening +cannot listen at .*: this machine has no such address; set HOST to one that it has$/m,
      ],
      [
        { DATABASE_URL: database.url, ROSTER_METRICS_PORT: String(port) },
        /^PROBLEM +metrics +cannot listen at .* set ROSTER_METRICS_PORT to another port$/m,
      ],
    ];
    for (const [environment, line] of cases) {
      const checking = await ran(['--check'], environment);
      expect(checking).toMatchObject({ code: 1, out: expect.stringMatching(line) });
      const serving = await ran([], { ROSTER_LOG_LEVEL: 'silent', ...environment });
      expect(serving).toMatchObject({ code: 1, err: expect.stringMatching(line) });
      expect(serving.err).toMatch(/^Roster cannot serve:\nPROBLEM .*$(?!\n)/m);
      expect(serving.err).not.toMatch(/^ +at |hush/m);
    }
    taken.close();
  });

  it.each([
    ['ROSTER_TRUSTED_PROXIES', '10.0.0.300', 'invalid IP address: 10.0.0.300: give addresses or networks'],
    [
      'ROSTER_TRUSTED_PROXIES',
      '10.0.0.1,10.0.0.0/64',
      'invalid range on address: 10.0.0.0/64: give addresses',
    ],
    ['ROSTER_METRICS_PORT', '4400', 'is the port of the service itself (PORT): choose another one'],
  ])('a wrong setting %s=%s is named by --check and by the start', async (name, value, why) => {
    const environment = { DATABASE_URL: database.url, PORT: '4400', [name]: value };
    const checking = await ran(['--check'], environment);
    expect(checking).toMatchObject({ code: 1, out: expect.stringContaining(why) });
    expect(checking.out).toMatch(new RegExp(`^PROBLEM +settings +${name}`));
    const serving = await ran([], environment);
    expect(serving).toMatchObject({ code: 1, err: expect.stringContaining(why) });
    expect(serving.err.split('\n')).toHaveLength(1);
  });

  it('reports a database that cannot be reached and a port in use, and prints no secret', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    const settings = { DATABASE_URL: 'postgres://me:hush@127.0.0.1:1/roster', PORT: String(port) };
    const { code, out } = await ran(['--check'], settings);
    taken.close();
    expect(code).toBe(1);
    expect(out).toMatch(/PROBLEM +database +cannot be reached: .*ECONNREFUSED/);
    expect(out).toMatch(
      /PROBLEM +listening +cannot listen at .*: another process listens there; stop it, or set PORT/,
    );
    expect(out).not.toContain('hush');
  });
});

it('in an empty database --check lists the pending migrations and changes nothing; migrate runs them once', async () => {
  await using empty = await createTestDatabase({ template: 'template0' });
  const { code, of } = await checked({ DATABASE_URL: empty.url });
  expect(code).toBe(0);
  expect(of.migrations?.detail).toMatch(/^a start would run 0001-baseline, /);
  expect(of.extension?.values).toEqual({ name: 'pg_trgm', state: 'creatable' });
  const { rows } = await sql`
    select from pg_class where relnamespace = 'public'::regnamespace`.execute(empty.db);
  expect(rows).toEqual([]);

  const role = `${empty.connection.database}_reader`;
  await sql.raw(`create role ${role} login password 'reader'`).execute(empty.db);
  const url = Object.assign(new URL(empty.url), { username: role, password: 'reader' });
  const reader = await checked({ DATABASE_URL: url.href, ROSTER_DATABASE_CONNECTIONS_MAX: '900' });
  await sql.raw(`drop role ${role}`).execute(empty.db);
  expect(reader.code).toBe(1);
  expect(reader.of).toMatchObject({
    rights: { level: 'problem', detail: expect.stringContaining('may not create in the schema public') },
    extension: { level: 'problem', values: { state: 'forbidden' } },
    connections: { level: 'problem' },
  });

  const first = await ran(['migrate'], { DATABASE_URL: empty.url });
  expect(first).toMatchObject({ code: 0, out: expect.stringMatching(/^0001-baseline\n/) });
  const second = await ran(['migrate'], { DATABASE_URL: empty.url });
  expect(second).toEqual({ code: 0, out: '', err: 'The database is up to date.' });
});

describe('roster-server --check of the local PostgreSQL', () => {
  it('reports its directory and the free disk space, and creates no directory', async () => {
    const home = mkdtempSync(join(tmpdir(), 'roster-check-'));
    const dataDir = join(home, 'not', 'there');
    const { code, of } = await checked({ ROSTER_DATA_DIR: dataDir });
    expect(code).toBe(0);
    expect(of.disk).toMatchObject({ values: { freeBytes: expect.any(Number) } });
    expect(existsSync(join(home, 'not'))).toBe(false);
    rmSync(home, { recursive: true });
  });
});
