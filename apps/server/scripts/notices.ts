import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Manifest {
  name?: string;
  version?: string;
  license?: string;
}

const NOTICE = /^(licen[cs]e|copying|notice)(\.(md|txt))?$/i;

/**
 * The licences under which others' code is in a bundle, as most of them ask of whoever passes a copy on: each package
 * with its version and the texts it came with.
 *
 * @param modules the files of the bundle, absolute; those of the workspace count for nothing
 */
export async function noticesOf(modules: Iterable<string>): Promise<string> {
  const directories = new Set(Array.from(modules, packageOf).filter((directory) => directory !== undefined));
  const sections = new Map<string, string>();
  for (const directory of directories) {
    const { name, version, license } = await manifestIn(directory);
    if (name === undefined) continue;
    const texts = await noticesIn(directory);
    sections.set(
      `${name}@${version}`,
      [`${name} ${version} (${license ?? 'no licence named'})`, ...texts].join('\n\n'),
    );
  }
  const sorted = Array.from(sections).sort(([one], [other]) => (one < other ? -1 : 1));
  return `${sorted.map(([, text]) => text).join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** The directory of the package a file belongs to: what follows the last `node_modules`, and its scope. */
function packageOf(file: string): string | undefined {
  return /^\/.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file.replaceAll('\0', ''))?.[0];
}

async function manifestIn(directory: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
}

async function noticesIn(directory: string): Promise<string[]> {
  const names = (await readdir(directory)).filter((name) => NOTICE.test(name)).sort();
  return Promise.all(names.map(async (name) => (await readFile(join(directory, name), 'utf8')).trim()));
}
