import { connect, type Socket } from 'node:net';
import { type Answer, AnswerReader } from './answers.ts';

/**
 * One keep-alive connection of HTTP/1.1, a request at a time, no pipelining. It is cheap, because the generator shares its core
 * with PostgreSQL: what it costs is taken from what is measured.
 */
export interface Wire {
  /** Sends a request and hands its answer to `onAnswer`. The memory of its body is used again for the next answer. */
  send(request: string, onAnswer: (answer: Answer) => void): void;
  /** Sends a request. The answer is a copy, to keep. */
  ask(request: string): Promise<Answer>;
  close(): void;
}

/** Bytes that are read at once: more than a list of fifty has. */
const READ_BYTES = 64 * 1024;

/** Opens a connection to a server on this machine. */
export function openWire(port: number, onLost: (error: Error) => void): Promise<Wire> {
  let waiting: ((answer: Answer) => void) | undefined;
  const reader = new AnswerReader((answer) => {
    const onAnswer = waiting;
    waiting = undefined;
    onAnswer?.(answer);
  });
  // All answers of a connection are read into the same memory: new memory for each one costs more than all the rest.
  const memory = Buffer.allocUnsafeSlow(READ_BYTES);
  const onRead = (bytes: number): boolean => {
    reader.read(memory.subarray(0, bytes));
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
