import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import { Client, DatabaseError } from 'pg';
import { expect, it } from 'vitest';
import { type DataRow, withRawRows } from './data-row-parser.ts';
import { connectionInternals } from './pg-internals.ts';

function message(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(5, type);
  header.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([header, body]);
}

function dataRow(columns: (string | null)[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeInt16BE(columns.length);
  const values = columns.flatMap((column) => {
    const value = Buffer.from(column ?? '');
    const length = Buffer.alloc(4);
    length.writeInt32BE(column === null ? -1 : value.length);
    return [length, value];
  });
  return message('D', Buffer.concat([count, ...values]));
}

const bindComplete = message('2', Buffer.alloc(0));
const commandComplete = message('C', Buffer.from('SELECT 2\0'));
const error = message('E', Buffer.from('SERROR\0C22012\0Mdivision by zero\0\0'));

/** The events of a connection that receives these reads from its socket. */
function eventsOf(reads: Buffer[]): unknown[] {
  // With TLS the connection parses what the TLS socket emits.
  const connection = connectionInternals(new (withRawRows(Client))({ ssl: true }).connection);
  const events: unknown[] = [];
  connection.on('bindComplete', ({ name }) => events.push(name));
  connection.on('dataRow', ({ fields, bytes }: DataRow) => events.push({ fields, bytes }));
  connection.on('commandComplete', ({ text }) => events.push(text));
  connection.on('errorMessage', (failure) => events.push(failure));
  const socket = new EventEmitter();
  connection.attachListeners(socket as typeof connection.stream);
  for (const read of reads) socket.emit('data', read);
  return events;
}

it('emits every message in order, rows with their columns as text and as bytes', () => {
  const received = Buffer.concat([
    bindComplete,
    dataRow(['Łódź', null]),
    dataRow([]),
    commandComplete,
    error,
  ]);
  const events = [
    'bindComplete',
    { fields: ['Łódź', null], bytes: [Buffer.from('Łódź').toString('latin1'), null] },
    { fields: [], bytes: [] },
    'SELECT 2',
    expect.objectContaining({ code: '22012', message: 'division by zero' }),
  ];
  expect(eventsOf([received])).toEqual(events);
  expect(eventsOf([received]).at(-1)).toBeInstanceOf(DatabaseError);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 10, maxLength: 100 }), (sizes) => {
      const reads: Buffer[] = [];
      let at = 0;
      for (const size of sizes) {
        reads.push(received.subarray(at, at + size));
        at += size;
      }
      reads.push(received.subarray(at));
      expect(eventsOf(reads)).toEqual(events);
    }),
  );
});
