import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { startProxy } from '@roster/local-postgres/testing/proxy';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../../src/connect.ts';
import { PrimaryResolver } from '../../src/hosts/primary-resolver.ts';
import { listen } from '../../src/listen.ts';
import { createTestDatabase, read, type TestDatabase } from '../../src/testing/driver-helpers.ts';

/** So long that PostgreSQL responds within it on a machine whose cores are all in use. */
const UNRESPONSIVE_MS = 2_000;

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database[Symbol.asyncDispose]());

const DEAD = { host: '127.0.0.1', port: 1 };

function urlOf(servers: { host: string; port: number }[], target = 'read-write'): string {
  const { username, password, pathname } = new URL(database.url);
  const hosts = servers.map(({ host }) => host).join();
  const ports = servers.map(({ port }) => port).join();
  return `postgres://${username}:${password}@${pathname}?host=${hosts}&port=${ports}&target_session_attrs=${target}`;
}

async function makeReadOnly(isReadOnly: boolean): Promise<void> {
  const name = sql.id(database.connection.database);
  await sql`alter database ${name} set default_transaction_read_only to ${sql.raw(isReadOnly ? 'on' : 'off')}`.execute(
    database.db,
  );
}

describe('with several hosts', () => {
  it('pools, pipelines and listeners connect to the host that accepts writes', async () => {
    const resolver = new PrimaryResolver(urlOf([DEAD, database.connection]));
    const db = connect({ connection: resolver });
    let heard = 0;
    const listener = listen({ connection: resolver, channels: { news: () => (heard += 1) } });
    await sql`create table note (text text)`.execute(db);
    expect(await read(db, 'select count(*)::int as notes from note')).toEqual({ notes: 0 });
    await expect.poll(() => heard).toBeGreaterThan(0);
    await listener.close();
    await db.destroy();
  });

  it('the error lists all hosts if none accepts writes, and they are probed again', async () => {
    await makeReadOnly(true);
    const db = connect({ connection: urlOf([DEAD, database.connection]), timeouts: { connectMs: 60_000 } });
    const failure = await sql`select 1`.execute(db).catch((error: Error) => error);
    expect(failure).toMatchObject({ name: 'ConnectionLostError' });
    expect(String((failure as Error).cause)).toMatch(/ECONNREFUSED.*does not accept writes/);
    await sql`set default_transaction_read_only to off`.execute(database.db);
    await makeReadOnly(false);
    await expect.poll(() => read(db, 'select 1 as one').catch(() => undefined)).toEqual({ one: 1 });
    await db.destroy();
  });

  it('a primary that accepts no more connections causes an OverloadedError', async () => {
    // Roles belong to the cluster, which other tests share.
    const user = `full_${database.connection.database}`;
    await sql`create role ${sql.ref(user)} login password 'x' connection limit 0`.execute(database.db);
    try {
      const url = urlOf([DEAD, database.connection]).replace(/\/\/[^@]*@/, `//${user}:x@`);
      const db = connect({ connection: url });
      await expect(sql`select 1`.execute(db)).rejects.toMatchObject({ name: 'OverloadedError' });
      await db.destroy();
    } finally {
      await sql`drop role ${sql.ref(user)}`.execute(database.db);
    }
  });

  it('another host is used when the primary is lost', async () => {
    const first = await startProxy(database);
    await using second = await startProxy(database);
    const db = connect({ connection: urlOf([first.connection, second.connection]) });
    await sql`create table note (text text)`.execute(db);
    await first[Symbol.asyncDispose]();
    await expect
      .poll(() =>
        sql`insert into note values ('after')`.execute(db).then(
          () => 'written',
          () => 'lost',
        ),
      )
      .toBe('written');
    expect(await read(db, 'select text from note')).toEqual({ text: 'after' });
    await db.destroy();
  });

  it('a primary is used whose pooler still reports the standby that it was, as PgBouncer does', async () => {
    const stale = (answer: Buffer) => {
      const place = answer.indexOf('in_hot_standby\0off\0');
      // Of the same length, so that the message is whole.
      if (place >= 0) answer.write('on\0\0', place + 'in_hot_standby\0'.length, 'latin1');
      return true;
    };
    await using pooler = await startProxy(database, { mayPass: stale });
    const db = connect({ connection: urlOf([DEAD, pooler.connection]) });
    expect(await read(db, 'select 1 as one')).toEqual({ one: 1 });
    await db.destroy();
  });

  it('a host that does not respond does not delay the search', async () => {
    await using silent = await startProxy(database);
    silent.stall();
    const resolver = new PrimaryResolver(urlOf([silent.connection, database.connection]));
    expect(await resolver.resolve()).toEqual({
      host: database.connection.host,
      port: database.connection.port,
    });
  });
});

