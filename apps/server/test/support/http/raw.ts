import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends bytes as they are and reads until the server ends the connection: for what no HTTP client would send. */
export async function exchange(url: string, ...pieces: (string | Uint8Array)[]): Promise<Response> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  // After an error the server may close the connection before it has read everything.
  socket.on('error', () => undefined);
  for (const piece of pieces) socket.write(piece);
  await ended;
  return responseOf(Buffer.concat(chunks));
}

function responseOf(response: Buffer): Response {
  const end = response.indexOf('\r\n\r\n');
  const [first = '', ...lines] = response.subarray(0, end).toString().split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const body = response.subarray(end + 4);
  return new Response(body.length > 0 ? body : null, { status, headers });
}
