import { randomBytes } from 'node:crypto';
import { chmod, link, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, EmbeddedUnavailable } from './errors.ts';
import { startOf } from './process-info.ts';

/** Held by the one process that may initialise, start or stop the server of a directory. */
export interface StartLock {
  /** Lets the next one in. Idempotent. */
  release(): Promise<void>;
}

const RETRY_MS = 20;
const DRAFT_KEPT_MS = 600_000;

/**
 * Takes the lock that a directory holds. A holder that was killed holds nothing: it is told from a living one by
 * its process id together with the time it started.
 *
 * The lock is a row of numbered files, of which only the highest counts: it names its holder, or is empty when it
 * was given back. To take the lock is to make the next number, which the file system lets one process do. The
 * highest is never removed, so nobody can remove a lock that somebody else has just taken.
 *
 * @param directory exists and is private to the owner of the database
 * @param patienceMs how long to wait for a living holder
 * @throws EmbeddedUnavailable when the holder outlasts our patience
 */
export async function takeStartLock(directory: string, patienceMs: number): Promise<StartLock> {
  const me = `${process.pid} ${await startOf(process.pid)}`;
  const draft = join(directory, `draft-${process.pid}-${randomBytes(6).toString('hex')}`);
  await writeFile(draft, me, { flag: 'wx' });
  try {
    // Whoever may enter the directory may give back and take over, be it the owner or root.
    await chmod(draft, 0o666);
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const taken = await tryToTake(directory, draft);
      if ('path' in taken) return { release: () => giveBack(taken.path) };
      if (Date.now() > deadline) {
        throw new EmbeddedUnavailable(
          `Process ${taken.holder} has been starting or stopping it for more than ${patienceMs / 1000} s ` +
            `(lock directory ${directory}).`,
        );
      }
      await sleep(RETRY_MS);
    }
  } finally {
    await rm(draft, { force: true });
  }
}

async function tryToTake(directory: string, draft: string): Promise<{ path: string } | { holder: string }> {
  const top = highest(await readdir(directory));
  const holder = await livingHolder(join(directory, String(top)));
  if (holder !== undefined) return { holder };
  const path = join(directory, String(top + 1));
  try {
    await link(draft, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return { holder: 'unknown' };
    throw error;
  }
  // What we read may have been old: then others went on counting, removed this number, and hold a higher one.
  const names = await readdir(directory);
  if (highest(names) !== top + 1) {
    await rm(path, { force: true });
    return { holder: 'unknown' };
  }
  await sweep(directory, names, top);
  return { path };
}

async function giveBack(path: string): Promise<void> {
  // The number is gone when others counted on since, or when the whole directory was removed under us.
  await truncate(path).catch(emptyWhenGone);
}

function highest(names: string[]): number {
  return Math.max(0, ...names.filter((name) => /^\d+$/.test(name)).map(Number));
}

async function livingHolder(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(emptyWhenGone);
  const [pid = '', ...started] = text.split(' ');
  return text !== '' && (await startOf(Number(pid))) === started.join(' ') ? pid : undefined;
}

function emptyWhenGone(error: unknown): string {
  if (codeOf(error) === 'ENOENT') return '';
  throw error;
}

/** Removes the numbers nobody looks at any more, and the drafts of processes killed while they waited. */
async function sweep(directory: string, names: string[], top: number): Promise<void> {
  for (const name of names) {
    const path = join(directory, name);
    if (/^\d+$/.test(name)) {
      // The one before ours stays, so that a listing made meanwhile sees at least one of the two.
      if (Number(name) < top) await rm(path, { force: true });
    } else {
      const made = await stat(path).catch(() => undefined);
      if (made !== undefined && Date.now() - made.mtimeMs > DRAFT_KEPT_MS) await rm(path, { force: true });
    }
  }
}
