import { Readable, Writable } from 'node:stream';
import { zstdDecompressSync } from 'node:zlib';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../connect.ts';
import { migrationState } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import { makeBackup, withChangedText } from '../testing/backup-files.ts';
import { computeDigest } from '../testing/database-digest.ts';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { insertSampleData } from '../testing/sample-data.ts';
import { BackupError, createBackup, restoreBackup } from './index.ts';

const createEmptyDatabase = () => createTestDatabase({ template: 'template0' });
const restore = ({ connection }: TestDatabase, backup: Buffer) =>
  restoreBackup(connection, Readable.from([backup]));

async function tablesIn({ db }: TestDatabase): Promise<unknown[]> {
  return (await sql`select relname from pg_class where relnamespace = 'public'::regnamespace`.execute(db))
    .rows;
}

let filled: TestDatabase;
let backup: Buffer;
beforeAll(async () => {
  filled = await createTestDatabase();
  await insertSampleData(filled.db, 100);
  backup = await makeBackup(filled.connection);
});
afterAll(() => filled[Symbol.asyncDispose]());

describe('a restored backup', () => {
  it('has every row, every sequence, and every valid constraint, index and trigger', async () => {
    await using empty = await createEmptyDatabase();
    expect(await restore(empty, backup)).toMatchObject({ leftOut: [] });
    expect(await computeDigest(empty.db)).toEqual(await computeDigest(filled.db));
  });

  it('of an older release is migrated', async () => {
    const next = {
      up: async (db: Kysely<unknown>) => void (await sql`alter table office add slogan text`.execute(db)),
    };
    const newer = { ...migrations, '9998-slogans': next };
    await using empty = await createEmptyDatabase();
    await restoreBackup(empty.connection, Readable.from([backup]), { migrations: newer });
    const { rows } = await sql`select slogan from office limit 1`.execute(empty.db);
    expect(rows).toEqual([{ slogan: null }]);
    expect((await migrationState(empty.db, newer)).pending).toEqual([]);
  });

  it('after a loss assigns no position twice, and expires every position that clients have', async () => {
    await using empty = await createEmptyDatabase();
    await restoreBackup(empty.connection, Readable.from([backup]), { isAfterLoss: true });
    await sql`select give_event_positions(1000)`.execute(empty.db);
    const { rows } = await sql<{ gap: number }>`
      select (min(position) filter (where position > compacted_to) - max(position) filter (where position < compacted_to))
        ::float8 as gap from (
        select position from event union all select position from admin_event
      ) as positions, event_log`.execute(empty.db);
    expect(rows[0]?.gap).toBe(1_000_000_001);
  });
});

describe('the database is unchanged if the restore fails, because of', () => {
  let empty: TestDatabase;
  beforeAll(async () => {
    empty = await createEmptyDatabase();
  });
  afterAll(() => empty[Symbol.asyncDispose]());

  it.each([
    ['an incomplete backup', () => backup.subarray(0, -100), /incomplete or damaged/],
    ['a file that is not a backup', () => Buffer.from('-- PostgreSQL database dump'), /not a backup/],
    [
      'a backup without its last line',
      () => withChangedText(backup, (text) => text.slice(0, text.lastIndexOf('{"sequences"'))),
      /incomplete or damaged/,
    ],
    [
      'an agent in an office that does not exist',
      () =>
        withChangedText(backup, (text) =>
          text
            .replaceAll('7000-8000-000000000002', '7000-8000-0000000000ff')
            .replace('7000-8000-0000000000ff', '7000-8000-000000000002'),
        ),
      /foreign key constraint/,
    ],
    [
      'a backup of a newer release',
      () => withChangedText(backup, (text) => text.replace('0001-baseline', '9999-newer')),
      /newer release of Roster \(with the migration 9999-newer\)/,
    ],
    [
      'a backup from before 0.1.0',
      () => withChangedText(backup, (text) => text.replace('0001-baseline', '0001-offices-and-agents')),
      /from before Roster 0\.1\.0/,
    ],
    [
      'a backup in a newer format',
      () => withChangedText(backup, (text) => text.replace('"version":1', '"version":2')),
      /newer format/,
    ],
  ])('%s', async (_, broken, message) => {
    const attempt = restore(empty, broken());
    await expect(attempt).rejects.toThrow(BackupError);
    await expect(attempt).rejects.toThrow(message);
    expect(await tablesIn(empty)).toEqual([]);
  });

  it('a database that is not empty', async () => {
    await expect(restore(filled, backup)).rejects.toThrow(/not empty \(it has the table admin_event\)/);
  });
});

