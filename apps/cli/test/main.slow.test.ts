import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { useTestService } from './support/test-service.ts';

const NAMES = 60;
const service = useTestService(async ({ client }) => {
  await Promise.all(
    Array.from({ length: NAMES }, (_, number) =>
      client().offices.create.mutate({ name: `Office ${number}`, bio: 'x'.repeat(4_000) }),
    ),
  );
});

const main = new URL('../src/roster.js', import.meta.url).pathname;

/** The real process. */
function start(
  argv: string[],
  url: string,
  options: { cwd?: string; key?: string } = {},
): ChildProcess & { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream } {
  const { cwd, key = service.key() } = options;
  const child = spawn(process.execPath, [main, ...argv], {
    cwd,
    env: { ...process.env, ROSTER_URL: url, ROSTER_KEY: key },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return child as ReturnType<typeof start>;
}

async function outcomeOf(child: ReturnType<typeof start>) {
  const [stdout, stderr, [exit]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { exit, stdout, stderr };
}

describe('the process', () => {
  it('lists every office in a pipe', async () => {
    const { exit, stdout, stderr } = await outcomeOf(start(['offices', 'list', '--all'], service.url()));
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout.split('\n')).toHaveLength(NAMES + 2);
  });

  it('finds the key file of a service in a parent directory', async () => {
    const root = mkdtempSync(join(tmpdir(), 'roster-cli-'));
    const cwd = join(root, 'below');
    for (const path of [cwd, join(root, '.roster')]) mkdirSync(path);
    writeFileSync(join(root, '.roster', 'key'), `${service.key()}\n`, { mode: 0o600 });
    writeFileSync(join(root, '.roster', 'url'), `${service.url()}\n`, { mode: 0o600 });
    const found = await outcomeOf(
      start(['offices', 'list', '--json', 'id'], service.url(), { cwd, key: '' }),
    );
    expect(found).toMatchObject({ exit: 0, stderr: '' });
  });

  it('loads neither the client nor prompts for its help', async () => {
    const preload = `import { registerHooks } from 'node:module';
      registerHooks({ resolve(name, context, next) {
        const found = next(name, context);
        process.stderr.write(found.url + '\\n');
        return found;
      } });`;
    const hook = `data:text/javascript,${encodeURIComponent(preload)}`;
    const child = spawn(process.execPath, ['--import', hook, main, 'agents', 'create', '--help']);
    const { exit, stderr } = await outcomeOf(child as ReturnType<typeof start>);
    expect(exit).toBe(0);
    expect(stderr).toContain('/program.ts');
    expect(stderr).not.toMatch(/trpc|@roster|packages.client|inquirer|string-width|schemas\.json/);
  });

  it('exits with the code of the error', async () => {
    expect(await outcomeOf(start(['offices', 'get', 'x'], service.url()))).toMatchObject({
      exit: 2,
      stdout: '',
    });
    expect(await outcomeOf(start(['offices', 'gte'], service.url()))).toMatchObject({
      exit: 2,
      stdout: '',
    });
  });

  it('exits without an error when the reader of the pipe closes it', async () => {
    const child = start(['offices', 'list', '--all', '--json'], service.url());
    child.stdout.once('data', () => (child.stdout as NodeJS.ReadableStream & { destroy(): void }).destroy());
    const [stderr, [exit]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  });

  it('exits with 130 on Ctrl-C, also if npm forwards the signal a second time', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const child = start(['offices', 'list'], `http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    silent.once('request', () => {
      for (let time = 0; time < 2; time += 1) child.kill('SIGINT');
    });
    expect(await outcomeOf(child)).toEqual({ exit: 130, stdout: '', stderr: '' });
    silent.closeAllConnections();
    silent.close();
  });
});
