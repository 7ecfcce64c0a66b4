// `npm exec -- pnpm --filter @roster/client run test:browser`: tests the client in a browser, against the service on another origin. Needs Chromium or Chrome on
// PATH or in ROSTER_BROWSER.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { startService } from '../support/service-process.ts';
import { findBrowser } from './find-browser.ts';

/** Resolves to this machine. Unlike `localhost`, it is not a secure origin. */
const host = 'roster-page.test';
const TIMEOUT_MS = 60_000;

const local = (path: string) => fileURLToPath(new URL(path, import.meta.url));

function requireBrowser(): string {
  const browser = findBrowser();
  if (browser !== undefined) return browser;
  process.stderr.write(`This test needs Chromium or Chrome. Install it, or set ROSTER_BROWSER to its path.
On Debian: apt-get install chromium\n`);
  process.exit(1);
}

async function bundledPage(): Promise<string> {
  const bundle = await rolldown({ input: local('page.ts'), platform: 'browser' });
  const { output } = await bundle.generate({ format: 'esm' });
  return output[0].code;
}

const cleanups: (() => unknown)[] = [];

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.unshift(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** An event stream for another origin: a connection that breaks during an event, a 503, and the rest. */
function scriptedEvents(): RequestListener {
  const sent = (position: number) =>
    `id: c${position}\ndata: ${JSON.stringify({ position, type: 'office.updated', record: { name: '東京' } })}\n\n`;
  const responders: ((response: ServerResponse) => void)[] = [
    (response) => {
      response
        .writeHead(200, { 'Content-Type': 'text/event-stream' })
        .write(`: alive\n\n${sent(1)}${sent(2)}id: c`);
      setTimeout(() => response.destroy(), 100);
    },
    (response) => {
      const problem = { status: 503, code: 'unavailable', title: 'x', detail: 'x', requestId: 'r' };
      response.writeHead(503, { 'Retry-After': '0' }).end(JSON.stringify(problem));
    },
    (response) =>
      void response
        .writeHead(200, { 'Content-Type': 'text/event-stream' })
        .write(sent(2) + sent(3) + sent(4)),
  ];
  return (request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('Access-Control-Allow-Origin', request.headers.origin ?? '');
    response.setHeader('Access-Control-Allow-Headers', 'authorization');
    response.setHeader('Access-Control-Expose-Headers', 'Retry-After');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const isAuthenticated = request.headers.authorization === 'Bearer rst_page';
    const respond = isAuthenticated ? responders.shift() : undefined;
    if (respond === undefined) return void response.writeHead(500).end();
    respond(response);
  };
}

/** Starts the service with a database of its own, for pages of one origin. */
async function serve(key: string, origin: string): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'roster-browser-'));
  // If this process is root, PostgreSQL runs as `nobody`, who needs access.
  await chmod(dataDir, 0o755);
  cleanups.unshift(() => rm(dataDir, { recursive: true, force: true }));
  const { PATH } = process.env;
  const { url, stop } = await startService({
    PATH,
    ROSTER_DATA_DIR: dataDir,
    ROSTER_ADMIN_KEY: key,
    ROSTER_CORS_ORIGINS: origin,
  });
  cleanups.unshift(stop);
  return url;
}

async function openBrowser(browser: string, url: string): Promise<void> {
  const profile = await mkdtemp(join(tmpdir(), 'roster-browser-profile-'));
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    `--user-data-dir=${profile}`,
  ];
  const rules = `--host-resolver-rules=MAP ${host} 127.0.0.1`;
  const child = spawn(browser, [...flags, rules, '--remote-debugging-port=0', url], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  cleanups.unshift(async () => {
    child.kill();
    await exited;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  });
}

async function run(): Promise<boolean> {
  const browser = requireBrowser();
  const results = Promise.withResolvers<{ title: string; error?: string }[]>();
  const script = await bundledPage();
  const port = await listen(async (request, response) => {
    if (request.url === '/results') results.resolve(JSON.parse(await text(request)));
    const type = request.url?.startsWith('/page.js') ? 'text/javascript' : 'text/html';
    response
      .writeHead(200, { 'Content-Type': `${type}; charset=utf-8` })
      .end(type === 'text/html' ? page : script);
  });
  const origin = `http://${host}:${port}`;
  const key = randomBytes(24).toString('hex');
  const service = await serve(key, origin);
  const events = `http://127.0.0.1:${await listen(scriptedEvents())}`;
  const query = new URLSearchParams({ service, events, key });
  const page = `<!doctype html><title>Roster</title><script type="module" src="/page.js?${query}"></script>`;
  await openBrowser(browser, origin);
  const timeout = setTimeout(
    () => results.reject(new Error('The page sent no results within a minute.')),
    TIMEOUT_MS,
  );
  const outcomes = await results.promise.finally(() => clearTimeout(timeout));
  for (const { title, error } of outcomes) {
    process.stdout.write(error === undefined ? `✓ ${title}\n` : `✗ ${title}\n  ${error}\n`);
  }
  return outcomes.length > 0 && outcomes.every(({ error }) => error === undefined);
}

try {
  process.exitCode = (await run()) ? 0 : 1;
} finally {
  for (const step of cleanups) await step();
}
