import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Plugin } from 'rolldown';
import { buildConsole } from '../../../scripts/packaging/console.ts';

/** Builds the console, and adds its files to the bundle, in a directory beside the server. */
export const consoleFiles: Plugin = {
  name: 'console-files',
  async generateBundle() {
    const { directory } = buildConsole();
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    // The stamp of the build begins with a dot.
    const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
    for (const { parentPath, name } of files) {
      const path = join(parentPath, name);
      const fileName = ['console', ...relative(directory, path).split(sep)].join('/');
      this.emitFile({ type: 'asset', fileName, source: await readFile(path) });
    }
  },
};
