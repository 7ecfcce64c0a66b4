import { execFile } from 'node:child_process';
import { mkdir, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A small file system of its own, which can be filled. */
export interface Disk extends AsyncDisposable {
  /** Where it is mounted; every user can pass. */
  path: string;
  /** Takes all the space that is left. */
  fill(): Promise<void>;
  /** Gives the space back. */
  free(): Promise<void>;
}

const FILLER = 'filler';
const CHUNK_BYTES = 1024 * 1024;

/** Whether this process may mount file systems here: root on Linux, outside most containers. */
export async function mayMount(directory: string): Promise<boolean> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const path = join(directory, 'probe');
  await mkdir(path, { recursive: true });
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'roster-chaos', path]).then(
    () => true,
    () => false,
  );
  if (isMounted) await run('umount', [path]);
  await rm(path, { recursive: true });
  return isMounted;
}

/** Mounts a file system in memory that holds so many MiB. Throws where that is not allowed. */
export async function mountDisk(path: string, sizeMib: number): Promise<Disk> {
  await mkdir(path, { recursive: true });
  await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeMib}m,mode=0755`, 'roster-chaos', path]);
  return {
    path,
    fill: () => fill(path),
    free: () => rm(join(path, FILLER), { force: true }),
    [Symbol.asyncDispose]: async () => {
      // What still holds it open is dead or dying; it goes when they have gone.
      await run('umount', ['-l', path]);
    },
  };
}

async function fill(path: string): Promise<void> {
  const file = await open(join(path, FILLER), 'w');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  try {
    for (;;) {
      const { bavail, bsize } = await statfs(path);
      if (bavail === 0) return;
      await file.write(chunk, 0, Math.min(CHUNK_BYTES, bavail * bsize));
    }
  } catch (error) {
    // Another process took the rest meanwhile.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  } finally {
    await file.close();
  }
}
