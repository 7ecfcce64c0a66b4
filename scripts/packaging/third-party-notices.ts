import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BundlePlugin } from './plugin.ts';

interface Manifest {
  name?: string;
  version?: string;
  license?: string;
}

const NOTICE = /^(licen[cs]e|copying|notice)(\.(md|txt))?$/i;

const LICENSE = join(import.meta.dirname, '../../LICENSE');

/**
 * Adds LICENSE, that of Roster, and THIRD-PARTY-NOTICES.txt to a bundle: the name, version and licence texts of each package whose code it contains, as
 * most licences require for distribution.
 *
 * @param copied for what was copied into a file of the workspace: its name, and the file with its licence
 */
export function thirdPartyNotices(copied: Readonly<Record<string, string>> = {}): BundlePlugin {
  return {
    name: 'third-party-notices',
    async generateBundle(_, files) {
      const modules = Object.values(files).flatMap(({ moduleIds = [] }) => moduleIds);
      const source = await readNotices(modules, copied);
      this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-NOTICES.txt', source });
      this.emitFile({ type: 'asset', fileName: 'LICENSE', source: await readFile(LICENSE, 'utf8') });
    },
  };
}

/** The notices of the packages of these files, which are absolute paths, and of what was copied; other files of the workspace have none. */
async function readNotices(
  modules: Iterable<string>,
  copied: Readonly<Record<string, string>>,
): Promise<string> {
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
  for (const [name, file] of Object.entries(copied))
    sections.set(name, `${name}\n\n${(await readFile(file, 'utf8')).trim()}`);
  const sorted = Array.from(sections).sort(([one], [other]) => (one < other ? -1 : 1));
  return `${sorted.map(([, text]) => text).join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** The directory of the package of a file in node_modules. */
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
