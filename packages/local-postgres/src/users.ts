import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Owner {
  uid: number;
  gid: number;
}

/** `nobody` on most systems (the kernel's overflow ID), if the system does not know that user. */
const OVERFLOW_ID = 65534;

export const currentUser = (): Owner => ({ uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 });

/** PostgreSQL rejects root. */
export const isRoot = (): boolean => process.getuid?.() === 0;

/** `nobody`, which PostgreSQL runs as if this process is root. */
export async function unprivilegedUser(): Promise<Owner> {
  const id = async (flag: string) => {
    const { stdout } = await run('id', [flag, 'nobody']).catch(() => ({ stdout: '' }));
    // Unsigned, as file systems report IDs; macOS has -2.
    return Number(stdout) >>> 0 || OVERFLOW_ID;
  };
  return { uid: await id('-u'), gid: await id('-g') };
}

/** Options of `spawn`; empty unless this process is root, as only root can choose. */
export function spawnAs({ uid, gid }: Owner): { uid?: number; gid?: number } {
  // Node takes IDs as signed 32-bit integers.
  return isRoot() ? { uid: uid | 0, gid: gid | 0 } : {};
}

export async function mayEnter(user: Owner, ...paths: string[]): Promise<boolean> {
  const tests = paths.map((path) => run('test', ['-x', path], { cwd: '/', ...spawnAs(user) }));
  return Promise.all(tests).then(
    () => true,
    () => false,
  );
}
