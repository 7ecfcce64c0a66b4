import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import type { BundlePlugin } from './plugin.ts';

/** The longest first line that Linux before 5.1 reads, without its line feed. */
const SHEBANG_MAX = 127;

interface Launch {
  /** The file name of the launcher: `main.js`. */
  fileName: string;
  /** The name of the program in its error message. */
  name: string;
  /** The oldest version of Node.js that it supports: `24`, or `22.12`. */
  node: string;
  /** The entry file of the bundle, in the same directory. */
  entry: string;
  /** Flags of Node.js, which apply if the file is executed by its name, but not with `node main.js`. */
  flags?: readonly string[];
  /** Environment variables that are set before Node.js starts, likewise. */
  environment?: Readonly<Record<string, string>>;
}

/**
 * Adds an executable that imports the entry of a bundle. It is JavaScript that every Node.js can parse, because an older one
 * would fail with a SyntaxError when it parses the bundle: it prints which version is required and exits with 1.
 */
export function launcher(launch: Launch): BundlePlugin {
  return {
    name: 'launcher',
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: launch.fileName, source: launcherText(launch) });
    },
    async writeBundle({ dir = '.' }) {
      await chmod(join(dir, launch.fileName), 0o755);
    },
  };
}

function launcherText({ name, node, entry, flags = [], environment = {} }: Launch): string {
  return `${shebang(flags, environment)}
var wanted = '${node}'.split('.').map(Number);
var has = process.versions.node.split('.').map(Number);
if (has[0] < wanted[0] || (has[0] === wanted[0] && has[1] < (wanted[1] || 0))) {
  process.stderr.write(
    '${name} needs Node.js ${node} or newer, and this is ' + process.version + ' (' + process.execPath + ').\\n',
  );
  process.exitCode = 1;
} else {
  await import('./${entry}');
}
`;
}

/**
 * The first line, with which the system starts the file; the shims that npm creates on Windows support it too.
 * @throws Error if it is longer than Linux before 5.1 reads
 */
function shebang(flags: readonly string[], environment: Readonly<Record<string, string>>): string {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const words = [...variables, 'node', ...flags];
  const line = `#!/usr/bin/env ${words.length > 1 ? '-S ' : ''}${words.join(' ')}`;
  if (line.length > SHEBANG_MAX) throw new Error(`The first line has ${line.length} characters: ${line}`);
  return line;
}
