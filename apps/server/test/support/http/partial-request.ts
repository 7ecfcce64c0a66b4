import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A request on a connection of its own, sent piece by piece; the connection ends when it is disposed of. */
export interface PartialRequest extends Disposable {
  socket: Socket;
  send(piece: string | Uint8Array): void;
  /** The status of the response, as soon as its first line has arrived. */
  status(): Promise<number>;
  /** Whether the server has ended the connection. */
  isClosed(): boolean;
}

interface Head {
  method?: string;
  path: string;
  key?: string;
  headers?: Record<string, string>;
}

/** Sends the head of a request, with a JSON body that is announced and does not follow. */
export async function beginRequest(
  url: string,
  { method = 'POST', path, key, headers = {} }: Head,
): Promise<PartialRequest> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  let received = '';
  let isClosed = false;
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  // A server that has rejected a request may close before it has read all of it.
  socket.on('error', () => undefined);
  socket.once('close', () => {
    isClosed = true;
  });
  const all: Record<string, string> = {
    Host: 'a',
    'Content-Type': 'application/json',
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    ...headers,
  };
  if (all['Content-Length'] === undefined) all['Transfer-Encoding'] = 'chunked';
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return {
    socket,
    send: (piece) => void socket.write(piece),
    isClosed: () => isClosed,
    async status() {
      while (!received.includes('\r\n')) await once(socket, isClosed ? 'error' : 'data');
      return Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1]);
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

/** A piece of a chunked body (RFC 9112, section 7.1). */
export function chunk(piece: string): string {
  return `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`;
}

export const LAST_CHUNK = '0\r\n\r\n';
