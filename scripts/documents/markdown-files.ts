import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** The root of the repository. */
export const root = dirname(dirname(import.meta.dirname));

/** A fenced block of a page. */
export interface Block {
  /** The words after the back-ticks: the language, and what it is for. */
  info: string;
  text: string;
}

/** A Markdown file of the repository, by its path from the root. */
export interface MarkdownFile {
  path: string;
  text: string;
}

const OMITTED = new Set([
  'node_modules',
  '.git',
  '.roster',
  '.turbo',
  'dist',
  'bundle',
  'coverage',
  'results',
  'chaos-report.md',
]);

/** Every Markdown file of the repository that people wrote or a command generated. */
export async function markdownFiles(folder = root): Promise<MarkdownFile[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return OMITTED.has(entry.name) ? [] : markdownFiles(path);
    if (!entry.name.endsWith('.md') || OMITTED.has(entry.name)) return [];
    return [{ path: relative(root, path), text: await readFile(path, 'utf8') }];
  });
  return (await Promise.all(files)).flat().sort((one, other) => one.path.localeCompare(other.path));
}

/** The fenced blocks of a page, in their order. */
export function blocksOf(text: string): Block[] {
  return Array.from(text.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm), ([, info = '', block = '']) => ({
    info,
    text: block,
  }));
}
