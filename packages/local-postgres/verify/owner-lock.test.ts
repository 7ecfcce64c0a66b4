import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { scratch } from '../src/children.fixture.ts';
import { acquireOwnerLock, findOwner } from '../src/server/owner-lock.ts';
import { readStartTime } from '../src/server/process-info.ts';

describe('the lock of the owner', () => {
  it('has one owner of many that try at once; the others learn who it is', async () => {
    await using directory = await scratch();
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, () => acquireOwnerLock(directory.path)),
    );
    const owned = tries.filter(({ status }) => status === 'fulfilled');
    expect(owned).toHaveLength(1);
    for (const { reason } of tries.filter((result) => result.status === 'rejected'))
      expect(reason).toMatchObject({ name: 'LocalPostgresUnavailable', owner: process.pid });
    expect(await findOwner(directory.path)).toBe(process.pid);
  });

  it('leaves at most two files, however often it is acquired', async () => {
    await using directory = await scratch();
    for (let round = 0; round < 30; round += 1) await (await acquireOwnerLock(directory.path)).release();
    expect((await readdir(directory.path)).length).toBeLessThanOrEqual(2);
  });

  it('is free when its owner is killed', async () => {
    await using directory = await scratch();
    const module = fileURLToPath(new URL('../src/server/owner-lock.ts', import.meta.url));
    const program = `
      const { acquireOwnerLock } = await import(process.argv[1]);
      await acquireOwnerLock(process.argv[2]);
      process.send('held');
      process.on('message', () => undefined);
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, module, directory.path], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    await once(child, 'message');
    await expect(acquireOwnerLock(directory.path)).rejects.toThrow(`in use by process ${child.pid}`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await (await acquireOwnerLock(directory.path)).release();
  });

  it.each([
    ['a process that has ended', '2147483000 1'],
    ['a process whose id was reused', `${process.pid} 1`],
    ['no process, after a power failure', ''],
  ])('is free when its file names %s', async (_, text) => {
    await using directory = await scratch();
    await writeFile(join(directory.path, '7'), text);
    await (await acquireOwnerLock(directory.path)).release();
  });

  it('can be released twice, the second time without effect on its next owner', async () => {
    await using directory = await scratch();
    const first = await acquireOwnerLock(directory.path);
    await first.release();
    const second = await acquireOwnerLock(directory.path);
    await first.release();
    await expect(acquireOwnerLock(directory.path)).rejects.toThrow(`process ${process.pid}`);
    await second.release();
  });
});

describe('startTimeOf', () => {
  it('is constant for a process, differs between processes, and is undefined after the end', async () => {
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    await once(child, 'spawn');
    const started = await readStartTime(child.pid ?? 0);
    expect(started).toBeDefined();
    expect(await readStartTime(child.pid ?? 0)).toBe(started);
    expect(await readStartTime(process.pid)).not.toBe(started);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await readStartTime(child.pid ?? 0)).toBeUndefined();
  });
});
