import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { BundlePlugin } from './plugin.ts';

/** The extensions of files that compression makes smaller. */
const compressible = new Set(['.css', '.csv', '.html', '.js', '.json', '.svg', '.txt', '.webmanifest']);

const compressors = {
  '.br': (content: Buffer) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  '.gz': (content: Buffer) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
};

/**
 * Writes beside each text of a build what a server sends for it: the same with Brotli (`.br`) and gzip (`.gz`), each as small as they
 * make it, so that nothing has to be compressed when it is requested.
 */
export function precompress(): Required<Pick<BundlePlugin, 'name' | 'writeBundle'>> {
  return {
    name: 'precompress',
    async writeBundle({ dir = '.' }) {
      const names = await readdir(dir, { recursive: true });
      const texts = names.filter((name) => compressible.has(extname(name)));
      await Promise.all(texts.map((name) => compressFile(join(dir, name))));
    },
  };
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path);
  for (const [extension, compress] of Object.entries(compressors)) {
    const compressed = await compress(content);
    if (compressed.length < content.length) await writeFile(`${path}${extension}`, compressed);
  }
}
