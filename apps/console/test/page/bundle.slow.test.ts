import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildConsole } from '../../../../scripts/packaging/console.ts';

/** In kilobytes of gzip, as a server sends it. */
const FIRST_LOAD_MAX = 190;
const OVERLAYS_MAX = 85;
const ROUTE_MAX = 60;
const STYLES_MAX = 20;

let directory: string;
let page: string;
/** The paths of all files of the build. */
let files: string[];
beforeAll(() => {
  ({ directory } = buildConsole());
  page = readFileSync(join(directory, 'index.html'), 'utf8');
  files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(directory.length + 1));
});

const read = (path: string) => readFileSync(join(directory, path));
const kilobytes = (paths: Iterable<string>) =>
  Array.from(paths, (path) => gzipSize(path)).reduce((sum, size) => sum + size, 0) / 1_000;

/** The size of a file with gzip, which the build leaves out if that is longer. */
function gzipSize(path: string): number {
  return (files.includes(`${path}.gz`) ? read(`${path}.gz`) : read(path)).length;
}

const scripts = () => files.filter((path) => extname(path) === '.js');
const matching = (name: RegExp) => scripts().filter((path) => name.test(path));

/** The chunks that a chunk imports before it can run, itself among them. */
function loadedWith(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  const text = read(path).toString();
  for (const [, name = ''] of text.matchAll(/(?:\bfrom|\bimport)\s*["'`]\.\/([^"'`]+\.js)["'`]/g))
    loadedWith(`assets/${name}`, seen);
  return seen;
}

/** What the page loads before any other view. */
function entryScripts(): Set<string> {
  const seen = new Set<string>();
  for (const [, path = ''] of page.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+\.js)"/g))
    loadedWith(path, seen);
  return seen;
}

/** The texts of a language by their identifiers: those of the first view, and those of everything that is opened later. */
function messagesIn(path: string): Set<string> {
  return new Set(
    Array.from(
      read(path)
        .toString()
        .matchAll(/"([\w+/-]{6})":/g),
      ([, id = '']) => id,
    ),
  );
}

const englishTexts = () => {
  const [first = '', later = ''] = matching(/\/en-/).toSorted(
    (one, other) => gzipSize(one) - gzipSize(other),
  );
  return { first, later };
};

/** What the first list needs: the page with its frame and the list, and the texts of both. */
function firstLoad(): Set<string> {
  return new Set([...entryScripts(), englishTexts().first]);
}

describe('the build', () => {
  it(`loads at most ${FIRST_LOAD_MAX} kB of script for the first list`, () => {
    const size = kilobytes(firstLoad());
    expect(size).toBeGreaterThan(80);
    expect(size).toBeLessThanOrEqual(FIRST_LOAD_MAX);
  });

  it('has all texts of the first list in the small catalogue, which is loaded with it (`first` in lingui.config.ts)', () => {
    const { first, later } = englishTexts();
    const known = messagesIn(first);
    const others = [...messagesIn(later)].filter((id) => !known.has(id));
    expect(known.size).toBeGreaterThan(200);
    expect(others.length).toBeGreaterThan(500);
    const code = [...entryScripts()].map((path) => read(path).toString()).join('');
    expect(
      others.filter((id) => ['"', "'", '`'].some((quote) => code.includes(`${quote}${id}${quote}`))),
    ).toEqual([]);
  });

  it('loads the first list in few requests: the entry, the libraries, the page, and what all of them share', () => {
    expect(entryScripts().size).toBeLessThanOrEqual(4);
  });

  it(`loads at most ${OVERLAYS_MAX} kB of script after the first view for all menus, dialogs and messages`, () => {
    const overlays = matching(/\/overlays-/);
    expect(overlays).toHaveLength(1);
    expect([...entryScripts()].filter((path) => overlays.includes(path))).toEqual([]);
    expect(kilobytes(overlays)).toBeLessThanOrEqual(OVERLAYS_MAX);
  });

  it(`loads at most ${ROUTE_MAX} kB of script more for any other view, dialog or worker`, () => {
    const first = new Set([...firstLoad(), ...matching(/\/overlays-/)]);
    const sizes = scripts().map((path) => {
      const own = [...loadedWith(path)].filter((needed) => !first.has(needed));
      return { path, size: kilobytes(own) };
    });
    expect(sizes.length).toBeGreaterThan(5);
    expect(sizes.filter(({ size }) => size > ROUTE_MAX)).toEqual([]);
  });

  it(`has at most ${STYLES_MAX} kB of styles`, () => {
    const styles = files.filter((path) => extname(path) === '.css');
    expect(styles.length).toBeGreaterThan(0);
    expect(kilobytes(styles)).toBeLessThanOrEqual(STYLES_MAX);
  });

  it('has a page without inline scripts and handlers, which names no other host', () => {
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)/i);
    expect(page).not.toMatch(/\sstyle=|\son\w+=|javascript:/i);
    const urls = Array.from(page.matchAll(/(?:src|href)="([^"]*)"/g), ([, url]) => url);
    expect(urls.length).toBeGreaterThan(2);
    for (const url of urls) expect(url).toMatch(/^\/console\/assets\//);
  });

  it('names its assets by their content, and needs no font, picture or style of another host', () => {
    const assets = files.filter((path) => path.startsWith('assets/'));
    for (const path of assets) expect(path).toMatch(/-[\w-]{8}\.\w+(?:\.br|\.gz)?$/);
    for (const path of files.filter((path) => extname(path) === '.css'))
      expect(read(path).toString()).not.toMatch(/url\(\s*["']?(?:https?:)?\/\/|@import/);
  });

  it('has every text with Brotli and gzip beside it, and no source map', () => {
    expect(files.filter((path) => path.endsWith('.map'))).toEqual([]);
    for (const path of ['index.html', ...scripts().filter((path) => read(path).length > 2_000)]) {
      expect(brotliDecompressSync(read(`${path}.br`)).equals(read(path)), path).toBe(true);
      expect(gunzipSync(read(`${path}.gz`)).equals(read(path)), path).toBe(true);
    }
  });

  it('has the licence of every library whose code is in it', () => {
    const notices = read('THIRD-PARTY-NOTICES.txt').toString();
    for (const library of [
      'react',
      'react-dom',
      '@tanstack/react-router',
      '@tanstack/react-query',
      '@lingui/core',
      '@base-ui/react',
    ])
      expect(notices).toMatch(new RegExp(`^${library} \\d[^\\n]*\\(MIT\\)\n\n[^\n]*MIT`, 'm'));
  });
});