describe('a host that stops responding', () => {
  it('is replaced by one that responds, which also answers the reads in flight', async () => {
    await using first = await startProxy(database);
    await using second = await startProxy(database);
    const connection = urlOf([first.connection, second.connection]);
    const db = connect({ connection, timeouts: { unresponsiveMs: UNRESPONSIVE_MS, connectMs: 60_000 } });
    await sql`create table note (text text)`.execute(db);
    expect(await read(db, 'select count(*)::int as notes from note')).toEqual({ notes: 0 });
    first.stall();
    // The read is sent again; it is unknown whether the write was committed.
    const writing = sql`insert into note values ('lost')`.execute(db);
    const lost = expect(writing).rejects.toMatchObject({ name: 'ConnectionLostError' });
    expect(await read(db, `select 'answered' as text`)).toEqual({ text: 'answered' });
    await lost;
    await sql`insert into note values ('written')`.execute(db);
    await db.destroy();
  });

  it('opens the circuit if it was the last one, until a host accepts writes', async () => {
    await using first = await startProxy(database);
    await using second = await startProxy(database);
    second.cut();
    const db = connect({
      connection: urlOf([first.connection, second.connection]),
      timeouts: { unresponsiveMs: UNRESPONSIVE_MS },
    });
    await read(db, 'select 1');
    first.stall();
    await expect(sql`select 1`.execute(db)).rejects.toMatchObject({ name: 'ConnectionLostError' });
    const startedMs = performance.now();
    await expect(sql`select 1`.execute(db)).rejects.toMatchObject({ name: 'ConnectionLostError' });
    // Without the circuit it would wait for as long as the first.
    expect(performance.now() - startedMs).toBeLessThan(UNRESPONSIVE_MS);
    await second.mend();
    await expect.poll(() => read(db, 'select 1 as one').catch(() => undefined)).toEqual({ one: 1 });
    await db.destroy();
  });
});

/** A message from PostgreSQL: its type, its length, its fields. */
function message(type: string, fields: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  return Buffer.concat([Buffer.from(type), length, fields]);
}

/** A PostgreSQL that accepts a connection and ends it in the same packet, as one whose postmaster is killed then may. */
async function startDyingServer() {
  const reported = ['in_hot_standby', 'default_transaction_read_only'];
  const response = Buffer.concat([
    message('R', Buffer.alloc(4)),
    ...reported.map((name) => message('S', Buffer.from(`${name}\0off\0`))),
    message('Z', Buffer.from('I')),
    message(
      'E',
      Buffer.from('SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0'),
    ),
  ]);
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.end(response));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      server.close();
    },
  };
}

describe('a server that ends a connection at the moment it accepts it', () => {
  it('rejects the statements that wait, and the process goes on', async () => {
    await using server = await startDyingServer();
    const db = connect({ connection: urlOf([DEAD, server]), timeouts: { connectMs: 60_000 } });
    const insert = sql`insert into note values ('lost')`.execute(db);
    await expect(insert).rejects.toMatchObject({ name: 'ConnectionLostError' });
    await expect(read(db, 'select 1')).rejects.toMatchObject({ name: 'ConnectionLostError' });
    await db.destroy();
  });
});

describe('a server that stops accepting writes', () => {
  it('loses the connection on which a write has failed', async () => {
    const db = connect({ connection: database.connection, pool: { max: 1 } });
    await sql`create table note (text text)`.execute(db);
    await sql`set default_transaction_read_only to on`.execute(db);
    await expect(sql`insert into note values ('lost')`.execute(db)).rejects.toMatchObject({ code: '25006' });
    await sql`insert into note values ('written')`.execute(db);
    expect(await read(db, 'select text from note')).toEqual({ text: 'written' });
    await db.destroy();
  });
});
