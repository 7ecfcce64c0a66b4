import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BUFFER_SIZE, ReceiveBuffer } from './receive-buffer.ts';

/** A message of PostgreSQL's protocol with this type and a body of this length. */
function message(type: number, length: number): Buffer {
  const bytes = Buffer.alloc(1 + 4 + length, type);
  bytes.writeUInt32BE(4 + length, 1);
  return bytes;
}

/** Passes bytes to a buffer in reads of these sizes; returns what it passed on. */
function receive(bytes: Buffer, sizes: Iterable<number>): { passedOn: Buffer[]; buffer: ReceiveBuffer } {
  const passedOn: Buffer[] = [];
  const buffer = new ReceiveBuffer((messages) => passedOn.push(Buffer.from(messages)));
  let at = 0;
  for (const size of sizes) {
    const room = buffer.writable;
    const length = bytes.copy(room, 0, at, at + Math.min(size, room.length));
    buffer.commit(length);
    at += length;
    if (at === bytes.length) break;
  }
  return { passedOn, buffer };
}

function* always(size: number) {
  for (;;) yield size;
}

function isWhole(bytes: Buffer): boolean {
  let at = 0;
  while (at < bytes.length) at += 1 + bytes.readUInt32BE(at + 1);
  return at === bytes.length;
}

it('passes on every message once, whole and in order, wherever the reads split them', () => {
  const lengths = fc.array(fc.oneof(fc.nat(20), fc.nat(3_000)), { minLength: 1, maxLength: 20 });
  const cuts = fc.infiniteStream(fc.integer({ min: 1, max: 4_000 }));
  fc.assert(
    fc.property(lengths, cuts, (all, sizes) => {
      const bytes = Buffer.concat(all.map((length, index) => message(65 + index, length)));
      const { passedOn } = receive(bytes, sizes);
      expect(Buffer.concat(passedOn).equals(bytes)).toBe(true);
      expect(passedOn.every(isWhole)).toBe(true);
    }),
  );
});

it.each([BUFFER_SIZE - 5, BUFFER_SIZE - 4, BUFFER_SIZE, 5 * BUFFER_SIZE])(
  'grows for a message of %i bytes, and shrinks afterwards',
  (length) => {
    const bytes = Buffer.concat([message(68, length), message(90, 1)]);
    const { passedOn, buffer } = receive(bytes, always(65_536));
    expect(Buffer.concat(passedOn).equals(bytes)).toBe(true);
    expect(buffer.writable).toHaveLength(BUFFER_SIZE);
  },
);
