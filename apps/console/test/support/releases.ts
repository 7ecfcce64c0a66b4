import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { buildConsole } from '../../../../scripts/packaging/console.ts';

/** A copy of the build of the console that a server serves, and that the next release can replace. */
export interface Release extends AsyncDisposable {
  directory: string;
  /** Puts the next release in its place: the same page, all of whose assets have other names. */
  replace(): Promise<void>;
}

/** Copies the build. */
export async function copyRelease(): Promise<Release> {
  const directory = await mkdtemp(join(tmpdir(), 'roster-release-'));
  await cp(buildConsole().directory, directory, { recursive: true });
  return {
    directory,
    replace: () => renameAssets(directory),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

/** Gives every asset another name, in all files that name it. What was compressed before goes, because it has the old names. */
async function renameAssets(directory: string): Promise<void> {
  const assets = join(directory, 'assets');
  for (const file of await readdir(directory, { recursive: true }))
    if (['.br', '.gz'].includes(extname(file))) await rm(join(directory, file));
  const names = await readdir(assets);
  const next = (name: string) => `next-${name}`;
  const texts = [...names.map((name) => join(assets, name)), join(directory, 'index.html')];
  for (const path of texts.filter((path) => ['.js', '.css', '.html'].includes(extname(path)))) {
    let text = await readFile(path, 'utf8');
    for (const name of names) text = text.replaceAll(name, next(name));
    await writeFile(path, text);
  }
  for (const name of names) await rename(join(assets, name), join(assets, next(name)));
}
