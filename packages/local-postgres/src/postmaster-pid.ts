import { constants } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from './errors.ts';
import { startOf } from './process-info.ts';

/** What PostgreSQL's main process writes about itself into postmaster.pid (src/include/utils/pidfile.h). */
export interface PostmasterFile {
  pid: number;
  /** The first directory it has a socket in; empty until it has opened one. */
  socketDirectory: string;
  /** 'starting', 'ready', 'stopping', … ; empty until it has said so. */
  status: string;
  /** The process id and the time of start, which no other server shares. */
  identity: string;
}

const EMPTY_FOR_MS = 1000;

/** A process id that no kernel gives: Linux ends at 2^22, macOS at 99999. */
const NOBODY_PID = 2 ** 31 - 1;

/** Reads the file of a data directory; undefined when there is none or nothing in it yet. */
export async function readPostmasterFile(data: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch((error) => {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  });
  return text === '' ? undefined : parsePostmasterFile(text);
}

function parsePostmasterFile(text: string): PostmasterFile {
  const [pid = '', directory = '', started = '', port = '', socketDirectory = '', ...rest] = text.split('\n');
  return {
    // A stand-alone back end writes its number as a negative one.
    pid: Math.abs(Number.parseInt(pid, 10)) || NOBODY_PID,
    socketDirectory,
    status: rest[2]?.trim() ?? '',
    identity: [pid, directory, started, port].join('\n'),
  };
}

/**
 * Makes the file that a dead server left harmless. PostgreSQL itself sees that the process of that number is gone,
 * and checks that nobody uses its shared memory any more; but when the number has since been given to another
 * process of the same user, as happens after a reboot, it takes that for the server and refuses to start. So the
 * number, and nothing else, is replaced by one that no process has.
 */
export async function disarmPostmasterFile(data: string): Promise<void> {
  const path = join(data, 'postmaster.pid');
  const text = await readWhenWritten(path);
  if (text === undefined) return;
  // Loss of power can leave a file empty or full of zeros, which PostgreSQL refuses too.
  if (!/^-?\d/.test(text)) return rm(path, { force: true });
  const { pid } = parsePostmasterFile(text);
  if ((await startOf(pid)) === undefined && !signalArrives(pid)) return;
  const file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW);
  try {
    const changed = [String(NOBODY_PID), ...text.split('\n').slice(1)].join('\n');
    await file.truncate(0);
    await file.write(changed, 0);
  } finally {
    await file.close();
  }
}

async function readWhenWritten(path: string): Promise<string | undefined> {
  for (const deadline = Date.now() + EMPTY_FOR_MS; ; ) {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text !== '' || Date.now() > deadline) return text;
    await sleep(20);
  }
}

/** What PostgreSQL asks: also a process that ended but was not collected yet takes a signal. */
function signalArrives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
