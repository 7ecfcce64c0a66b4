import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Environment, stateDirectory } from '../context/environment.ts';

/** An import nobody goes on with is forgotten after that: what it holds is personal. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

/**
 * Where unfinished imports are kept (XDG Base Directory): `roster/imports` in XDG_STATE_HOME, or in `.local/state` at
 * home, open to its owner alone. What is older than a week is deleted.
 */
function importsDirectory(env: Environment): string {
  const directory = join(stateDirectory(env) ?? join(tmpdir(), '.local', 'state', 'roster'), 'imports');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(directory)) {
    const file = join(directory, name);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found && Date.now() - found.mtimeMs > KEPT_MS) rmSync(file, { force: true });
  }
  return directory;
}

/** The file for an import of this input into that service; the same whenever it is asked for. */
export function stateFile(env: Environment, what: { url: string; noun: string; name: string }): string {
  const { url, noun, name } = what;
  const id = createHash('sha256')
    .update(JSON.stringify([url, noun, name]))
    .digest('hex')
    .slice(0, 24);
  return join(importsDirectory(env), `${noun}-${id}.sqlite`);
}
