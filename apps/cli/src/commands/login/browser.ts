import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CliError } from '../../errors.ts';
import { callSignIn, rejected, type SignInTarget, type TerminalSession } from '../../service/sign-in.ts';
import type { Runtime } from '../context.ts';

const PENDING_MS = 10 * 60 * 1_000;

const page =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Roster</title>' +
  '<h1>Signed in to the terminal</h1><p>You can close this page.</p></html>';

/**
 * Signs in with a browser, which brings a code to a port of the loopback interface (RFC 8252). The code is useless without
 * a secret that stays in this process (PKCE, RFC 7636).
 */
export async function signInByBrowser(
  target: SignInTarget,
  browserUrl: string,
  { io, openUrl }: Pick<Runtime, 'io' | 'openUrl'>,
): Promise<TerminalSession> {
  const [verifier, state] = [randomBytes(32), randomBytes(32)].map((bytes) => bytes.toString('base64url'));
  const challenge = createHash('sha256')
    .update(verifier ?? '')
    .digest('base64url');
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const query = new URLSearchParams({ port: String(port), challenge, state: state ?? '' });
    const url = `${browserUrl.replace(/\/+$/, '')}/sign-in?${query}`;
    const code = codeFrom(server, { state: state ?? '', signal: target.signal });
    const isOpened = await openUrl(url);
    io.stderr.write(`${isOpened ? 'Sign in with the browser' : 'Open this on this computer'}: ${url}\n`);
    const result = await callSignIn<TerminalSession>(target, '/sign-in/token', {
      body: { code: await code, verifier },
    });
    if (result.status !== 200) throw rejected(result.body);
    return result.body;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Waits for the request with the code. Any page can send requests to this port, so all others are rejected. */
function codeFrom(
  server: Server,
  { state, signal }: { state: string; signal: AbortSignal },
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(() => reject(new CliError('no one signed in within ten minutes')), PENDING_MS);
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  // The request may come before anyone waits for the code.
  promise.catch(() => undefined).finally(() => clearTimeout(timer));
  server.on('request', (request, response) => {
    const query = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams;
    const code = query.get('code');
    response.setHeader('Connection', 'close');
    if (request.method !== 'GET' || query.get('state') !== state || code === null)
      return void response.writeHead(400).end();
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Referrer-Policy': 'no-referrer' });
    response.end(page, () => resolve(code));
  });
  return promise;
}
