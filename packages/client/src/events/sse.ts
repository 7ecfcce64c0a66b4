export interface Message {
  /** From this message or an earlier one. */
  id: string | undefined;
  /** Joined by line feeds; undefined if the message only sets the ID. */
  data: string | undefined;
}

/** In UTF-16 code units, far above the service's longest events. */
export const MESSAGE_LENGTH_MAX = 16 * 1024 * 1024;

/**
 * Parses server-sent events (HTML standard, 9.2.6): UTF-8 with an optional byte order mark, lines ending in
 * LF, CR or CRLF, comments, and chunks split anywhere. Ignores an incomplete message at the end. Takes linear
 * time, and memory for one message.
 */
export class EventStreamParser {
  retryMs: number | undefined;
  readonly #decoder = new TextDecoder();
  /** The beginning of an unfinished line. Appending to a string does not copy it. */
  #partialLine = '';
  #isAfterCr = false;
  #id: string | undefined;
  #isIdNew = false;
  #data: string[] = [];
  #dataLength = 0;

  constructor(id?: string) {
    this.#id = id;
  }

  /** Returns the messages that end in this chunk. Throws a RangeError above `MESSAGE_LENGTH_MAX`. */
  push(chunk: Uint8Array): Message[] {
    const decoded = this.#decoder.decode(chunk, { stream: true });
    if (decoded === '') return [];
    // If a CRLF is split between chunks, the line already ended with the CR.
    const text = this.#isAfterCr && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    this.#isAfterCr = decoded.endsWith('\r');
    // Searches only the new text, so that long lines in many chunks are not searched again.
    const lines = text.split(/\r\n|\n|\r/);
    const rest = lines.pop() ?? '';
    const messages = lines.flatMap((line) => this.#parseLine(line));
    this.#partialLine += rest;
    this.#checkLength();
    return messages;
  }

  #parseLine(end: string): Message[] {
    const line = this.#partialLine + end;
    this.#partialLine = '';
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') this.#addData(value);
    if (name === 'id' && !value.includes('\0')) this.#setId(value);
    if (name === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value);
    return [];
  }

  #addData(value: string): void {
    this.#data.push(value);
    this.#dataLength += value.length + 1;
    this.#checkLength();
  }

  #setId(value: string): void {
    this.#id = value;
    this.#isIdNew = true;
  }

  #checkLength(): void {
    if (this.#dataLength + this.#partialLine.length > MESSAGE_LENGTH_MAX) {
      throw new RangeError(`a message is longer than ${MESSAGE_LENGTH_MAX} characters`);
    }
  }

  #dispatch(): Message[] {
    if (this.#data.length === 0 && !this.#isIdNew) return [];
    const data = this.#data.length === 0 ? undefined : this.#data.join('\n');
    this.#data = [];
    this.#dataLength = 0;
    this.#isIdNew = false;
    return [{ id: this.#id, data }];
  }
}
