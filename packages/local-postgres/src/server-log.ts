import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Place } from './layout.ts';
import { isRoot } from './users.ts';

/** What PostgreSQL writes about itself, in the home of the database. */
export interface Log {
  path: string;
  /** For the standard output and error of a child; it appends. */
  fd: number;
  /** The last lines written since the log was opened, for a message to people. */
  tail(): Promise<string>;
  close(): Promise<void>;
}

const BYTES_MAX = 10 * 1024 * 1024;
const TAIL_BYTES = 4096;
const TAIL_LINES = 15;

/** Opens the log, emptying it first when it has grown beyond 10 MB. */
export async function openLog(place: Place): Promise<Log> {
  const path = join(place.home, 'postgres.log');
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const file = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  if (isRoot()) await file.chown(place.keeper.uid, place.keeper.gid);
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
