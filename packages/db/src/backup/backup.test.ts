import { Readable, Writable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../connect.ts';
import { migrate, migrateTo } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import { backupOf, changed } from '../testing/archives.ts';
import { fillDirectory } from '../testing/filling.ts';
import { holdingOf } from '../testing/holding.ts';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { BackupError, checkBackup, restoreBackup, takeBackup } from './index.ts';

const createEmptyDatabase = () => createTestDatabase({ template: 'template0' });
const restore = ({ connection }: TestDatabase, backup: Buffer) =>
  restoreBackup({ connection, source: Readable.from([backup]) });

async function tablesIn({ db }: TestDatabase): Promise<unknown[]> {
  return (await sql`select relname from pg_class where relnamespace = 'public'::regnamespace`.execute(db))
    .rows;
}

let filled: TestDatabase;
let backup: Buffer;
beforeAll(async () => {
  filled = await createTestDatabase();
  await fillDirectory(filled.db, 100);
  backup = await backupOf(filled.connection);
});
afterAll(() => filled[Symbol.asyncDispose]());

describe('a restored backup', () => {
  it('holds every row of every table, every sequence, and every rule in force', async () => {
    await using empty = await createEmptyDatabase();
    expect(await restore(empty, backup)).toMatchObject({ migrated: [], leftOut: [], rows: { agent: 100 } });
    expect(await holdingOf(empty.db)).toEqual(await holdingOf(filled.db));
  });

  it('of an older Roster is brought up to date', async () => {
    const names = Object.keys(migrations);
    await using old = await createEmptyDatabase();
    await migrateTo(old.db, '0004-events');
    await sql`
      insert into office (id, created_at, updated_at, status_changed_at, name)
      values (gen_random_uuid(), now(), now(), now(), 'Old')`.execute(old.db);
    await using empty = await createEmptyDatabase();
    const { migrated } = await restore(empty, await backupOf(old.connection));
    expect(migrated).toEqual(names.slice(names.indexOf('0004-events') + 1));
    await migrate(old.db);
    const { rules, tables } = await holdingOf(empty.db);
    const brought = await holdingOf(old.db);
    expect(rules).toEqual(brought.rules);
    expect(tables.office).toBe(brought.tables.office);
  });

  it('after a loss gives no position again, and refuses every place in the log that anybody holds', async () => {
    await using empty = await createEmptyDatabase();
    const { connection } = empty;
    await restoreBackup({ connection, source: Readable.from([backup]), isAfterLoss: true });
    await sql`select give_event_positions(1000)`.execute(empty.db);
    const { rows } = await sql<{ gap: number }>`
      select (min(position) filter (where position > compacted_to) - max(position) filter (where position < compacted_to))
        ::float8 as gap from (
        select position from event union all select position from admin_event
      ) as placed, event_log`.execute(empty.db);
    expect(rows[0]?.gap).toBe(1_000_000_001);
  });
});

describe('what cannot be restored leaves the database as it was', () => {
  let empty: TestDatabase;
  beforeAll(async () => {
    empty = await createEmptyDatabase();
  });
  afterAll(() => empty[Symbol.asyncDispose]());

  const inManifest = (edit: (text: string) => string) =>
    changed(backup, { file: 'manifest.json', edit, withSums: true });

  it.each([
    ['a backup whose end is missing', async () => backup.subarray(0, -20), /its end is missing/],
    ['something else', async () => Buffer.from('-- PostgreSQL database dump'), /not a backup/],
    [
      'a backup with a changed row',
      () =>
        changed(backup, {
          file: 'office/000001.copy',
          edit: (text) => text.replace('Office 3', 'Office 8'),
          withSums: false,
        }),
      /damaged: data\/office\/000001.copy/,
    ],
    [
      'an agent in an office that is not there',
      () =>
        changed(backup, {
          file: 'agent/000001.copy',
          edit: (text) => text.replace('7000-8000-000000000002', '7000-8000-0000000000ff'),
          withSums: true,
        }),
      /foreign key constraint "agent_office_id_fkey"/,
    ],
    [
      'a backup of a newer Roster',
      () => inManifest((text) => text.replace('0006-office-names', '9999-newer')),
      /newer Roster \(it has had the migration 9999-newer\)/,
    ],
    [
      'a backup in a newer format',
      () => inManifest((text) => text.replace('"version": 1', '"version": 2')),
      /format 2/,
    ],
  ])('%s', async (_what, broken, said) => {
    const attempt = restore(empty, await broken());
    await expect(attempt).rejects.toThrow(BackupError);
    await expect(attempt).rejects.toThrow(said);
    expect(await tablesIn(empty)).toEqual([]);
  });

  it('anything, where it is not empty', async () => {
    await expect(restore(filled, backup)).rejects.toThrow(/not empty \(admin_event, agent, api_key, …\)/);
  });
});

it('a backup that is cut anywhere, or has a byte changed anywhere, is known to be broken', async () => {
  const check = (bytes: Buffer) => checkBackup({ source: Readable.from([bytes]) });
  expect(await check(backup)).toMatchObject({ rows: { agent: 100, event: 100 } });
  for (let place = 0; place < backup.length; place += 499) {
    await expect(check(backup.subarray(0, place)), `cut at ${place}`).rejects.toThrow(BackupError);
    const bytes = Buffer.from(backup);
    bytes[place] = (bytes[place] ?? 0) ^ 0x10;
    await expect(check(bytes), `changed at ${place}`).rejects.toThrow(BackupError);
  }
});

describe('in the middle of it', () => {
  /** More than everything between the database and the file holds, so that a target that waits stops the reading. */
  async function withMuch(): Promise<TestDatabase> {
    const database = await createTestDatabase();
    await sql`
      create table aaa_not_ours as
      select string_agg(md5(n::text), '') from generate_series(1, 400000) as n group by n / 1000`.execute(
      database.db,
    );
    return database;
  }

  /** Takes the first bytes, waits for `meanwhile`, and then takes the rest. */
  function pausing(meanwhile: () => Promise<void>) {
    const chunks: Buffer[] = [];
    const target = new Writable({
      write(chunk: Buffer, _encoding, done) {
        const ready = chunks.length === 0 ? meanwhile() : Promise.resolve();
        chunks.push(chunk);
        ready.then(() => done(), done);
      },
    });
    return { target, backup: () => Buffer.concat(chunks) };
  }

  /** The first half of a backup, and the second when `meanwhile` is done. */
  async function* halves(bytes: Buffer, meanwhile: () => Promise<unknown>) {
    yield bytes.subarray(0, bytes.length / 2);
    await meanwhile();
    yield bytes.subarray(bytes.length / 2);
  }

  async function killBackups({ db }: TestDatabase): Promise<void> {
    const killed = async () =>
      (
        await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'roster backup'`.execute(db)
      ).rows.length;
    await expect.poll(killed).toBe(1);
  }

  it('what is written meanwhile is not in it, a lost connection or an interrupt ends it', async () => {
    await using source = await withMuch();
    await using writer = connect({ connection: source.connection });
    const { target, backup: taken } = pausing(() => fillDirectory(writer, 20));
    await takeBackup({ connection: source.connection, target });
    expect((await holdingOf(source.db)).tables.agent).toMatch(/^20 rows/);
    const much = taken();
    const cut = takeBackup({
      connection: source.connection,
      target: pausing(() => killBackups(source)).target,
    });
    await expect(cut).rejects.toThrow(/connection to the database was lost/);

    await using empty = await createEmptyDatabase();
    const lost = restoreBackup({
      connection: empty.connection,
      source: Readable.from(halves(much, () => killBackups(empty))),
    });
    await expect(lost).rejects.toThrow(/connection to the database was lost/);
    const interruption = new AbortController();
    const interrupted = restoreBackup({
      connection: empty.connection,
      source: Readable.from(halves(much, async () => interruption.abort(new Error('enough')))),
      signal: interruption.signal,
    });
    await expect(interrupted).rejects.toThrow('enough');
    expect(await tablesIn(empty)).toEqual([]);

    const { rows, leftOut } = await restore(empty, much);
    expect({ leftOut, agents: rows.agent, events: rows.event }).toEqual({
      leftOut: ['aaa_not_ours'],
      agents: 0,
      events: 0,
    });
    // Numbers are no part of a snapshot: that one was given shows that what came later was read after the write.
    expect((await holdingOf(empty.db)).sequences.event_id_seq).toBe('20 true');
  });

  it('a full disk ends it', async () => {
    const full = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('full'), { code: 'ENOSPC' })),
    });
    await expect(takeBackup({ connection: filled.connection, target: full })).rejects.toMatchObject({
      code: 'ENOSPC',
    });
  });
});

it('a database that cannot be reached, or holds no Roster, is named', async () => {
  const target = new Writable();
  const nowhere = takeBackup({ connection: { ...filled.connection, host: '127.0.0.1', port: 1 }, target });
  await expect(nowhere).rejects.toThrow(/cannot be reached: connect ECONNREFUSED/);
  await using empty = await createEmptyDatabase();
  await expect(takeBackup({ connection: empty.connection, target })).rejects.toThrow(/holds no Roster/);
});
