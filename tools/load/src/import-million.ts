import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { createRosterClient } from '@roster/client';
import { peakOf } from './peak-memory.ts';

/**
 * Imports a million agents (or as many as the first argument says) from a CSV file, kills the import with SIGKILL when
 * two fifths are there, resumes it, exports all, and compares the export with the file. Fails where a record is missing,
 * wrong or there twice, or where an import takes 150 MB or more. It needs Linux, whose /proc says what a process took.
 */

const rows = Number(process.argv[2] ?? 1_000_000);
const MEBIBYTES_MAX = 150;
const KILLED_AT = 0.4;
const port = 3_999;
const url = `http://127.0.0.1:${port}`;
const key = 'import-million-import-million-import-million';
const directory = mkdtempSync(join(tmpdir(), 'roster-million-'));
// If root runs this, PostgreSQL runs as the user nobody, who needs access: else its data would lie elsewhere, and stay.
chmodSync(directory, 0o755);
const file = join(directory, 'agents.csv');
const root = new URL('../../../', import.meta.url).pathname;

const say = (text: string) => void process.stdout.write(`${text}\n`);

/** What is compared of a record; its number is its key. */
function fieldsOf(index: number): string[] {
  const name = ['Ana', 'João', '陽菜', 'Ελένη'][index % 4] ?? '';
  return [
    `${index}`,
    name,
    `Nº ${index}`,
    `agent${index}@million.example`,
    '+351 910 000 000',
    'Lisboa',
    'PT',
  ];
}

const header = ['source.key', 'firstName', 'lastName', 'email', 'phone', 'address.city', 'address.country'];

async function writeFile(): Promise<void> {
  const out = createWriteStream(file);
  out.write(`${header.join(',')}\n`);
  for (let index = 0; index < rows; index += 1)
    if (!out.write(`${fieldsOf(index).join(',')}\n`)) await once(out, 'drain');
  out.end();
  await once(out, 'finish');
}

function startServer(): ChildProcess {
  return spawn(process.execPath, [join(root, 'apps/server/src/main.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    cwd: directory,
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: String(port),
      ROSTER_DATA_DIR: join(directory, 'data'),
      ROSTER_ADMIN_KEY: key,
      ROSTER_RATE_LIMIT: '0',
      ROSTER_LOG_LEVEL: 'warn',
    },
  });
}

async function waitForServer(): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await setTimeout(200);
  }
  throw new Error('the service does not start');
}

function roster(...argv: string[]): ChildProcess {
  return spawn(process.execPath, [join(root, 'apps/cli/src/roster.js'), 'agents', ...argv], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ROSTER_URL: url, ROSTER_KEY: key, XDG_STATE_HOME: join(directory, 'state') },
  });
}

/** Lets a command run to its end, or until `isEnough` says so, and then kills it. Answers the most memory it took. */
async function watched(child: ChildProcess, isEnough: () => Promise<boolean>): Promise<number> {
  let peak = 0;
  const exit = once(child, 'exit');
  while (child.exitCode === null && child.signalCode === null) {
    peak = Math.max(peak, peakOf(child) ?? 0);
    if (await isEnough()) child.kill('SIGKILL');
    await Promise.race([exit, setTimeout(500)]);
  }
  if (child.signalCode === null && child.exitCode !== 0)
    throw new Error(`the command ended with ${child.exitCode}`);
  return peak;
}

const client = createRosterClient({ url, key });

async function total(): Promise<number> {
  return (await client.agents.list.query({ limit: 1, includeTotal: true })).total ?? 0;
}

/** Compares the export with what was in the file. No cell of either has a comma or a quote within. */
async function compare(exported: string): Promise<void> {
  const seen = new Uint8Array(rows);
  let places: number[] = [];
  for await (const line of createInterface({ input: createReadStream(exported) })) {
    const cells = line.split(',');
    if (places.length === 0) {
      places = header.map((name) => cells.indexOf(name));
      continue;
    }
    const found = places.map((place) => cells[place]?.replace(/^'/, '') ?? '');
    const index = Number(found[0]);
    if (found.join() !== fieldsOf(index).join())
      throw new Error(`the record ${found.join()} is not as in the file`);
    if (seen[index] === 1) throw new Error(`the record ${index} is there twice`);
    seen[index] = 1;
  }
  const missing = seen.indexOf(0);
  if (missing >= 0) throw new Error(`the record ${missing} is missing`);
}

async function run(): Promise<void> {
  await writeFile();
  await waitForServer();
  const started = performance.now();
  const seconds = () => `${Math.round((performance.now() - started) / 1_000)} s`;
  const argv = ['import', file, '--source', 'Million'];
  const first = await watched(roster(...argv), async () => (await total()) >= rows * KILLED_AT);
  say(
    `killed with ${await total()} of ${rows} agents there, after ${seconds()}; it took ${Math.round(first)} MiB`,
  );
  const second = await watched(roster(...argv, '--resume'), async () => false);
  say(`${await total()} of ${rows} agents are there, after ${seconds()}; it took ${Math.round(second)} MiB`);
  const exported = join(directory, 'exported.csv');
  const third = await watched(roster('export', exported), async () => false);
  await compare(exported);
  say(`exported ${rows} agents, all as in the file, after ${seconds()}; it took ${Math.round(third)} MiB`);
  const peak = Math.max(first, second, third);
  if (peak >= MEBIBYTES_MAX) throw new Error(`${Math.round(peak)} MiB are more than ${MEBIBYTES_MAX}`);
}

const server = startServer();
try {
  await run();
} finally {
  server.kill('SIGTERM');
  await once(server, 'exit');
  rmSync(directory, { recursive: true, force: true });
}
