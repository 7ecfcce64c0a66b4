import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { createTestDatabase } from '@roster/db/testing';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { addConsole } from '../../../../scripts/packaging/console.ts';
import { MALLOC_SETTINGS, NODE_FLAGS } from '../../scripts/memory-flags.ts';
import { startCollector } from '../support/http/start-collector.ts';
import { tellingLaunch } from '../support/processes/launch.ts';
import { childrenOf, isRunning } from '../support/processes/server-processes.ts';

const run = promisify(execFile);
const folder = join(import.meta.dirname, '../..');
const LIMIT_BYTES = 40 * 1024 * 1024;
const adminKey = 'a-key-for-the-bundle-that-is-long-enough';

/** A directory of its own, far from the workspace and its node_modules. */
let home: string;
/** Where it is started. */
let empty: string;
/** The page in the place of the console, before that is added. */
let placeholder: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'roster-bundle-'));
  await run(join(folder, 'node_modules/.bin/rolldown'), ['-c', 'rolldown.config.ts', '--dir', home], {
    cwd: folder,
  });
  placeholder = await readFile(join(home, 'console/index.html'), 'utf8');
  addConsole(home);
  empty = await mkdtemp(join(tmpdir(), 'roster-elsewhere-'));
  for (const directory of [home, empty]) await chmod(directory, 0o755);
  // It may be elsewhere.
  const socket = await stat(inject('cluster').host).catch(() => undefined);
  if (process.getuid?.() === 0 && socket !== undefined) stranger = { uid: socket.uid, gid: socket.gid };
});

afterAll(async () => {
  for (const directory of [home, empty]) await rm(directory, { recursive: true, force: true });
});

/** The user that the tests' PostgreSQL runs as, who owns none of the files, if this process may choose one. */
let stranger: { uid?: number; gid?: number } = {};

/** Starts the bundle in an empty directory, as another user if possible, with nothing in its environment but what is given. */
function start(env: Record<string, string>) {
  return spawn(process.execPath, [join(home, 'main.js')], {
    cwd: empty,
    env,
    ...stranger,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

it('the bundle is smaller than 40 MB, and has a manifest and the licences of the code in it', async () => {
  const names = await readdir(home, { recursive: true });
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(home, name))).size));
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(LIMIT_BYTES);
  const manifest = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'));
  const { name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({ name, version, type: 'module', bin: { 'roster-server': './main.js' } });
  const notices = await readFile(join(home, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  for (const library of ['fastify', 'kysely', '@trpc/server', 'zod', 'pg']) {
    expect(notices).toMatch(new RegExp(`^${library} \\d.*\\(MIT\\)\n\n.*licen[cs]e`, 'im'));
  }
  const ofPage = await readFile(join(home, 'console/THIRD-PARTY-NOTICES.txt'), 'utf8');
  for (const library of ['react', 'react-dom', '@tanstack/react-router'])
    expect(ofPage).toContain(`\n${library} `);
});

it('the bundle has a page that loads itself again until the console is in its place', async () => {
  expect(placeholder).toContain('<h1>Preparing the console</h1>');
  expect(placeholder).toContain('<meta http-equiv="refresh"');
  expect(await readFile(join(home, 'console/index.html'), 'utf8')).not.toContain('http-equiv="refresh"');
});

it('the bundle serves from an empty directory as another user with an empty environment, and exits with 0 after SIGTERM', async () => {
  await using database = await createTestDatabase();
  const server = start({ DATABASE_URL: database.url, PORT: '0', ROSTER_ADMIN_KEY: adminKey });
  const ended = once(server, 'exit');
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (output += chunk));
  const listening = /listens at +(\S+)/;
  await expect.poll(() => output).toMatch(listening);
  const url = listening.exec(output)?.[1] ?? '';
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect(await (await fetch(`${url}/docs/`)).text()).toContain('<title>Roster</title>');
  expect((await fetch(`${url}/docs/js/scalar.js`)).status).toBe(200);
  const page = await (await fetch(`${url}/console/offices`)).text();
  const [, script = ''] = /<script type="module"[^>]* src="([^"]+)"/.exec(page) ?? [];
  const packed = await fetch(`${url}${script}`, { headers: { 'accept-encoding': 'br' } });
  expect([packed.status, packed.headers.get('content-encoding')]).toEqual([200, 'br']);
  const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'Rua da Prata' });
  expect((await fetch(`${url}/offices`, { method: 'POST', headers, body })).status).toBe(201);
  const params = { name: 'find_offices', arguments: { q: 'prata' } };
  const found = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { ...headers, accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  expect(await found.text()).toContain('Rua da Prata');
  const selected = await fetch(`${url}/reso/Office?$filter=contains(OfficeName,'Prata')`, { headers });
  expect(await selected.text()).toContain('"OfficeName":"Rua da Prata"');
  expect(await (await fetch(`${url}/reso/$metadata`, { headers })).text()).toContain(
    '<EntityType Name="Office">',
  );
  server.kill('SIGTERM');
  expect(await ended, output).toEqual([0, null]);
});

