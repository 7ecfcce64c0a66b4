import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataLayout } from '../layout.ts';
import { isRoot } from '../users.ts';

/** The log file of PostgreSQL, `postgres.log` in the home directory of the layout. */
export interface ServerLog {
  path: string;
  /** Appends; for the standard output and error of a child process. */
  fd: number;
  /** The last lines written since the log was opened, for an error message. */
  tail(): Promise<string>;
  close(): Promise<void>;
}

const BYTES_MAX = 10 * 1024 * 1024;
const TAIL_BYTES = 4096;
const TAIL_LINES = 15;

/** Opens the log. Truncates it first if it is larger than 10 MB. */
export async function openServerLog(layout: DataLayout): Promise<ServerLog> {
  const path = join(layout.home, 'postgres.log');
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const file = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  if (isRoot()) await file.chown(layout.keeper.uid, layout.keeper.gid);
  const before = (await file.stat()).size;
  if (before > BYTES_MAX) await file.truncate(0);
  const start = before > BYTES_MAX ? 0 : before;
  return { path, fd: file.fd, tail: () => readTail(file, start), close: () => file.close() };
}

async function readTail(file: FileHandle, start: number): Promise<string> {
  const { size } = await file.stat();
  const from = Math.max(start, size - TAIL_BYTES);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, from);
  const lines = buffer.toString('utf8', 0, bytesRead).trimEnd().split('\n');
  return lines.slice(-TAIL_LINES).join('\n');
}
