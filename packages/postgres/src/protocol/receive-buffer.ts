/** Room for what is read at once, in bytes: more than one read of a socket brings, so that a page of records is one piece. */
export const ROOM = 131_072;
/** The kind of a message and its length, which counts itself. */
const HEADER = 5;

/**
 * What has arrived of PostgreSQL's messages, in one buffer that is used again and again. Tells of those that are whole; what
 * it tells of is to be read at once.
 */
export class Inbox {
  readonly #tell: (messages: Buffer) => void;
  #buffer = Buffer.allocUnsafeSlow(ROOM);
  /** How much of it is the beginning of a message. */
  #kept = 0;

  constructor(tell: (messages: Buffer) => void) {
    this.#tell = tell;
  }

  /** Where to read to. */
  get room(): Buffer {
    return this.#buffer.subarray(this.#kept);
  }

  /** To be told how much was read. */
  take(length: number): void {
    const filled = this.#kept + length;
    let end = 0;
    while (filled - end >= HEADER) {
      const next = end + 1 + this.#buffer.readUInt32BE(end + 1);
      if (next > filled) break;
      end = next;
    }
    if (end > 0) this.#tell(this.#buffer.subarray(0, end));
    this.#keep(end, filled);
  }

  /** Keeps the beginning of a message, in twice the room where it fills all of it, and in no more than that needs. */
  #keep(start: number, end: number): void {
    const length = end - start;
    let size = ROOM;
    while (size <= length) size *= 2;
    const buffer = size === this.#buffer.length ? this.#buffer : Buffer.allocUnsafeSlow(size);
    this.#buffer.copy(buffer, 0, start, end);
    this.#buffer = buffer;
    this.#kept = length;
  }
}
