import { constants } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../errors.ts';
import { readStartTime } from './process-info.ts';

/** The lines that PostgreSQL's main process writes into postmaster.pid (PostgreSQL's src/include/utils/pidfile.h). */
export interface PidFile {
  pid: number;
  /** The first directory with a socket of it; empty until it has opened one. */
  socketDirectory: string;
  /** 'starting', 'ready', 'stopping', … ; empty until it is written. */
  status: string;
}

const EMPTY_TIMEOUT_MS = 1000;

/** Higher than any process id: the maximum is 2^22 on Linux and 99999 on macOS. */
const UNUSED_PID = 2 ** 31 - 1;

/** Reads postmaster.pid of a data directory; undefined if the file does not exist or is empty. */
export async function readPidFile(data: string): Promise<PidFile | undefined> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch((error) => {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  });
  return text === '' ? undefined : parsePidFile(text);
}

function parsePidFile(text: string): PidFile {
  const [pid = '', , , , socketDirectory = '', ...rest] = text.split('\n');
  return {
    // A stand-alone backend writes its process id as a negative number.
    pid: Math.abs(Number.parseInt(pid, 10)) || UNUSED_PID,
    socketDirectory,
    status: rest[2]?.trim() ?? '',
  };
}

/**
 * Makes the postmaster.pid of a server that has ended harmless. PostgreSQL checks by itself that the process has ended
 * and that its shared memory is unused. But if its process id was reused by a process of the same user, as happens
 * after a reboot, PostgreSQL takes that process for the server and does not start. So the process id, and nothing
 * else, is replaced by one that is never used.
 */
export async function neutralisePidFile(data: string): Promise<void> {
  const path = join(data, 'postmaster.pid');
  const text = await readWhenWritten(path);
  if (text === undefined) return;
  // A power failure can leave the file empty or full of zeros, with which PostgreSQL does not start either.
  if (!/^-?\d/.test(text)) return rm(path, { force: true });
  const { pid } = parsePidFile(text);
  if ((await readStartTime(pid)) === undefined && !acceptsSignals(pid)) return;
  const file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW);
  try {
    const changed = [String(UNUSED_PID), ...text.split('\n').slice(1)].join('\n');
    await file.truncate(0);
    await file.write(changed, 0);
  } finally {
    await file.close();
  }
}

async function readWhenWritten(path: string): Promise<string | undefined> {
  for (const deadline = Date.now() + EMPTY_TIMEOUT_MS; ; ) {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text !== '' || Date.now() > deadline) return text;
    await sleep(20);
  }
}

/** The check that PostgreSQL makes. A zombie accepts signals too. */
function acceptsSignals(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
