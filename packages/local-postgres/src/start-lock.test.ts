import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { scratch } from './children.fixture.ts';
import { startOf } from './process-info.ts';
import { takeStartLock } from './start-lock.ts';

const PATIENCE_MS = 10_000;

describe('the start lock', () => {
  it('is held by one at a time, and everybody gets it', async () => {
    await using place = await scratch();
    let inside = 0;
    let served = 0;
    const enter = async () => {
      const lock = await takeStartLock(place.path, PATIENCE_MS);
      inside += 1;
      expect(inside).toBe(1);
      await sleep(1);
      inside -= 1;
      served += 1;
      await lock.release();
    };
    await Promise.all(Array.from({ length: 20 }, enter));
    expect(served).toBe(20);
  });

  it('leaves a handful of small files, however often it was taken', async () => {
    await using place = await scratch();
    for (let round = 0; round < 30; round += 1)
      await (await takeStartLock(place.path, PATIENCE_MS)).release();
    expect((await readdir(place.path)).length).toBeLessThanOrEqual(2);
  });

  it('passes on when its holder is killed', async () => {
    await using place = await scratch();
    const module = fileURLToPath(new URL('./start-lock.ts', import.meta.url));
    const program = `
      const { takeStartLock } = await import(process.argv[1]);
      await takeStartLock(process.argv[2], 1000);
      process.send('held');
      process.on('message', () => undefined);
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, module, place.path], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    await once(child, 'message');
    await expect(takeStartLock(place.path, 100)).rejects.toThrow(new RegExp(`Process ${child.pid} has been`));
    child.kill('SIGKILL');
    await once(child, 'exit');
    await (await takeStartLock(place.path, 100)).release();
  });

  it.each([
    ['a process that is gone', '2147483000 1'],
    ['a process whose number another one has now', `${process.pid} 1`],
    ['nobody, after a loss of power', ''],
  ])('is free when its file names %s', async (_, text) => {
    await using place = await scratch();
    await writeFile(join(place.path, '7'), text);
    await (await takeStartLock(place.path, 100)).release();
  });

  it('can be given back twice, the second time without effect on its next holder', async () => {
    await using place = await scratch();
    const first = await takeStartLock(place.path, PATIENCE_MS);
    await first.release();
    const second = await takeStartLock(place.path, PATIENCE_MS);
    await first.release();
    await expect(takeStartLock(place.path, 50)).rejects.toThrow(`Process ${process.pid}`);
    await second.release();
  });
});

describe('a process', () => {
  it('is told from an earlier one of the same number by the time it started', async () => {
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    await once(child, 'spawn');
    const started = await startOf(child.pid ?? 0);
    expect(started).toBeDefined();
    expect(await startOf(child.pid ?? 0)).toBe(started);
    expect(await startOf(process.pid)).not.toBe(started);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await startOf(child.pid ?? 0)).toBeUndefined();
  });
});
