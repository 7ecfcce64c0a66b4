import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** A directory that looks like a build of the console; removed on disposal. */
export interface ConsoleBuild extends AsyncDisposable {
  directory: string;
  /** Replaces all of it by other files: their contents by path. Texts are compressed, as the build does it. */
  replace(files: Record<string, string | Uint8Array>): Promise<void>;
}

/** Makes such a directory with these files. */
export async function consoleBuild(files: Record<string, string | Uint8Array>): Promise<ConsoleBuild> {
  const directory = await mkdtemp(join(tmpdir(), 'roster-console-'));
  const write = async (contents: typeof files) => {
    for (const [path, content] of Object.entries(contents)) {
      const file = join(directory, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
      if (typeof content !== 'string') continue;
      await writeFile(`${file}.br`, brotliCompressSync(content));
      await writeFile(`${file}.gz`, gzipSync(content));
    }
  };
  await write(files);
  return {
    directory,
    replace: async (others) => {
      await rm(directory, { recursive: true });
      await write(others);
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}
