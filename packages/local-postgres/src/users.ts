import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The user id and group id that own a file or run a process. */
export interface Owner {
  uid: number;
  gid: number;
}

/** The id of `nobody` on most systems (the kernel's overflow id), used if the system does not know that user. */
const OVERFLOW_ID = 65534;

/** The user this process runs as. */
export const currentUser = (): Owner => ({ uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 });

/** Whether this process runs as root. PostgreSQL rejects root. */
export const isRoot = (): boolean => process.getuid?.() === 0;

/** The unprivileged user that PostgreSQL runs as if this process is root: `nobody`, with the ids that this machine gives it. */
export async function unprivilegedUser(): Promise<Owner> {
  const id = async (flag: string) => {
    const { stdout } = await run('id', [flag, 'nobody']).catch(() => ({ stdout: '' }));
    // Unsigned, as the file system reports ids; on macOS this one is -2.
    return Number(stdout) >>> 0 || OVERFLOW_ID;
  };
  return { uid: await id('-u'), gid: await id('-g') };
}

/** The options that make `spawn` run a child as `owner`; empty unless this process is root, which alone may choose. */
export function spawnAs({ uid, gid }: Owner): { uid?: number; gid?: number } {
  // Node takes ids as signed 32-bit integers.
  return isRoot() ? { uid: uid | 0, gid: gid | 0 } : {};
}

/** Whether the system lets a user search all of some directories, and run all of some programs. */
export async function mayEnter(user: Owner, ...paths: string[]): Promise<boolean> {
  const tests = paths.map((path) => run('test', ['-x', path], { cwd: '/', ...spawnAs(user) }));
  return Promise.all(tests).then(
    () => true,
    () => false,
  );
}
