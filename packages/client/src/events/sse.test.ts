import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EventStreamParser, MESSAGE_LENGTH_MAX, type Message } from './sse.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

function parse(text: string, id?: string): Message[] {
  return new EventStreamParser(id).push(bytes(text));
}

it.each([
  ['LF', '\n'],
  ['CR', '\r'],
  ['CRLF', '\r\n'],
])('parses lines that end in %s', (_, end) => {
  const text = ['id: 1', 'data: one', '', 'id: 2', 'data: two', '', ''].join(end);
  expect(parse(text)).toEqual([
    { id: '1', data: 'one' },
    { id: '2', data: 'two' },
  ]);
});

it.each([
  ['skips a byte order mark at the beginning', '\uFEFFdata: x\n\n', [{ id: undefined, data: 'x' }]],
  ['skips comments and unknown fields', ': alive\nevent: x\nother: y\ndata: x\n\n', [{ data: 'x' }]],
  ['joins data lines', 'data: a\ndata:b\ndata\ndata: c\n\n', [{ data: 'a\nb\n\nc' }]],
  ['removes one leading space', 'data:  a \n\n', [{ data: ' a ' }]],
  ['parses a field without a colon as one with an empty value', 'data\n\n', [{ data: '' }]],
  ['keeps a colon in the data', 'data: {"a":1}\n\n', [{ data: '{"a":1}' }]],
  ['returns an id without data', 'id: 7\n\n', [{ id: '7', data: undefined }]],
  ['keeps the id until the next one', 'id: 7\ndata: a\n\ndata: b\n\n', [{ id: '7' }, { id: '7' }]],
  ['ignores an id with NUL', 'id: 7\n\nid: a\0b\ndata: a\n\n', [{ id: '7' }, { id: '7', data: 'a' }]],
  ['ignores an empty message', ': x\n\n\n\n', []],
  ['ignores an incomplete message', 'data: a\n', []],
])('%s', (_, text, expected) => {
  const messages = parse(text);
  expect(messages).toHaveLength(expected.length);
  expect(messages).toMatchObject(expected);
});

it('starts with the given id', () => {
  expect(parse('data: a\n\n', '41')).toEqual([{ id: '41', data: 'a' }]);
});

it('keeps a retry time that is a number', () => {
  const parser = new EventStreamParser();
  parser.push(bytes('retry: 2500\nretry: soon\n\n'));
  expect(parser.retryMs).toBe(2_500);
});

it('returns the same messages for any chunks, even if cut inside a character or CRLF', () => {
  const text = '\uFEFF: ♥\r\nid: α\r\ndata: 東京\r\ndata: 🏠\r\n\r\nid: 2\rdata: x\r\rdata: é\n\nid: 3\n\n';
  const all = bytes(text);
  const whole = new EventStreamParser().push(all);
  expect(whole).toHaveLength(4);
  fc.assert(
    fc.property(fc.array(fc.nat(all.length)), (cuts) => {
      const offsets = [0, ...cuts.sort((a, b) => a - b), all.length];
      const parser = new EventStreamParser();
      const messages = offsets.flatMap((offset, index) => parser.push(all.slice(offset, offsets[index + 1])));
      expect(messages).toEqual(whole);
    }),
  );
});

it('parses a line of 15 million characters in 10,000 chunks without searching the line again for each', () => {
  const parser = new EventStreamParser();
  const chunk = bytes('x'.repeat(1_500));
  parser.push(bytes('data: '));
  for (let count = 0; count < 10_000; count += 1) parser.push(chunk);
  const [message] = parser.push(bytes('\n\n'));
  expect(message?.data).toHaveLength(15_000_000);
});

it.each([
  ['a line that does not end', 'x'.repeat(100_000)],
  ['data lines without an end of the message', `data: ${'x'.repeat(100_000)}\n`],
  ['a comment that does not end', `:${'x'.repeat(100_000)}`],
])('rejects a message that is too long: %s', (_, text) => {
  const parser = new EventStreamParser();
  const chunk = bytes(text);
  const push = () => {
    for (let length = 0; length <= MESSAGE_LENGTH_MAX; length += 100_000) parser.push(chunk);
  };
  expect(push).toThrow(RangeError);
});

it('counts the length of each message by itself', () => {
  const parser = new EventStreamParser();
  const chunk = bytes(`data: ${'x'.repeat(MESSAGE_LENGTH_MAX / 2)}\n\n`);
  for (let count = 0; count < 4; count += 1) expect(parser.push(chunk)).toHaveLength(1);
});
