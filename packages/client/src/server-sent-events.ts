/** One message of a stream of server-sent events. */
export interface Message {
  /** The last id the stream has named, with this message or before it. */
  id: string | undefined;
  /** The lines of data, joined by line feeds; undefined where the message only moves the id. */
  data: string | undefined;
}

/**
 * Reads a stream of server-sent events as the HTML standard says (9.2.6): UTF-8, a byte order mark at its beginning,
 * lines that end in LF, CR or CRLF, comments, and any cut between two chunks, inside a character too. A message that
 * has not ended is none.
 */
export class MessageReader {
  /** How long the stream asks to wait before the next connection, in milliseconds. */
  retryMs: number | undefined;
  readonly #decoder = new TextDecoder();
  #rest = '';
  #isAfterCr = false;
  #id: string | undefined;
  #isIdNew = false;
  #data: string[] = [];

  constructor(id?: string) {
    this.#id = id;
  }

  /** The messages that end with this chunk. */
  push(chunk: Uint8Array): Message[] {
    const decoded = this.#decoder.decode(chunk, { stream: true });
    if (decoded === '') return [];
    // A CRLF may be cut in two: its line ended with the CR.
    const text = this.#isAfterCr && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    this.#isAfterCr = decoded.endsWith('\r');
    const lines = (this.#rest + text).split(/\r\n|\n|\r/);
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#take(line));
  }

  #take(line: string): Message[] {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') this.#data.push(value);
    if (name === 'id' && !value.includes('\0')) this.#nameId(value);
    if (name === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value);
    return [];
  }

  #nameId(value: string): void {
    this.#id = value;
    this.#isIdNew = true;
  }

  #dispatch(): Message[] {
    if (this.#data.length === 0 && !this.#isIdNew) return [];
    const data = this.#data.length === 0 ? undefined : this.#data.join('\n');
    this.#data = [];
    this.#isIdNew = false;
    return [{ id: this.#id, data }];
  }
}
