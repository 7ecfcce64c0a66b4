import { readFile } from 'node:fs/promises';

/** The user id and group id that own a file or run a process. */
export interface Owner {
  uid: number;
  gid: number;
}

/** The id of `nobody` on most systems (the kernel's overflow id), used if /etc/passwd does not list that user. */
const OVERFLOW_ID = 65534;

/** The user this process runs as. */
export function currentUser(): Owner {
  return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
}

/** Whether this process runs as root. PostgreSQL rejects root. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The unprivileged user that PostgreSQL runs as if this process is root: `nobody`, with the ids that this machine
 * gives it. They differ: 65534 on most Linux systems, 99 on old ones, -2 on macOS.
 *
 * @param passwdFile in the format of passwd(5)
 */
export async function unprivilegedUser(passwdFile = '/etc/passwd'): Promise<Owner> {
  const passwd = await readFile(passwdFile, 'utf8').catch(() => '');
  const line = passwd.split('\n').find((entry) => entry.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  const ids = { uid: parseId(uid), gid: parseId(gid) };
  // If the file gives `nobody` the id of root, PostgreSQL would not start.
  return ids.uid === 0 ? { uid: OVERFLOW_ID, gid: OVERFLOW_ID } : ids;
}

/** The options that make `spawn` run a child as `owner`; empty unless this process is root, which alone may choose. */
export function spawnAs(owner: Owner): { uid?: number; gid?: number } {
  // Node takes ids as signed 32-bit integers; the file system reports them as unsigned ones.
  return isRoot() ? { uid: owner.uid | 0, gid: owner.gid | 0 } : {};
}

function parseId(id: string | undefined): number {
  const number = Number.parseInt(id ?? '', 10);
  return Number.isNaN(number) ? OVERFLOW_ID : number >>> 0;
}
