import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Message, MessageReader } from './server-sent-events.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

function read(text: string, id?: string): Message[] {
  return new MessageReader(id).push(bytes(text));
}

it.each([
  ['LF', '\n'],
  ['CR', '\r'],
  ['CRLF', '\r\n'],
])('reads lines that end in %s', (_, end) => {
  const text = ['id: 1', 'data: one', '', 'id: 2', 'data: two', '', ''].join(end);
  expect(read(text)).toEqual([
    { id: '1', data: 'one' },
    { id: '2', data: 'two' },
  ]);
});

it.each([
  ['skips a byte order mark at the beginning', '\uFEFFdata: x\n\n', [{ id: undefined, data: 'x' }]],
  ['skips comments and fields it does not know', ': alive\nevent: x\nother: y\ndata: x\n\n', [{ data: 'x' }]],
  ['joins lines of data', 'data: a\ndata:b\ndata\ndata: c\n\n', [{ data: 'a\nb\n\nc' }]],
  ['takes off one space, and no more', 'data:  a \n\n', [{ data: ' a ' }]],
  ['reads a field without a colon as one without a value', 'data\n\n', [{ data: '' }]],
  ['keeps a colon in the data', 'data: {"a":1}\n\n', [{ data: '{"a":1}' }]],
  ['says that the id moved, without data', 'id: 7\n\n', [{ id: '7', data: undefined }]],
  ['keeps the id until the next one', 'id: 7\ndata: a\n\ndata: b\n\n', [{ id: '7' }, { id: '7' }]],
  ['ignores an id with NUL', 'id: 7\n\nid: a\0b\ndata: a\n\n', [{ id: '7' }, { id: '7', data: 'a' }]],
  ['says nothing of an empty message', ': x\n\n\n\n', []],
  ['says nothing of a message that has not ended', 'data: a\n', []],
])('%s', (_, text, expected) => {
  const messages = read(text);
  expect(messages).toHaveLength(expected.length);
  expect(messages).toMatchObject(expected);
});

it('begins with the id it was given', () => {
  expect(read('data: a\n\n', '41')).toEqual([{ id: '41', data: 'a' }]);
});

it('keeps how long to wait before the next connection, where it is a number', () => {
  const reader = new MessageReader();
  reader.push(bytes('retry: 2500\nretry: soon\n\n'));
  expect(reader.retryMs).toBe(2_500);
});

it('reads the same however the bytes are cut, inside a character and inside CRLF too', () => {
  const text = '\uFEFF: ♥\r\nid: α\r\ndata: 東京\r\ndata: 🏠\r\n\r\nid: 2\rdata: x\r\rdata: é\n\nid: 3\n\n';
  const all = bytes(text);
  const whole = new MessageReader().push(all);
  expect(whole).toHaveLength(4);
  fc.assert(
    fc.property(fc.array(fc.nat(all.length)), (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), all.length];
      const reader = new MessageReader();
      const messages = places.flatMap((place, index) => reader.push(all.slice(place, places[index + 1])));
      expect(messages).toEqual(whole);
    }),
  );
});
