import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A response as it was received. */
export interface WireAnswer {
  status: number;
  /** By lower-case names; the last of those that are repeated. */
  headers: Map<string, string>;
  body: Buffer;
}

interface Parsed {
  answer: WireAnswer;
  rest: Buffer;
}

function headOf(text: string): Pick<WireAnswer, 'status' | 'headers'> {
  const [first = '', ...lines] = text.split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]);
  if (!Number.isInteger(status)) throw new Error(`no status line: ${first}`);
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status, headers: new Map(pairs) };
}

/** A chunked body (RFC 9112, section 7.1), or undefined if it is incomplete. */
function chunked(bytes: Buffer): { body: Buffer; rest: Buffer } | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at);
    if (end === -1) return undefined;
    const length = Number.parseInt(bytes.toString('latin1', at, end), 16);
    const next = end + 2 + length + 2;
    if (bytes.length < next) return undefined;
    if (length === 0) return { body: Buffer.concat(chunks), rest: bytes.subarray(next) };
    chunks.push(bytes.subarray(end + 2, next - 2));
    at = next;
  }
}

/** The first response in some bytes, or undefined if it is incomplete. Interim responses (1xx) are skipped. */
function answerIn(bytes: Buffer, isHead: boolean): Parsed | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = headOf(bytes.toString('latin1', 0, end));
  const after = bytes.subarray(end + 4);
  if (head.status < 200) return answerIn(after, isHead);
  if (isHead || head.status === 204 || head.status === 304) {
    return { answer: { ...head, body: Buffer.alloc(0) }, rest: after };
  }
  if (head.headers.get('transfer-encoding') === 'chunked') {
    const parts = chunked(after);
    return parts && { answer: { ...head, body: parts.body }, rest: parts.rest };
  }
  const length = Number(head.headers.get('content-length'));
  if (after.length < length) return undefined;
  return { answer: { ...head, body: after.subarray(0, length) }, rest: after.subarray(length) };
}

function answersIn(bytes: Buffer): WireAnswer[] {
  const answers: WireAnswer[] = [];
  let parsed = answerIn(bytes, false);
  while (parsed !== undefined) {
    answers.push(parsed.answer);
    parsed = answerIn(parsed.rest, false);
  }
  return answers;
}

/** What is received on a connection. A server may close it after an error before it has read everything. */
function chunksOf(socket: Socket): Buffer[] {
  const chunks: Buffer[] = [];
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => chunks.push(chunk));
  return chunks;
}

const DRIP_MS = 50;
/** Longer than the server that is fuzzed lets a client read nothing. */
const IGNORED_MS = 2_500;
/** Many times the timeouts of the server, because the machine may be busy. */
const HELD_MAX_MS = 15_000;

/** Waits until the server has ended a connection. Ends it and rejects if that takes too long. */
async function ended(socket: Socket, what: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.once('close', () => resolve(true));
  const timer = setTimeout(() => resolve(false), HELD_MAX_MS);
  const isEnded = await promise;
  clearTimeout(timer);
  socket.destroy();
  if (!isEnded) throw new Error(`held for more than ${HELD_MAX_MS / 1_000} s: ${what}`);
}

/** A keep-alive connection that sends bytes as they are, opened again whenever the server has ended it. */
export class Wire {
  readonly #port: number;
  #socket: Socket | undefined;

  constructor(url: string) {
    this.#port = Number(new URL(url).port);
  }

  /** Sends one request and waits for its response. Rejects if the server ends the connection without one. */
  async exchange(bytes: Buffer, isHead: boolean): Promise<WireAnswer> {
    const socket = await this.#open();
    const answer = await new Promise<WireAnswer>((resolve, reject) => {
      let heard: Buffer = Buffer.alloc(0);
      const hear = (chunk: Buffer) => {
        heard = Buffer.concat([heard, chunk]);
        const parsed = answerIn(heard, isHead);
        if (parsed === undefined) return;
        socket.off('data', hear);
        // A malformed request may have been a HEAD: its error has a body, and ends the connection.
        const isLast = parsed.answer.headers.get('connection') === 'close';
        if (parsed.rest.length > 0 && !isLast)
          reject(new Error(`more than one answer: ${heard.toString('latin1')}`));
        resolve(parsed.answer);
      };
      socket.on('data', hear);
      socket.once('close', () => reject(new Error('the connection ended without an answer')));
      socket.write(bytes);
    }).catch((error: unknown) => {
      this.close();
      throw error;
    });
    socket.removeAllListeners('close');
    if (answer.headers.get('connection') === 'close') this.close();
    return answer;
  }

  /** Sends bytes that need not be a request and half-closes; resolves to what was received. */
  async blurt(bytes: Buffer): Promise<WireAnswer[]> {
    const socket = connect({ port: this.#port, host: '127.0.0.1' });
    const chunks = chunksOf(socket);
    socket.end(bytes);
    await once(socket, 'close');
    return answersIn(Buffer.concat(chunks));
  }

  /**
   * Sends the beginning of a request, and the rest byte by byte if it drips, until the server ends the connection;
   * resolves to what was received. Rejects if the server keeps the connection open for longer than it may.
   */
  async trickle(
    bytes: Buffer,
    { sent, isDripping }: { sent: number; isDripping: boolean },
  ): Promise<WireAnswer[]> {
    const socket = connect({ port: this.#port, host: '127.0.0.1' });
    const chunks = chunksOf(socket);
    let at = Math.floor(sent * bytes.length);
    socket.write(bytes.subarray(0, at));
    const dripping = setInterval(() => {
      // The last byte is never sent.
      if (!isDripping || at >= bytes.length - 1) return;
      socket.write(bytes.subarray(at, at + 1));
      at += 1;
    }, DRIP_MS);
    const what = `${isDripping ? 'dripping' : 'silent'} after ${at} bytes of ${bytes.toString('latin1', 0, 200)}`;
    await ended(socket, what).finally(() => clearInterval(dripping));
    return answersIn(Buffer.concat(chunks));
  }

  /** Sends requests, reads no response, and disconnects after a while unless the server does before. */
  async ignore(bytes: Buffer): Promise<void> {
    const socket = connect({ port: this.#port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    socket.write(bytes);
    setTimeout(() => socket.destroy(), IGNORED_MS);
    await ended(socket, 'unread answers');
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  async #open(): Promise<Socket> {
    if (this.#socket?.writable) return this.#socket;
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    this.#socket = socket;
    return socket;
  }
}
