import { readFile } from 'node:fs/promises';

/** The user id and group id a file belongs to or a process runs under. */
export interface Owner {
  uid: number;
  gid: number;
}

/** The kernel's customary id for the user who owns nothing; used where /etc/passwd does not name one. */
const OVERFLOW_ID = 65534;

/** The user this process runs as. Callable only where there are users, so not on Windows. */
export function currentUser(): Owner {
  return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
}

/** Whether this process is the super-user, under whom PostgreSQL refuses to run. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The user without rights that the database runs as when we are root: `nobody`, by the ids this machine gives it.
 * They differ (65534 on most Linux, 99 on old ones, -2 on macOS), hence the look-up.
 */
export async function unprivilegedUser(passwdFile = '/etc/passwd'): Promise<Owner> {
  const passwd = await readFile(passwdFile, 'utf8').catch(() => '');
  const line = passwd.split('\n').find((entry) => entry.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  const ids = { uid: unsigned(uid), gid: unsigned(gid) };
  // A table that gives nobody the super-user's number would hand PostgreSQL exactly what it refuses.
  return ids.uid === 0 ? { uid: OVERFLOW_ID, gid: OVERFLOW_ID } : ids;
}

/** What to give `spawn` so that the child runs as `owner`: nothing unless we are root, who alone may choose. */
export function spawnAs(owner: Owner): { uid?: number; gid?: number } {
  // Node takes the ids as signed 32-bit numbers, while the file system reports them unsigned.
  return isRoot() ? { uid: owner.uid | 0, gid: owner.gid | 0 } : {};
}

function unsigned(id: string | undefined): number {
  const number = Number.parseInt(id ?? '', 10);
  return Number.isNaN(number) ? OVERFLOW_ID : number >>> 0;
}
