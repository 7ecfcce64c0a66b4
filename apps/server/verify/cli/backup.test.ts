import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { backup, restore } from '../../src/cli/backup.ts';
import { CommandError, UsageError } from '../../src/cli/command.ts';
import type { LongInvocation } from '../../src/cli/run-with-progress.ts';
import { writeFileAtomic } from '../../src/cli/write-file-atomic.ts';
import { bearer, keyWith } from '../../test/support/auth/keys.ts';
import { bodyOf, directoryOf } from '../../test/support/fixtures.ts';
import { startReceiver } from '../../test/support/http/receiver.ts';
import { startTestServer, type TestServer } from '../../test/support/index.ts';
import { QUICKLY, until, webhooksOf } from '../../test/support/webhooks.ts';

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

/** The input and output of a command, with the lines that it printed and the bytes that it wrote. */
function testIo(database: Pick<TestDatabase, 'url'>, args: string[], more: Partial<LongInvocation> = {}) {
  const said: string[] = [];
  const written: Buffer[] = [];
  const io: LongInvocation = {
    args,
    environment: { DATABASE_URL: database.url },
    stdin: Readable.from([]),
    stdout: new Writable({
      write(chunk: Buffer, _encoding, done) {
        written.push(Buffer.from(chunk));
        done();
      },
    }),
    printError: (line) => said.push(line),
    showProgress: undefined,
    signal: new AbortController().signal,
    ...more,
  };
  return { io, said, written: () => Buffer.concat(written) };
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
  it('is complete, readable by its owner alone, and replaces another file only with --replace', async () => {
    await backup(testIo(source, [file()]).io);
    const { mode, ino } = await stat(file());
    expect(mode & 0o777).toBe(0o600);
    await expect(backup(testIo(source, [file()]).io)).rejects.toThrow(/--replace/);
    expect((await stat(file())).ino).toBe(ino);
    await backup(testIo(source, ['--replace', file()]).io);
    expect((await stat(file())).ino).not.toBe(ino);
    expect(await readdir(directory)).toEqual(['roster.backup']);
  });

  it('leaves nothing behind if it is interrupted or the disk is full', async () => {
    const interruption = new AbortController();
    const { io } = testIo(source, [file()], {
      signal: interruption.signal,
      showProgress: () => interruption.abort(new CommandError('Stopped.', 130)),
    });
    await expect(backup(io)).rejects.toMatchObject({ exitCode: 130 });
    const full = writeFileAtomic(file(), false, async (target) => {
      target.write('a beginning');
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    });
    await expect(full).rejects.toThrow('no space left');
    expect(await readdir(directory)).toEqual([]);
  });

  it('can be written to a pipe and restored from one', async () => {
    const { io, written } = testIo(source, []);
    await backup(io);
    await using target = await createTestDatabase({ template: 'template0' });
    const restored = testIo(target, ['-'], { stdin: Readable.from([written()]) });
    await restore(restored.io);
    expect(restored.said.join()).toContain('Restored the state of');
  });
});

it('a backup on a terminal is a usage error', async () => {
  const { io } = testIo(source, []);
  const attempt = backup({ ...io, stdout: Object.assign(io.stdout, { isTTY: true }) });
  await expect(attempt).rejects.toThrow(UsageError);
});

it('a file that is not a backup is rejected before a connection to the database is opened', async () => {
  await writeFile(file(), 'something else');
  const nowhere = { url: 'postgres://127.0.0.1:1/none' };
  await expect(restore(testIo(nowhere, [file()]).io)).rejects.toThrow(/not a backup/);
});
