import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { LocalPostgresInUse } from './errors.ts';
import { acquireLock, findHolder } from './lock.ts';
import { scratch } from './testing/children.ts';

const module = fileURLToPath(new URL('./lock.ts', import.meta.url));

/** A process that tries to acquire the lock of a directory, and keeps it; whether it has. */
async function contender(home: string) {
  const program = `
    const { acquireLock } = await import(process.argv[1]);
    let isOwner = true;
    try { acquireLock(process.argv[2]); } catch { isOwner = false; }
    process.send(isOwner);
    process.on('message', () => undefined);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, module, home], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const [isOwner] = await once(child, 'message');
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return { pid: child.pid, isOwner, kill };
}

describe('the lock of a home directory', () => {
  it('has one owner of many processes that try at once', async () => {
    await using directory = await scratch();
    const tries = await Promise.all(Array.from({ length: 8 }, () => contender(directory.path)));
    expect(tries.filter(({ isOwner }) => isOwner)).toHaveLength(1);
    expect(() => acquireLock(directory.path)).toThrow(LocalPostgresInUse);
    for (const { kill } of tries) await kill();
    acquireLock(directory.path)();
  });

  it('names its owner, to the owner and to others, and is free when its owner is killed', async () => {
    await using directory = await scratch();
    const owner = await contender(directory.path);
    expect(() => acquireLock(directory.path)).toThrow(`in use by process ${owner.pid} on `);
    expect(findHolder(directory.path)?.message).toContain(`in use by process ${owner.pid} on `);
    await owner.kill();
    expect(findHolder(directory.path)).toBeUndefined();
    const release = acquireLock(directory.path);
    expect(() => acquireLock(directory.path)).toThrow(`in use by process ${process.pid} on `);
    expect((await contender(directory.path)).isOwner).toBe(false);
    release();
  });

  it('is kept while others look at it, fail to acquire it, or nothing refers to it', async () => {
    await using directory = await scratch();
    acquireLock(directory.path);
    for (let round = 0; round < 3; round += 1) {
      expect(findHolder(directory.path)).toBeInstanceOf(LocalPostgresInUse);
      expect(() => acquireLock(directory.path)).toThrow(LocalPostgresInUse);
      globalThis.gc?.();
    }
    const other = await contender(directory.path);
    expect(other.isOwner).toBe(false);
    await other.kill();
  });

  it('can be released twice, the second time without effect on its next owner', async () => {
    await using directory = await scratch();
    const release = acquireLock(directory.path);
    release();
    const releaseNext = acquireLock(directory.path);
    release();
    expect(() => acquireLock(directory.path)).toThrow(LocalPostgresInUse);
    releaseNext();
  });

  it('writes nothing but the name of its owner, and nothing where it is only looked at', async () => {
    await using directory = await scratch();
    const lock = join(directory.path, 'lock');
    expect(findHolder(directory.path)).toBeUndefined();
    await expect(readdir(lock)).rejects.toThrow('ENOENT');
    const release = acquireLock(directory.path);
    expect(await readdir(lock)).toEqual(['database', 'owner']);
    release();
    expect(await readdir(lock)).toEqual(['database']);
    expect(await readFile(join(lock, 'database'), 'utf8')).toBe('');
  });

  it('is free when a power failure has left the name of an owner', async () => {
    await using directory = await scratch();
    acquireLock(directory.path)();
    await writeFile(join(directory.path, 'lock', 'owner'), `process ${process.pid} on here`);
    acquireLock(directory.path)();
  });
});
