import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { Client, Connection, Query } from 'pg';
import utils from 'pg/lib/utils.js';
import { parse } from 'pg-protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/driver-helpers.ts';
import { openDatabaseSocket } from './host-addresses.ts';
import { clientInternals, connectionInternals } from './pg-internals.ts';
import { StatementQuery } from './statement.ts';
import { BatchQuery } from './statement-batch.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const require = createRequire(import.meta.url);

function versionIn(path: string): string {
  return JSON.parse(readFileSync(path, 'utf8')).version;
}

/** The methods that a client calls on a query. */
function handlersOf(prototype: object): string[] {
  return Object.getOwnPropertyNames(prototype).filter((name) => /^(submit|handle)/.test(name));
}

describe('the undocumented parts of node-postgres that this package uses', () => {
  it('are those of the versions they were reviewed for', () => {
    expect(versionIn(require.resolve('pg/package.json'))).toBe('8.23.1');
    expect(versionIn(join(dirname(require.resolve('pg-protocol')), '..', 'package.json'))).toBe('1.16.1');
  });

  it('include a pipeline that accepts subclasses of Query and nothing else', async () => {
    const client = new Client({ pipeline: true });
    const rejected = new Promise<Error>((handleError) => {
      client.query({ submit: () => undefined, handleError } as { submit: () => void });
    });
    expect((await rejected).message).toMatch(/pipeline mode/);
    expect(StatementQuery.prototype).toBeInstanceOf(Query);
  });

  it('include no method of Query that a client calls and the subclasses do not replace', () => {
    // Portals are never suspended, because all rows are requested at once; COPY is not sent.
    const unreachable = ['handlePortalSuspended', 'handleCopyInResponse', 'handleCopyData'];
    const handlers = handlersOf(Query.prototype).filter((name) => !unreachable.includes(name));
    expect(handlers.length).toBeGreaterThan(5);
    expect(BatchQuery.prototype).toBeInstanceOf(StatementQuery);
    expect(handlersOf(StatementQuery.prototype).toSorted()).toEqual(handlers.toSorted());
  });

  it('include a connection that has its stream parsed by attachListeners', async () => {
    const stream = new Socket();
    const connection = connectionInternals(new Connection({ stream: () => stream }));
    expect(connection.stream).toBe(stream);
    const attached: unknown[] = [];
    connection.attachListeners = (to) => attached.push(to);
    connection.on('error', () => undefined);
    connection.connect(1, '127.0.0.1');
    expect(attached).toEqual([stream]);
    stream.destroy();
  });

  it('include a parser that reads from any emitter, and calls back before it returns', () => {
    const source = new EventEmitter();
    const names: string[] = [];
    void parse(source as NodeJS.ReadableStream, ({ name }) => names.push(name));
    source.emit('data', Buffer.from([0x32, 0, 0, 0, 4, 0x31, 0, 0, 0, 4]));
    expect(names).toEqual(['bindComplete', 'parseComplete']);
  });

  it('include the host and port of a client, which are used when it connects, and its backend key', async () => {
    const { host, port, user, database: name } = database.connection;
    const config = { host: 'placeholder.invalid', user, database: name, stream: () => openDatabaseSocket() };
    const client = clientInternals(new Client(config));
    client.host = host;
    client.port = port;
    await client.connect();
    const { rows } = await client.query('select pg_backend_pid() as pid');
    const { processID, secretKey, sslNegotiation } = client;
    await client.end();
    expect({ processID, sslNegotiation }).toEqual({ processID: rows[0].pid, sslNegotiation: 'postgres' });
    expect(secretKey).toEqual(expect.any(Number));
  });

  it('include the encoding of values', () => {
    const encoded = [null, 1.5, true, 'text', ['a', null], { a: 1 }].map(utils.prepareValue);
    expect(encoded).toEqual([null, '1.5', 'true', 'text', '{"a",NULL}', '{"a":1}']);
    expect(utils.prepareValue(Buffer.from('x'))).toEqual(Buffer.from('x'));
  });
});