/** The content of a compressed file; undefined if it cannot be read. */
function contentOf(compressed: Buffer): Buffer | undefined {
  try {
    return zstdDecompressSync(compressed);
  } catch {
    return undefined;
  }
}

it('a backup that is truncated or has a changed byte at any position is rejected, and the database stays empty', async () => {
  await using empty = await createEmptyDatabase();
  const content = contentOf(backup);
  for (let offset = 0; offset < backup.length; offset += 1_999) {
    await expect(restore(empty, backup.subarray(0, offset)), `truncated at ${offset}`).rejects.toThrow(
      BackupError,
    );
    const bytes = Buffer.from(backup);
    bytes[offset] = (bytes[offset] ?? 0) ^ 0x10;
    // Some bits of a compressed stream mean nothing.
    if (content !== undefined && contentOf(bytes)?.equals(content)) continue;
    await expect(restore(empty, bytes), `changed at ${offset}`).rejects.toThrow(BackupError);
  }
  expect(await tablesIn(empty)).toEqual([]);
});

describe('during a backup or a restore', () => {
  /** More data than all buffers between the database and the file hold, so that a target that waits stops the reading. */
  async function createLargeDatabase(): Promise<TestDatabase> {
    const database = await createTestDatabase();
    await sql`
      create table aaa_other as
      select string_agg(md5(n::text), '') from generate_series(1, 400000) as n group by n / 1000`.execute(
      database.db,
    );
    return database;
  }

  /** Accepts the first bytes, waits for `meanwhile`, and then accepts the rest. */
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

  /** The first half of a backup, and after `meanwhile` the second. */
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

  it('concurrent writes are not in the snapshot; a lost connection ends it', async () => {
    await using source = await createLargeDatabase();
    await using writer = connect({ connection: source.connection });
    const { target, backup: taken } = pausing(() => insertSampleData(writer, 20));
    await createBackup(source.connection, target);
    expect((await computeDigest(source.db)).tables.agent).toMatch(/^20 rows/);
    const large = taken();
    const cut = createBackup(source.connection, pausing(() => killBackups(source)).target);
    await expect(cut).rejects.toThrow(/connection to the database was lost/);

    await using empty = await createEmptyDatabase();
    const lost = restoreBackup(empty.connection, Readable.from(halves(large, () => killBackups(empty))));
    await expect(lost).rejects.toThrow(/connection to the database was lost/);
    expect(await tablesIn(empty)).toEqual([]);

    expect((await restore(empty, large)).leftOut).toEqual(['aaa_other']);
    expect((await computeDigest(empty.db)).tables.agent).toMatch(/^0 rows/);
    // Sequences are not part of a snapshot: their last value shows that the sequences were read after the write.
    expect((await computeDigest(empty.db)).sequences.event_id_seq).toBe('20 true');
  });

  it('a full disk ends it with the error of the target', async () => {
    const full = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('full'), { code: 'ENOSPC' })),
    });
    await expect(createBackup(filled.connection, full)).rejects.toMatchObject({
      code: 'ENOSPC',
    });
  });
});

it('a database that cannot be reached, or has no tables of Roster, is an error', async () => {
  const target = new Writable();
  const nowhere = createBackup({ ...filled.connection, host: '127.0.0.1', port: 1 }, target);
  await expect(nowhere).rejects.toThrow(/connect ECONNREFUSED/);
  await using empty = await createEmptyDatabase();
  await expect(createBackup(empty.connection, target)).rejects.toThrow(/contains no tables of Roster/);
});
