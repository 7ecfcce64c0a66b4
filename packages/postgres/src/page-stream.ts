import { Socket } from 'node:net';

/** In the place of a long column. No text of PostgreSQL contains it. */
export const LONG_COLUMN = '\0';
/** A column that has more bytes is long. */
const LONG_BYTES = 1_024;
const BUFFER_BYTES = 65_536;
/** A larger buffer is not kept. */
const KEPT_BYTES = 1_048_576;
/** A message is its type, its length without the type, and its content. */
const HEADER_BYTES = 5;
const DATA_ROW = 'D'.charCodeAt(0);

export interface PageStream {
  /** To be given to node-postgres as the `stream` of a connection without TLS. */
  socket: Socket;
  /** The next long column of the row that was received last, each character a byte. */
  takeLong: () => string;
}

/**
 * A socket that takes long columns out of rows before node-postgres, which would decode them, sees them. It reads into one buffer again and
 * again, where a stream has a new one for each piece.
 */
export function pageStream(): PageStream {
  let buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  /** Received, and not passed on yet. */
  let [start, end] = [0, 0];
  let long: string[] = [];

  const socket: Socket = new Socket({ onread: { buffer: space, callback: receive } });

  /** Place of the next piece. At least half of the buffer is free. */
  function space(): Buffer {
    const received = end - start;
    let next = buffer;
    if (received > buffer.length / 2) next = Buffer.allocUnsafeSlow(buffer.length * 2);
    else if (received === 0 && buffer.length > KEPT_BYTES) next = Buffer.allocUnsafeSlow(BUFFER_BYTES);
    if (start > 0 || next !== buffer) buffer.copy(next, 0, start, end);
    [buffer, start, end] = [next, 0, received];
    return buffer.subarray(end);
  }

  function receive(length: number): boolean {
    end += length;
    let at = start;
    while (end - at >= HEADER_BYTES) {
      const next = at + 1 + buffer.readUInt32BE(at + 1);
      if (next > end) break;
      if (buffer[at] === DATA_ROW && next - at > LONG_BYTES) {
        pass(at);
        pass(shortened(at, next));
        start = next;
      }
      at = next;
    }
    pass(at);
    return true;
  }

  /** Node-postgres has read what it gets here before this returns, because it is whole messages. */
  function pass(to: number): void {
    if (to > start) socket.emit('data', buffer.subarray(start, to));
    start = to;
  }

  /** Takes long columns out of a row, and returns where it ends then. */
  function shortened(row: number, rowEnd: number): number {
    long = [];
    let to = row + HEADER_BYTES + 2;
    for (let from = to; from < rowEnd; ) {
      const length = buffer.readInt32BE(from);
      const [value, next] = [from + 4, from + 4 + Math.max(length, 0)];
      const isLong = length > LONG_BYTES;
      if (isLong) long.push(buffer.toString('latin1', value, next));
      buffer.writeInt32BE(isLong ? LONG_COLUMN.length : length, to);
      if (isLong) to += 4 + buffer.write(LONG_COLUMN, to + 4);
      else to += 4 + buffer.copy(buffer, to + 4, value, next);
      from = next;
    }
    buffer.writeUInt32BE(to - row - 1, row + 1);
    return to;
  }

  function takeLong(): string {
    const text = long.shift();
    if (text === undefined) throw new Error('The row has no other long column.');
    return text;
  }

  return { socket, takeLong };
}