it('the bundle sends a trace of a request with its statements', async () => {
  await using collector = await startCollector();
  await using database = await createTestDatabase();
  const server = start({
    DATABASE_URL: database.url,
    PORT: '0',
    ROSTER_ADMIN_KEY: adminKey,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=directory',
  });
  const ended = once(server, 'exit');
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (output += chunk));
  const listening = /listens at +(\S+)/;
  await expect.poll(() => output).toMatch(listening);
  const headers = { authorization: `Bearer ${adminKey}` };
  expect((await fetch(`${listening.exec(output)?.[1]}/offices`, { headers })).status).toBe(200);
  server.kill('SIGTERM');
  expect(await ended, output).toEqual([0, null]);
  const spans = await collector.collected();
  const request = spans.find(({ name }) => name === 'GET /offices');
  const ofRequest = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
  expect(ofRequest.map(({ attributes }) => attributes['db.system.name'])).toContain('postgresql');
});

it('the bundle starts several processes, and all end after SIGTERM', async () => {
  await using database = await createTestDatabase();
  const settings = { PORT: '0', ROSTER_ADMIN_KEY: adminKey, ROSTER_PROCESSES: '2' };
  const server = start({ DATABASE_URL: database.url, ...settings });
  const ended = once(server, 'exit');
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (output += chunk));
  const listening = /listens at +(\S+)/;
  await expect.poll(() => output).toMatch(listening);
  expect((await fetch(`${listening.exec(output)?.[1]}/readyz`)).status).toBe(200);
  const pids = childrenOf(server.pid ?? 0);
  expect(pids).toHaveLength(2);
  server.kill('SIGTERM');
  expect(await ended, output).toEqual([0, null]);
  expect(pids.filter(isRunning)).toEqual([]);
});

it('main.js, executed by its name, becomes Node.js with the memory flags and malloc settings, in the same process', async () => {
  const server = spawn(join(home, 'main.js'), [], {
    env: tellingLaunch(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(JSON.parse(await text(server.stdout))).toEqual({
    pid: server.pid,
    flags: NODE_FLAGS,
    malloc: MALLOC_SETTINGS,
  });
});

it('on an older Node.js the bundle prints in one sentence which version it needs', async () => {
  const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });`;
  const preload = ['--import', `data:text/javascript,${encodeURIComponent(older)}`];
  const told = run(process.execPath, [...preload, join(home, 'main.js'), '--help']);
  await expect(told).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^roster-server needs Node\.js 22\.15 or newer, and this is [^\n]*\n$/),
  });
});

it('without a database and without the binaries of one, the bundle prints what to do', async () => {
  const server = start({ PORT: '0', ROSTER_DATA_DIR: join(home, 'data') });
  let output = '';
  server.stderr.on('data', (chunk) => (output += chunk));
  expect(await once(server, 'close')).toEqual([1, null]);
  expect(output).toContain('DATABASE_URL=postgres://');
});
