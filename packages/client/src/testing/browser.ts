// `npm run test:browser`: the client in a real browser, against a real service on another origin. It needs Chromium
// or Chrome: found on PATH, or named by ROSTER_BROWSER.
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
import { findBrowser } from './find-browser.ts';

/** Resolves to this machine, and is no secure origin as `localhost` would be. */
const host = 'roster-page.test';
const PATIENCE_MS = 60_000;

const local = (path: string) => fileURLToPath(new URL(path, import.meta.url));

function requireBrowser(): string {
  const browser = findBrowser();
  if (browser !== undefined) return browser;
  process.stderr.write(`This test needs Chromium or Chrome. Install it, or set ROSTER_BROWSER to its path.
On Debian: apt-get install chromium\n`);
  process.exit(1);
}

async function bundledPage(): Promise<string> {
  const bundle = await rolldown({ input: local('browser-page.ts'), platform: 'browser' });
  const { output } = await bundle.generate({ format: 'esm' });
  return output[0].code;
}

const undo: (() => unknown)[] = [];

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  undo.unshift(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** Events as the service sends them to another origin: a break in the middle of one, a 503, and on from the cursor. */
function scriptedEvents(): RequestListener {
  const sent = (position: number) =>
    `id: c${position}\ndata: ${JSON.stringify({ position, type: 'office.updated', record: { name: '東京' } })}\n\n`;
  const answers: ((response: ServerResponse) => void)[] = [
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
    const isKnown = request.headers.authorization === 'Bearer rst_page';
    const answer = isKnown ? answers.shift() : undefined;
    if (answer === undefined) return void response.writeHead(500).end();
    answer(response);
  };
}

/** The real service, with a database of its own, for pages of one origin. */
async function startService(key: string, origin: string): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'roster-browser-'));
  // Root's PostgreSQL runs as nobody, who has to get in.
  await chmod(dataDir, 0o755);
  undo.unshift(() => rm(dataDir, { recursive: true, force: true }));
  const { PATH } = process.env;
  const env = {
    PATH,
    PORT: '0',
    ROSTER_DATA_DIR: dataDir,
    ROSTER_ADMIN_KEY: key,
    ROSTER_CORS_ORIGINS: origin,
    // Nobody reads what it says once it has said where it is.
    ROSTER_LOG_LEVEL: 'silent',
  };
  const main = local('../../../../apps/server/src/main.ts');
  const service = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const exited = once(service, 'exit');
  undo.unshift(async () => {
    service.kill('SIGTERM');
    service.stdout.resume();
    await exited;
  });
  let said = '';
  for await (const chunk of service.stdout.setEncoding('utf8')) {
    said += chunk;
    const [url] = /http:\/\/[\d.]+:\d+/.exec(said) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`The service did not start: ${said}`);
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
  undo.unshift(async () => {
    child.kill();
    await exited;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  });
}

async function run(): Promise<boolean> {
  const browser = requireBrowser();
  const results = Promise.withResolvers<{ title: string; fault?: string }[]>();
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
  const service = await startService(key, origin);
  const events = `http://127.0.0.1:${await listen(scriptedEvents())}`;
  const told = new URLSearchParams({ service, events, key });
  const page = `<!doctype html><title>Roster</title><script type="module" src="/page.js?${told}"></script>`;
  await openBrowser(browser, origin);
  const late = setTimeout(
    () => results.reject(new Error('The page did not answer in a minute.')),
    PATIENCE_MS,
  );
  const seen = await results.promise.finally(() => clearTimeout(late));
  for (const { title, fault } of seen) {
    process.stdout.write(fault === undefined ? `✓ ${title}\n` : `✗ ${title}\n  ${fault}\n`);
  }
  return seen.length > 0 && seen.every(({ fault }) => fault === undefined);
}

try {
  process.exitCode = (await run()) ? 0 : 1;
} finally {
  for (const step of undo) await step();
}
