import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Environment, stateDirectory } from '../context/environment.ts';

/** Unfinished imports are deleted after this time, because they contain personal data. */
const RETENTION_MS = 7 * 24 * 60 * 60 * 1_000;

/**
 * The directory of unfinished imports (XDG Base Directory): `roster/imports` in XDG_STATE_HOME, or in `.local/state` at
 * home, with mode 0700. Files older than a week are deleted.
 */
function importsDirectory(env: Environment): string {
  const directory = join(stateDirectory(env) ?? join(tmpdir(), '.local', 'state', 'roster'), 'imports');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(directory)) {
    const file = join(directory, name);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found && Date.now() - found.mtimeMs > RETENTION_MS) rmSync(file, { force: true });
  }
  return directory;
}

/** The path of the journal for an input file and a service. It depends only on the arguments. */
export function journalFile(env: Environment, what: { url: string; resource: string; name: string }): string {
  const { url, resource, name } = what;
  const id = createHash('sha256')
    .update(JSON.stringify([url, resource, name]))
    .digest('hex')
    .slice(0, 24);
  return join(importsDirectory(env), `${resource}-${id}.journal.sqlite`);
}
