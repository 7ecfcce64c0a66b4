import { connect, type Socket } from 'node:net';

/**
 * One keep-alive connection of HTTP/1.1, a request at a time, no pipelining. It reads of an answer no more than it
 * must: the generator shares its core with PostgreSQL, so what it costs is taken from what is measured.
 */
export interface Wire {
  /** Sends a request and hands its answer to `onAnswer`. The memory of its body is used again for the next answer. */
  send(request: string, onAnswer: (answer: Answer) => void): void;
  /** Sends a request. The answer is a copy, to keep. */
  ask(request: string): Promise<Answer>;
  close(): void;
}

export interface Answer {
  status: number;
  body: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');

interface Bounds {
  start: number;
  end: number;
  isChunked: boolean;
}

/** Where the body of an answer begins and ends, beyond what has arrived if its length says so; undefined if that is not known yet. */
function boundsOf(data: Buffer): Bounds | undefined {
  const headEnd = data.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const start = headEnd + HEAD_END.length;
  const head = data.toString('latin1', 0, headEnd);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    return { start, end: start + Number(length), isChunked: false };
  }
  const end = chunksEnd(data, start);
  return end === undefined ? undefined : { start, end, isChunked: true };
}

function* chunksOf(data: Buffer, start: number): Generator<Buffer | undefined, void> {
  for (let at = start; ; ) {
    const lineEnd = data.indexOf('\r\n', at);
    if (lineEnd === -1) return;
    const size = Number.parseInt(data.toString('latin1', at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (next > data.length) return;
    if (size === 0) {
      yield undefined;
      return;
    }
    yield data.subarray(lineEnd + 2, lineEnd + 2 + size);
    at = next;
  }
}

function chunksEnd(data: Buffer, start: number): number | undefined {
  for (const chunk of chunksOf(data, start)) if (chunk === undefined) return data.length;
  return undefined;
}

function bodyOf(data: Buffer, { start, end, isChunked }: Bounds): Buffer {
  if (!isChunked) return data.subarray(start, end);
  return Buffer.concat([...chunksOf(data, start)].filter((chunk) => chunk !== undefined));
}

/** Puts the pieces together in which answers come, without a copy of those that come whole. */
class AnswerReader {
  #pieces: Buffer[] = [];
  /** What is still to come of an answer whose length is known. */
  #missing = 0;

  /** The answer that a piece completes, if it does. */
  take(piece: Buffer): Answer | undefined {
    if (piece.length < this.#missing) {
      this.#keep(piece);
      this.#missing -= piece.length;
      return undefined;
    }
    const data = this.#pieces.length === 0 ? piece : Buffer.concat([...this.#pieces, piece]);
    const bounds = boundsOf(data);
    if (bounds === undefined || data.length < bounds.end) {
      this.#keep(piece);
      if (bounds !== undefined) this.#missing = bounds.end - data.length;
      return undefined;
    }
    this.#pieces = [];
    this.#missing = 0;
    return { status: Number(data.toString('latin1', 9, 12)), body: bodyOf(data, bounds) };
  }

  /** A copy, because the next piece is read into the same memory. */
  #keep(piece: Buffer): void {
    this.#pieces.push(Buffer.from(piece));
  }
}

/** Bytes that are read at once: more than a list of fifty has. */
const READ_BYTES = 64 * 1024;

/** Opens a connection to a server on this machine. */
export function openWire(port: number, onLost: (error: Error) => void): Promise<Wire> {
  let waiting: ((answer: Answer) => void) | undefined;
  const reader = new AnswerReader();
  // All answers of a connection are read into the same memory: new memory for each one costs more than all the rest.
  const memory = Buffer.allocUnsafeSlow(READ_BYTES);
  const onRead = (bytes: number): boolean => {
    const answer = reader.take(memory.subarray(0, bytes));
    if (answer === undefined) return true;
    const onAnswer = waiting;
    waiting = undefined;
    onAnswer?.(answer);
    return true;
  };
  const onread = { buffer: memory, callback: onRead };
  const socket: Socket = connect({ host: '127.0.0.1', port, noDelay: true, onread });
  let isClosed = false;
  return new Promise((resolve, reject) => {
    const lost = (error: Error) => {
      reject(error);
      if (!isClosed) onLost(error);
      isClosed = true;
    };
    const send = (request: string, onAnswer: (answer: Answer) => void) => {
      waiting = onAnswer;
      socket.write(request);
    };
    const close = () => {
      isClosed = true;
      socket.destroy();
    };
    const ask = (request: string) =>
      new Promise<Answer>((answered) => {
        send(request, ({ status, body }) => answered({ status, body: Buffer.from(body) }));
      });
    socket.on('error', lost);
    socket.on('close', () => lost(new Error('the server closed the connection')));
    socket.on('connect', () => resolve({ send, ask, close }));
  });
}
