import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { MIGRATION_LOCK } from '@roster/db';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { backup, restore } from '../../src/cli/backup.ts';
import type { Invocation } from '../../src/cli/command.ts';
import { bearer, keyWith } from '../support/auth/keys.ts';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { startReceiver } from '../support/http/receiver.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { QUICKLY, until, webhooksOf } from '../support/webhooks.ts';

let directory: string;
let source: TestDatabase;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'roster-backup-'));
  source = await createTestDatabase();
});
afterAll(async () => {
  await source[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});
beforeEach(async () => {
  for (const name of await readdir(directory)) await rm(join(directory, name));
});

/** The invocation of a command on a database, with the lines that it printed. */
function testIo(database: Pick<TestDatabase, 'url'>, args: string[]) {
  const said: string[] = [];
  const tell = (line: string) => said.push(line);
  const io: Invocation = {
    args,
    environment: { DATABASE_URL: database.url },
    print: tell,
    printError: tell,
  };
  return { io, said };
}

const file = () => join(directory, 'roster.backup');

/** What the events after a place are, and where to go on. */
async function eventsAfter({ request }: Pick<TestServer, 'request'>, after: string) {
  return bodyOf<{ items: { position: number; type: string }[]; nextAfter: string }>(
    await request('GET', `/events?after=${after}`),
  );
}

describe('a server on a restored backup', () => {
  it('continues where the other stopped: ids, keys, idempotent responses, the event log, webhooks, tombstones', async () => {
    await using receiver = await startReceiver();
    const old = await startTestServer({ database: source, webhooks: QUICKLY });
    const { office, remove } = directoryOf(old);
    const kept = await office();
    const gone = await office();
    await remove('offices', gone.id);
    const key = bearer((await keyWith(old, ['offices:read', 'offices:write'])).secret);
    const repeated = { ...key, 'Idempotency-Key': 'once' };
    const first = await bodyOf(await old.request('POST', '/offices', { name: 'Once' }, repeated));
    // A webhook receives the events that get their position after it was created.
    await until(
      async () => (await eventsAfter(old, '0')).items.length === 4,
      'the events before the webhook',
    );
    await webhooksOf(old).create({ url: receiver.url });
    await office();
    await until(() => receiver.taken.length === 1, 'the event of the webhook');
    const { items, nextAfter } = await eventsAfter(old, '0');
    await old[Symbol.asyncDispose]();

    await using target = await createTestDatabase({ template: 'template0' });
    await backup(testIo(source, [file()]).io);
    await restore(testIo(target, [file()]).io);

    await using server = await startTestServer({ database: target, webhooks: QUICKLY });
    expect(await bodyOf(await server.request('GET', `/offices/${kept.id}`, undefined, key))).toEqual(kept);
    const again = await server.request('POST', '/offices', { name: 'Once' }, repeated);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(await bodyOf(again)).toEqual(first);
    expect(await eventsAfter(server, nextAfter)).toMatchObject({ items: [], nextAfter });
    expect((await server.request('PUT', `/offices/${gone.id}/restore`)).status).toBe(200);
    await until(() => receiver.taken.length === 2, 'the event after the restore');
    const next = { position: (items.at(-1)?.position ?? 0) + 1, type: 'office.restored' };
    expect((await eventsAfter(server, nextAfter)).items).toMatchObject([next]);
    expect(receiver.received.at(-1)?.data).toMatchObject(next);
    expect(receiver.received).toHaveLength(2);
  });
});

describe('a backup file', () => {
  it('is readable by its owner alone, and never replaces another file', async () => {
    await backup(testIo(source, [file()]).io);
    const { mode, ino } = await stat(file());
    expect(mode & 0o777).toBe(0o600);
    await expect(backup(testIo(source, [file()]).io)).rejects.toThrow(/exists already/);
    expect((await stat(file())).ino).toBe(ino);
  });

  it('is not left behind if the backup fails or is interrupted', async () => {
    const nowhere = { url: 'postgres://127.0.0.1:1/none' };
    await expect(backup(testIo(nowhere, [file()]).io)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(await readdir(directory)).toEqual([]);
    // The backup waits for a migration.
    await source.db.connection().execute(async (migrating) => {
      await sql`select pg_advisory_lock(${MIGRATION_LOCK}::bigint)`.execute(migrating);
      const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
      const env = { ...process.env, DATABASE_URL: source.url };
      const child = spawn(process.execPath, [main, 'backup', file()], { env, stdio: 'ignore' });
      const ended = once(child, 'exit');
      await expect.poll(() => readdir(directory)).toEqual(['roster.backup']);
      child.kill('SIGINT');
      expect(await ended).toEqual([130, null]);
      await sql`select pg_advisory_unlock(${MIGRATION_LOCK}::bigint)`.execute(migrating);
    });
    expect(await readdir(directory)).toEqual([]);
  });
});

it('writes to standard output and restores from standard input when the file is -, and names a file that already exists', async () => {
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
  const call = async (url: string, command: string) => {
    const env = { ...process.env, DATABASE_URL: url, MAIN: main, NODE: process.execPath, FILE: file() };
    const child = spawn('sh', ['-c', command], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    return { code, stderr };
  };
  await using empty = await createTestDatabase({ template: 'template0' });
  expect(await call(source.url, '"$NODE" "$MAIN" backup - > "$FILE"')).toMatchObject({ code: 0 });
  expect(await call(empty.url, '"$NODE" "$MAIN" restore - < "$FILE"')).toMatchObject({ code: 0 });
  const refused = await call(source.url, '"$NODE" "$MAIN" backup "$FILE"');
  expect(refused).toEqual({
    code: 1,
    stderr: expect.stringContaining('exists already, and a backup replaces no file'),
  });
});

it('a file that is not a backup is rejected before a connection to the database is opened', async () => {
  await writeFile(file(), 'something else');
  const nowhere = { url: 'postgres://127.0.0.1:1/none' };
  await expect(restore(testIo(nowhere, [file()]).io)).rejects.toThrow(/not a backup/);
});
