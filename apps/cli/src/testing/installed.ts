import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/** A PATH on which `roster` is ours, as it would be installed. */
export function pathWithRoster(): string {
  const directory = mkdtempSync(join(tmpdir(), 'roster-bin-'));
  const main = new URL('../roster.js', import.meta.url).pathname;
  const script = `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`;
  writeFileSync(join(directory, 'roster'), script, { mode: 0o755 });
  return `${directory}:${process.env.PATH}`;
}
