/** The size of the buffer in bytes: more than one read of a socket returns, so that a large result arrives in one piece. */
export const BUFFER_SIZE = 131_072;
/** The header of a message: its type (one byte), and its length (four bytes, which count themselves). */
export const HEADER_SIZE = 5;

/**
 * Collects what a socket receives in one reused buffer, and passes on whole messages of PostgreSQL's protocol. The
 * callback must read them before it returns, because the next read overwrites them.
 */
export class ReceiveBuffer {
  readonly #onMessages: (messages: Buffer) => void;
  #buffer = Buffer.allocUnsafeSlow(BUFFER_SIZE);
  /** The length of the incomplete message at the start of the buffer. */
  #filled = 0;

  constructor(onMessages: (messages: Buffer) => void) {
    this.#onMessages = onMessages;
  }

  /** The part of the buffer to read into; never empty. */
  get writable(): Buffer {
    return this.#buffer.subarray(this.#filled);
  }

  /** Takes bytes that were written to the start of `writable`. */
  commit(length: number): void {
    const filled = this.#filled + length;
    let end = 0;
    while (filled - end >= HEADER_SIZE) {
      const next = end + 1 + this.#buffer.readUInt32BE(end + 1);
      if (next > filled) break;
      end = next;
    }
    if (end > 0) this.#onMessages(this.#buffer.subarray(0, end));
    this.#moveToStart(end, filled);
  }

  /** Takes bytes from elsewhere, which are copied. */
  append(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const copied = bytes.copy(this.writable, 0, at);
      at += copied;
      this.commit(copied);
    }
  }

  /** Keeps an incomplete message, in a larger buffer if it fills this one, and in one of the usual size when it is done. */
  #moveToStart(start: number, end: number): void {
    const length = end - start;
    let size = BUFFER_SIZE;
    while (size <= length) size *= 2;
    const buffer = size === this.#buffer.length ? this.#buffer : Buffer.allocUnsafeSlow(size);
    this.#buffer.copy(buffer, 0, start, end);
    this.#buffer = buffer;
    this.#filled = length;
  }
}
