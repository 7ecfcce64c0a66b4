import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
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

/** Mounts a file system in memory that holds so many MiB. Throws where that is not allowed. */
export async function mountDisk(path: string, sizeMib: number): Promise<Disk> {
  await mkdir(path, { recursive: true });
  await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeMib}m,mode=0755`, 'roster-chaos', path]);
  const filler = join(path, 'filler');
  return {
    path,
    // It writes until there is no space, and fails then.
    fill: async () =>
      void (await run('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k']).catch(() => undefined)),
    free: () => rm(filler, { force: true }),
    [Symbol.asyncDispose]: async () => {
      // What still holds it open is dead or dying; it goes when they have gone.
      await run('umount', ['-l', path]);
    },
  };
}
