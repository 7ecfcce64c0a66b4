import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectLocalPostgres } from '../packages/db/src/local-postgres.ts';
import { freePort } from '../packages/local-postgres/src/testing/proxy.ts';
import { reasonsTable } from './reasons.ts';
import { settingsTable } from './settings.ts';

const root = dirname(import.meta.dirname);

interface Block {
  /** What follows the three back-ticks: the language, and for what. */
  info: string;
  text: string;
}

async function readmeText(): Promise<string> {
  return readFile(join(root, 'README.md'), 'utf8');
}

function blocksOf(section: string): Block[] {
  return Array.from(section.matchAll(/^```([^\n]+)\n([\s\S]*?)^```$/gm), ([, info = '', text = '']) => ({
    info,
    text,
  }));
}

/** Runs a command of the README as a shell would; what it printed and how it ended. */
async function shell(
  script: string,
  env: NodeJS.ProcessEnv,
): Promise<{ output: string; status: number | null }> {
  const child = spawn('bash', ['-eu', '-o', 'pipefail', '-c', script], { cwd: root, env });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const [status] = await once(child, 'close');
  return { output, status };
}

describe('the tour of the README', () => {
  let service: ChildProcess;
  let dataDir: string;
  let port: number;
  let env: NodeJS.ProcessEnv;
  let blocks: Block[];

  beforeAll(async () => {
    const [, tour = ''] = /^## A tour\n([\s\S]*?)^## /m.exec(await readmeText()) ?? [];
    blocks = blocksOf(tour);
    dataDir = await mkdtemp(join(tmpdir(), 'roster-tour-'));
    // Root's PostgreSQL runs as nobody, who has to get in.
    await chmod(dataDir, 0o755);
    port = await freePort();
    env = {
      ...process.env,
      PORT: String(port),
      ROSTER_DATA_DIR: dataDir,
      ROSTER_LOG_LEVEL: 'warn',
      ROSTER_URL: `http://127.0.0.1:${port}`,
    };
    const start = blocks.find(({ info }) => info === 'sh service');
    service = spawn('bash', ['-c', start?.text ?? 'exit 1'], { cwd: root, env, detached: true });
    await new Promise<void>((resolve, reject) => {
      service.stdout?.on('data', (chunk) => String(chunk).includes('curl') && resolve());
      service.once('exit', () => reject(new Error('the service ended before it was ready')));
    });
  }, 60_000);

  afterAll(async () => {
    const ended = once(service, 'exit');
    // As a terminal does it: to npm, the shell and the server at once.
    if (service.pid !== undefined) process.kill(-service.pid, 'SIGINT');
    expect(await ended).toEqual([0, null]);
    expect((await inspectLocalPostgres(dataDir)).running).toBeUndefined();
    await rm(dataDir, { recursive: true, force: true });
    await rm(join(root, 'tour.ts'), { force: true });
  }, 30_000);

  it('works as printed, command by command', async () => {
    const file = blocks.find(({ info }) => info === 'ts tour.ts');
    await writeFile(join(root, 'tour.ts'), file?.text ?? '');
    // What the reader of the tour saves in the clone is none of its sources: neither linted nor missed as unused.
    const lint = spawnSync(join(root, 'node_modules/.bin/biome'), ['lint', 'tour.ts'], { cwd: root });
    expect(lint.stderr.toString()).toContain('No files were processed');
    const commands = blocks.filter(({ info }) => info === 'sh').map(({ text }) => text);
    const script = commands
      .join('\n')
      .replaceAll('http://127.0.0.1:3000', `http://127.0.0.1:${port}`)
      .replaceAll('.roster/key', join(dataDir, 'key'));
    const { output, status } = await shell(script, env);
    expect(status, output).toBe(0);
    expect(output).toContain('"name":"Atlântico Imóveis"');
    expect(output).toContain('Ana Figueiredo · Atlântico Imóveis');
    expect(output).toContain('email_taken [');
    expect(output).toContain('"code":"office_inactive"');
    expect(output).toContain('"statusReason": "Moved to Porto"');
    const refusals = Array.from(output.matchAll(/"code":"(\w+)","requestId"/g), ([, code]) => code);
    expect(refusals, output).toEqual(['office_inactive']);
  }, 60_000);
});

describe('the tables of the README', () => {
  it('list every reason with its status and title (`pnpm run reasons` writes them)', async () => {
    expect(await readmeText()).toContain(reasonsTable());
  });

  it('list every setting and no other (`pnpm run settings` writes them)', async () => {
    const [, table] = /<!-- settings.*?-->\n([\s\S]*?)\n<!-- \/settings -->/.exec(await readmeText()) ?? [];
    expect(table).toBe(settingsTable());
  });
});
