import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { scratch } from '../src/children.fixture.ts';
import { startTimeOf } from '../src/process-info.ts';
import { acquireStartLock } from '../src/start-lock.ts';

const TIMEOUT_MS = 10_000;

describe('the start lock', () => {
  it('has one holder at a time, and every process acquires it', async () => {
    await using directory = await scratch();
    let inside = 0;
    let served = 0;
    const use = async () => {
      const lock = await acquireStartLock(directory.path, TIMEOUT_MS);
      inside += 1;
      expect(inside).toBe(1);
      await sleep(1);
      inside -= 1;
      served += 1;
      await lock.release();
    };
    await Promise.all(Array.from({ length: 20 }, use));
    expect(served).toBe(20);
  });

  it('leaves at most two files, however often it is acquired', async () => {
    await using directory = await scratch();
    for (let round = 0; round < 30; round += 1)
      await (await acquireStartLock(directory.path, TIMEOUT_MS)).release();
    expect((await readdir(directory.path)).length).toBeLessThanOrEqual(2);
  });

  it('is free when its holder is killed', async () => {
    await using directory = await scratch();
    const module = fileURLToPath(new URL('../src/start-lock.ts', import.meta.url));
    const program = `
      const { acquireStartLock } = await import(process.argv[1]);
      await acquireStartLock(process.argv[2], 1000);
      process.send('held');
      process.on('message', () => undefined);
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, module, directory.path], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    await once(child, 'message');
    await expect(acquireStartLock(directory.path, 100)).rejects.toThrow(
      new RegExp(`Process ${child.pid} has been`),
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    await (await acquireStartLock(directory.path, 100)).release();
  });

  it.each([
    ['a process that has ended', '2147483000 1'],
    ['a process whose id was reused', `${process.pid} 1`],
    ['no process, after a power failure', ''],
  ])('is free when its file names %s', async (_, text) => {
    await using directory = await scratch();
    await writeFile(join(directory.path, '7'), text);
    await (await acquireStartLock(directory.path, 100)).release();
  });

  it('can be released twice, the second time without effect on its next holder', async () => {
    await using directory = await scratch();
    const first = await acquireStartLock(directory.path, TIMEOUT_MS);
    await first.release();
    const second = await acquireStartLock(directory.path, TIMEOUT_MS);
    await first.release();
    await expect(acquireStartLock(directory.path, 50)).rejects.toThrow(`Process ${process.pid}`);
    await second.release();
  });
});

describe('startTimeOf', () => {
  it('is constant for a process, differs between processes, and is undefined after the end', async () => {
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    await once(child, 'spawn');
    const started = await startTimeOf(child.pid ?? 0);
    expect(started).toBeDefined();
    expect(await startTimeOf(child.pid ?? 0)).toBe(started);
    expect(await startTimeOf(process.pid)).not.toBe(started);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await startTimeOf(child.pid ?? 0)).toBeUndefined();
  });
});
