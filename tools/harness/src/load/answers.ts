/** The status and body of an answer. */
export interface Answer {
  status: number;
  body: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = '\r\n0\r\n\r\n';
const NOTHING = Buffer.alloc(0);

/** Puts the chunks of a body together; `body` is whole. */
function withoutFraming(body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.toString('latin1', at, lineEnd), 16);
    if (!(size > 0)) return Buffer.concat(chunks);
    chunks.push(body.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}

/**
 * Reads the answers of one connection of HTTP/1.1, and looks at no more of one than its status and its length. A body that
 * comes in one piece is not copied: it is a view of that piece. With `isKept` false bodies are not kept, and all are empty.
 */
export class AnswerReader {
  readonly #onAnswer: (answer: Answer) => void;
  readonly #isKept: boolean;
  #part: 'head' | 'length' | 'chunks' = 'head';
  #status = 0;
  /** The head as far as it has come, and then the body. */
  #pieces: Buffer[] = [];
  /** Bytes of a body of known length that are still to come. */
  #left = 0;
  /** The end of what has come of a chunked body. */
  #tail = '';

  constructor(onAnswer: (answer: Answer) => void, { isKept = true } = {}) {
    this.#onAnswer = onAnswer;
    this.#isKept = isKept;
  }

  /** Takes a piece as it has arrived; its memory may be used again afterwards. */
  read(piece: Buffer): void {
    if (this.#part === 'head') this.#readHead(piece);
    else if (this.#isLast(piece)) this.#end(piece);
    else if (this.#isKept) this.#pieces.push(Buffer.from(piece));
  }

  #isLast(piece: Buffer): boolean {
    if (this.#part === 'length') {
      this.#left -= piece.length;
      return this.#left <= 0;
    }
    const last = piece.toString('latin1', Math.max(0, piece.length - LAST_CHUNK.length));
    this.#tail = (this.#tail + last).slice(-LAST_CHUNK.length);
    return this.#tail === LAST_CHUNK;
  }

  #readHead(piece: Buffer): void {
    const data = this.#pieces.length === 0 ? piece : Buffer.concat([...this.#pieces, piece]);
    const end = data.indexOf(HEAD_END);
    if (end === -1) {
      // A copy, because the next piece is read into the same memory.
      this.#pieces = [Buffer.from(data)];
      return;
    }
    this.#pieces = [];
    const head = data.toString('latin1', 0, end);
    this.#status = Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
    const rest = data.subarray(end + HEAD_END.length);
    if (this.#status < 200) {
      if (rest.length > 0) this.read(rest);
      return;
    }
    this.#part = /\r\ntransfer-encoding: *chunked/i.test(head) ? 'chunks' : 'length';
    this.#tail = '\r\n';
    if (this.#part === 'length') this.#left = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (rest.length > 0 || (this.#part === 'length' && this.#left === 0)) this.read(rest);
  }

  #end(piece: Buffer): void {
    const whole = this.#pieces.length === 0 ? piece : Buffer.concat([...this.#pieces, piece]);
    const body = this.#part === 'chunks' && this.#isKept ? withoutFraming(whole) : whole;
    const status = this.#status;
    this.#part = 'head';
    this.#pieces = [];
    this.#onAnswer({ status, body: this.#isKept ? body : NOTHING });
  }
}
