import { cp, mkdir, readdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A block of a recipe: a whole file, or lines that go into a file that is there. */
export interface Edit {
  path: string;
  /** Where the lines go, by the first line of the file that holds the anchor; without it they are the whole file. */
  place?: { how: 'after' | 'before' | 'instead of'; anchor: string };
  text: string;
}

export interface Recipe {
  title: string;
  edits: Edit[];
  /** The commands it says to run, in their order. */
  commands: string[];
}

const BLOCK = /^( *)```(\S+)(?: (\S+)(?: (after|before|instead of) "(.*)")?)?\n([\s\S]*?)^ *```$/gm;

/** The recipes of a page: its sections `How to add …`, with the blocks that name a file and those of a shell. */
export function recipesOf(page: string): Recipe[] {
  const sections = page.split(/^## /m).filter((section) => section.startsWith('How to add'));
  return sections.map((section) => {
    const recipe: Recipe = { title: section.split('\n', 1)[0] ?? '', edits: [], commands: [] };
    for (const [, indent = '', language, path, how, anchor = '', block = ''] of section.matchAll(BLOCK)) {
      const text = block.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
      if (language === 'sh' && path === undefined) recipe.commands.push(...text.trim().split('\n'));
      if (language === 'sh' || path === undefined) continue;
      const place = how === undefined ? undefined : { how: how as 'after', anchor };
      recipe.edits.push({ path, text, ...(place && { place }) });
    }
    return recipe;
  });
}

/** Makes an edit in a workspace. Throws when its anchor is not in the file, or the file it adds is there already. */
export async function make({ path, place, text }: Edit, workspace: string): Promise<void> {
  const file = join(workspace, path);
  if (place === undefined) {
    await mkdir(dirname(file), { recursive: true });
    return writeFile(file, text, { flag: 'wx' });
  }
  const lines = (await readFile(file, 'utf8')).split('\n');
  const at = lines.findIndex((line) => line.includes(place.anchor));
  if (at < 0) throw new Error(`${path} has no line with "${place.anchor}".`);
  const added = text.replace(/\n$/, '').split('\n');
  lines.splice(place.how === 'after' ? at + 1 : at, place.how === 'instead of' ? 1 : 0, ...added);
  await writeFile(file, lines.join('\n'));
}

/** What is made by tools, and what belongs to one clone. */
const OMITTED = new Set([
  'node_modules',
  'dist',
  'bundle',
  'coverage',
  '.git',
  '.roster',
  '.turbo',
  '.generated',
  'results',
]);

/** Copies the sources of the workspace. */
export function copyWorkspace(root: string, to: string): Promise<void> {
  const filter = (source: string) => source === root || !OMITTED.has(basename(source));
  return cp(root, to, { recursive: true, filter });
}

/**
 * What `pnpm install` would do in a copy of the workspace: every package finds what it has installed in the original, and
 * the packages of the workspace in the copy. A package that is new there finds what the root has installed.
 */
export async function linkDependencies(root: string, copy: string): Promise<void> {
  const folders = ['.', 'scripts'];
  for (const group of ['apps', 'packages', 'tools']) {
    for (const name of await readdir(join(copy, group))) folders.push(join(group, name));
  }
  const packages = new Map<string, string>();
  for (const folder of folders) {
    const manifest = await manifestIn(join(copy, folder));
    if (manifest !== undefined) packages.set(manifest.name, folder);
  }
  for (const folder of packages.values()) await linkInto(folder, { root, copy, packages });
}

interface Manifest {
  name: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

async function manifestIn(folder: string): Promise<Manifest | undefined> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

interface Places {
  root: string;
  copy: string;
  packages: Map<string, string>;
}

/** Where a package is that one of the folders has installed, the first of them that has. */
async function installed(name: string, ...folders: string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const found = await realpath(join(folder, 'node_modules', name)).catch(() => undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function linkInto(folder: string, { root, copy, packages }: Places): Promise<void> {
  const target = join(copy, folder, 'node_modules');
  await mkdir(target, { recursive: true });
  const { dependencies, devDependencies, peerDependencies } = (await manifestIn(
    join(copy, folder),
  )) as Manifest;
  for (const name of Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies })) {
    const link = join(target, name);
    await mkdir(dirname(link), { recursive: true });
    const own = packages.get(name);
    const source = own === undefined ? await installed(name, join(root, folder), root) : join(copy, own);
    // A tool with its own lockfile, such as the benchmark, may not be installed.
    if (source !== undefined) await symlink(source, link);
  }
  const programs = await realpath(join(root, folder, 'node_modules/.bin')).catch(() => undefined);
  if (programs !== undefined) await symlink(programs, join(target, '.bin'));
}
