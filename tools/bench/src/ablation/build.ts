import { readFile, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import config from '../../../../apps/server/rolldown.config.ts';
import type { Edit, Variant } from './variants.ts';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));
const server = resolve(repository, 'apps/server');
const bundles = fileURLToPath(new URL('../../.generated/ablation/', import.meta.url));

/** Replaces pieces of files while they are loaded. Fails if a piece is not there exactly once, or its file is not part of the bundle. */
function editing(edits: readonly Edit[]): Plugin {
  const pending = new Set(edits);
  return {
    name: 'ablation',
    async load(id) {
      const own = edits.filter(({ file }) => id.endsWith(file.replace(/^.*node_modules/, 'node_modules')));
      if (own.length === 0) return undefined;
      let code = await readFile(id, 'utf8');
      for (const edit of own) {
        const parts = code.split(edit.from);
        if (parts.length !== 2)
          throw new Error(`${edit.file} has this ${parts.length - 1} times instead of once: ${edit.from}`);
        code = parts.join(edit.to);
        pending.delete(edit);
      }
      return { code, moduleType: 'ts' };
    },
    buildEnd(error) {
      if (error !== undefined) return;
      for (const { file, from } of pending) throw new Error(`${file} is not part of the bundle: ${from}`);
    },
  };
}

/** Builds the server as its bundle is built, with the edits of a variant. Returns the file to start. */
export async function buildVariant({ name, edits = [] }: Variant): Promise<string> {
  const dir = resolve(bundles, name);
  await rm(dir, { recursive: true, force: true });
  const { output, plugins: _, ...input } = config;
  const bundle = await rolldown({ ...input, cwd: server, plugins: [editing(edits)] });
  await bundle.write({ ...output, dir, sourcemap: false });
  await bundle.close();
  return resolve(dir, 'server.js');
}
