import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { blocksOf, type MarkdownFile, markdownFiles, root } from '../documents/markdown-files.ts';
import { executedPages, otherRunners } from '../documents/pages.ts';

let files: MarkdownFile[];
beforeAll(async () => {
  files = await markdownFiles();
});

/** A page without what is printed as code, where nothing is a link. */
const prose = (text: string) => text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').replaceAll(/`[^`\n]*`/g, '');

/** The TypeScript files of a folder of the repository, by their paths from its root. */
async function sourcesOf(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const paths = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return path.endsWith('.ts') ? [path] : [];
    return entry.name === 'node_modules' ? [] : sourcesOf(path);
  });
  return (await Promise.all(paths)).flat();
}

interface Link {
  /** The page the link is on. */
  from: string;
  target: string;
  anchor: string | undefined;
}

function linksOf({ path, text }: MarkdownFile): Link[] {
  const links = prose(text).matchAll(/\]\(([^()\s]*)\)/g);
  return Array.from(links, ([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [target = '', anchor] = link.split('#');
      return { from: path, target: target === '' ? path : normalize(join(dirname(path), target)), anchor };
    });
}

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(text: string): Set<string> {
  const headings = text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/^#+ (.*)$/gm);
  return new Set(
    Array.from(headings, ([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
}

describe('the documents of the repository', () => {
  it('have no link to a file or a heading that is not there', () => {
    const texts = new Map(files.map(({ path, text }) => [path, text]));
    const broken = files.flatMap(linksOf).filter(({ target, anchor }) => {
      if (!existsSync(join(root, target))) return true;
      const text = texts.get(target);
      return anchor !== undefined && text !== undefined && !anchorsOf(text).has(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('name only source files that there are', async () => {
    const sources = (await Promise.all(['apps', 'packages', 'tools', 'scripts'].map(sourcesOf))).flat();
    const named = files
      .filter(({ path }) => /^(ARCHITECTURE|CONTRIBUTING)\.md$|^docs\//.test(path))
      .flatMap(({ path, text }) =>
        Array.from(text.matchAll(/`([\w./-]+\.ts)`/g), ([, source = '']) => ({ path, source })),
      );
    expect(named.length).toBeGreaterThan(20);
    const unknown = ({ source }: { source: string }) =>
      !sources.some((one) => `/${one}`.endsWith(`/${source}`));
    expect(named.filter(unknown)).toEqual([]);
  });

  it('have no code without a text between its back-ticks', () => {
    const withoutBlocks = (text: string) => text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
    const empty = files.flatMap(({ path, text }) =>
      withoutBlocks(text)
        .split('\n')
        .filter((line) => /(?<!`)`\s*`(?!`)/.test(line.replaceAll(/`[^`]*[^`\s][^`]*`/g, 'code')))
        .map((line) => `${path}: ${line}`),
    );
    expect(empty, 'name what the code was, or remove the back-ticks').toEqual([]);
  });

  it('have no page in docs that no other page leads to', () => {
    const reached = new Set(files.flatMap(linksOf).map(({ target }) => target));
    const pages = files.map(({ path }) => path).filter((path) => path.startsWith('docs/'));
    expect(pages.filter((path) => !reached.has(path))).toEqual([]);
  });

  it('name only scripts of npm that there are', async () => {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const named = files.flatMap(({ path, text }) =>
      Array.from(text.matchAll(/npm run(?: -s| --silent)? ([a-z:]+)/g), ([, name = '']) => ({ path, name })),
    );
    expect(named.length).toBeGreaterThan(20);
    // Those of a package are named with the package, and run in it.
    const known = (name: string) => name in scripts;
    expect(
      named.filter(
        ({ name, path }) => !known(name) && !path.startsWith('tools/') && !path.startsWith('apps/'),
      ),
    ).toEqual([]);
  });

  it('have no block of commands that no test and no tool runs', () => {
    const blocks = files.flatMap(({ path, text }) => blocksOf(text).map(({ info }) => ({ path, info })));
    const commands = blocks.filter(({ info }) => /^(sh|bash|console)\b/.test(info));
    const isRun = ({ path, info }: { path: string; info: string }) =>
      (info === 'sh' && executedPages.includes(path)) ||
      otherRunners.some((one) => one.info.test(info) && one.page.test(path));
    expect(commands.filter((block) => !isRun(block))).toEqual([]);
    for (const { runner } of otherRunners) expect(existsSync(join(root, runner)), runner).toBe(true);
  });

  it('have decision records of at most 400 words with context, decision, alternatives, measured and status, all of them listed', () => {
    const records = files.filter(({ path }) => /^docs\/adr\/\d/.test(path));
    const numberOf = (path: string) => Number(path.slice('docs/adr/'.length).split('-')[0]);
    for (const { path, text } of records) {
      const headings = Array.from(text.matchAll(/^## (.*)$/gm), ([, heading]) => heading);
      expect(headings, path).toEqual(['Context', 'Decision', 'Alternatives', 'Measured', 'Status']);
      expect(text).toMatch(new RegExp(`^# ${numberOf(path)}\\. `));
      const words = text.split(/\s+/).filter((word) => !/^(\||:?-+:?)?$/.test(word));
      expect(words.length, path).toBeLessThanOrEqual(400);
    }
    // Those that were replaced are missing.
    expect(new Set(records.map(({ path }) => numberOf(path))).size).toBe(records.length);
    const list = files.find(({ path }) => path === 'docs/adr/README.md')?.text ?? '';
    expect(records.filter(({ path }) => !list.includes(`(${path.slice('docs/adr/'.length)})`))).toEqual([]);
  });

  it('keep the first pages short: README in 700 words, CONTRIBUTING in 1,500, ARCHITECTURE in 1,300, the rule of migrations in 300', () => {
    const words = (path: string) =>
      files
        .find((file) => file.path === path)
        ?.text.trim()
        .split(/\s+/).length;
    expect(words('README.md')).toBeLessThanOrEqual(700);
    expect(words('CONTRIBUTING.md')).toBeLessThanOrEqual(1_500);
    expect(words('ARCHITECTURE.md')).toBeLessThanOrEqual(1_300);
    expect(words('docs/contributing/migrations.md')).toBeLessThanOrEqual(300);
  });
});
