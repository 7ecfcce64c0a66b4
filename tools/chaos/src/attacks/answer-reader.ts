const HEAD_END = '\r\n\r\n';
const HEAD_MAX = 16_384;
const LAST_CHUNK = '\r\n0\r\n\r\n';

/** Reads the answers of one connection and keeps nothing of them but the status: an attacker spends little on them. */
export class AnswerReader {
  readonly #onAnswer: (status: number) => void;
  #head = '';
  #status = 0;
  #part: 'head' | 'length' | 'chunks' = 'head';
  /** Bytes of a body of known length that are still to come. */
  #left = 0;
  /** The end of what has come of a chunked body. */
  #tail = '';

  constructor(onAnswer: (status: number) => void) {
    this.#onAnswer = onAnswer;
  }

  read(chunk: Buffer): void {
    if (this.#part === 'head') this.#readHead(chunk);
    else if (this.#part === 'length') this.#readLength(chunk);
    else this.#readChunks(chunk);
  }

  #readHead(chunk: Buffer): void {
    const before = this.#head.length;
    this.#head += chunk.toString('latin1', 0, HEAD_MAX);
    const end = this.#head.indexOf(HEAD_END);
    if (end === -1) return;
    const text = this.#head.slice(0, end);
    this.#head = '';
    this.#status = Number(text.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
    const rest = chunk.subarray(end + HEAD_END.length - before);
    if (this.#status >= 200) this.#begin(text);
    if (rest.length > 0) this.read(rest);
  }

  #begin(text: string): void {
    if (/\r\ntransfer-encoding: *chunked/i.test(text)) {
      this.#part = 'chunks';
      this.#tail = '\r\n';
      return;
    }
    this.#left = Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0);
    this.#part = 'length';
    if (this.#left === 0) this.#end();
  }

  #readLength(chunk: Buffer): void {
    this.#left -= chunk.length;
    if (this.#left <= 0) this.#end();
  }

  #readChunks(chunk: Buffer): void {
    const last = chunk.toString('latin1', Math.max(0, chunk.length - LAST_CHUNK.length));
    this.#tail = (this.#tail + last).slice(-LAST_CHUNK.length);
    if (this.#tail === LAST_CHUNK) this.#end();
  }

  #end(): void {
    this.#part = 'head';
    this.#onAnswer(this.#status);
  }
}
