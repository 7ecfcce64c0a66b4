import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BUFFER_SIZE, ReceiveBuffer } from './receive-buffer.ts';

/** A message of PostgreSQL's protocol: its kind, its length with that of the length, and so many bytes. */
function message(kind: number, length: number): Buffer {
  const bytes = Buffer.alloc(1 + 4 + length, kind);
  bytes.writeUInt32BE(4 + length, 1);
  return bytes;
}

/** Gives an buffer these bytes as they may arrive, so many at once; answers what it told. */
function arriving(bytes: Buffer, sizes: Iterable<number>): { told: Buffer[]; buffer: ReceiveBuffer } {
  const told: Buffer[] = [];
  const buffer = new ReceiveBuffer((messages) => told.push(Buffer.from(messages)));
  let at = 0;
  for (const size of sizes) {
    const room = buffer.writable;
    const length = bytes.copy(room, 0, at, at + Math.min(size, room.length));
    buffer.commit(length);
    at += length;
    if (at === bytes.length) break;
  }
  return { told, buffer };
}

function* always(size: number) {
  for (;;) yield size;
}

function isWhole(bytes: Buffer): boolean {
  let at = 0;
  while (at < bytes.length) at += 1 + bytes.readUInt32BE(at + 1);
  return at === bytes.length;
}

it('tells of every message once, whole and in order, wherever the reads cut them', () => {
  const lengths = fc.array(fc.oneof(fc.nat(20), fc.nat(3_000)), { minLength: 1, maxLength: 20 });
  const cuts = fc.infiniteStream(fc.integer({ min: 1, max: 4_000 }));
  fc.assert(
    fc.property(lengths, cuts, (all, sizes) => {
      const bytes = Buffer.concat(all.map((length, index) => message(65 + index, length)));
      const { told } = arriving(bytes, sizes);
      expect(Buffer.concat(told).equals(bytes)).toBe(true);
      expect(told.every(isWhole)).toBe(true);
    }),
  );
});

it.each([BUFFER_SIZE - 5, BUFFER_SIZE - 4, BUFFER_SIZE, 5 * BUFFER_SIZE])(
  'makes room for a message of %i bytes, and gives it back after',
  (length) => {
    const bytes = Buffer.concat([message(68, length), message(90, 1)]);
    const { told, buffer } = arriving(bytes, always(65_536));
    expect(Buffer.concat(told).equals(bytes)).toBe(true);
    expect(buffer.writable).toHaveLength(BUFFER_SIZE);
  },
);
