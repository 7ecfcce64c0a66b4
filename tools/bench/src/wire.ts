import { connect, type Socket } from 'node:net';

/**
 * One keep-alive connection of HTTP/1.1, a request at a time, no pipelining. It reads of an answer no more than it
 * must: the generator shares its core with PostgreSQL, so what it costs is taken from what is measured.
 */
export interface Wire {
  /** Sends a request and hands its answer to `onAnswer`. */
  send(request: string, onAnswer: (answer: Answer) => void): void;
  close(): void;
}

export interface Answer {
  status: number;
  body: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/** Where the body of an answer begins and ends in what has arrived; undefined while it is not all there. */
function boundsOf(data: Buffer): { start: number; end: number; isChunked: boolean } | undefined {
  const headEnd = data.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const start = headEnd + HEAD_END.length;
  const head = data.toString('latin1', 0, headEnd);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const end = start + Number(length);
    return data.length < end ? undefined : { start, end, isChunked: false };
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

function bodyOf(
  data: Buffer,
  { start, end, isChunked }: { start: number; end: number; isChunked: boolean },
): Buffer {
  if (!isChunked) return data.subarray(start, end);
  return Buffer.concat([...chunksOf(data, start)].filter((chunk) => chunk !== undefined));
}

/** Opens a connection to a server on this machine. */
export function openWire(port: number, onLost: (error: Error) => void): Promise<Wire> {
  const socket: Socket = connect({ host: '127.0.0.1', port, noDelay: true });
  let waiting: ((answer: Answer) => void) | undefined;
  let data: Buffer | undefined;
  let isClosed = false;
  socket.on('data', (chunk) => {
    data = data === undefined ? chunk : Buffer.concat([data, chunk]);
    const bounds = boundsOf(data);
    if (bounds === undefined || waiting === undefined) return;
    const answer = { status: Number(data.toString('latin1', 9, 12)), body: bodyOf(data, bounds) };
    const onAnswer = waiting;
    waiting = undefined;
    data = undefined;
    onAnswer(answer);
  });
  return new Promise((resolve, reject) => {
    const lost = (error: Error) => {
      reject(error);
      if (!isClosed) onLost(error);
      isClosed = true;
    };
    socket.on('error', lost);
    socket.on('close', () => lost(new Error('the server closed the connection')));
    socket.on('connect', () =>
      resolve({
        send: (request, onAnswer) => {
          waiting = onAnswer;
          socket.write(request);
        },
        close: () => {
          isClosed = true;
          socket.destroy();
        },
      }),
    );
  });
}
