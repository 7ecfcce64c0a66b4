import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** What each package may import of the others; its tests may also import what starts databases and servers. */
const packages: Record<string, { imports: readonly string[]; inTests: readonly string[] }> = {
  'packages/local-postgres': { imports: [], inTests: [] },
  'packages/postgres': { imports: [], inTests: ['packages/local-postgres'] },
  'packages/db': { imports: ['packages/postgres', 'packages/local-postgres'], inTests: [] },
  'packages/fields': { imports: [], inTests: [] },
  'packages/api': {
    imports: ['packages/db', 'packages/postgres', 'packages/fields', 'packages/import'],
    inTests: ['packages/local-postgres'],
  },
  'packages/client': {
    imports: [],
    inTests: ['packages/api', 'packages/db', 'packages/local-postgres', 'apps/server'],
  },
  'apps/server': {
    imports: [
      'packages/api',
      'packages/db',
      'packages/postgres',
      'packages/import',
      'packages/local-postgres',
      'packages/mcp',
      'packages/reso',
    ],
    // Its bundle contains the build of the console.
    inTests: ['scripts/packaging', 'packages/contract', 'packages/fields'],
  },
  'packages/mcp': { imports: ['packages/contract', 'packages/fields'], inTests: [] },
  'packages/import': { imports: ['packages/fields'], inTests: [] },
  'packages/odata': { imports: [], inTests: [] },
  // The names of the RESO Data Dictionary are those of an import.
  'packages/reso': {
    imports: ['packages/api', 'packages/contract', 'packages/fields', 'packages/odata', 'packages/import'],
    inTests: [],
  },
  // Its generator reads the schemas of the service; what it generates needs nothing.
  'packages/contract': { imports: ['packages/fields'], inTests: ['packages/api'] },
  'apps/cli': {
    imports: ['packages/client', 'packages/contract', 'packages/fields', 'packages/import', 'packages/mcp'],
    inTests: ['packages/api', 'apps/server'],
  },
  'apps/console': {
    imports: ['packages/client', 'packages/contract', 'packages/fields', 'packages/import'],
    inTests: [
      'packages/api',
      'packages/client',
      'packages/db',
      'packages/local-postgres',
      'apps/server',
      'scripts/packaging',
    ],
  },
};

/** The rooms of a source, which are its folders and files, from the ground up. A room imports only those before it. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  'packages/api/src': [
    ...['errors', 'engine', 'directory', 'access', 'log', 'trpc', 'records'],
    ...['settings', 'stats', 'views', 'history', 'schedule', 'identity', 'jobs', 'duplicates', 'webhooks'],
    ...['events', 'imports', 'offices', 'agents', 'teams'],
    ...['query', 'contract', 'router', 'openapi', 'host', 'index', 'server'],
  ],
  'apps/server/src': [
    ...[
      'procedures',
      'config',
      'known-faults',
      'node-22',
      'observability',
      'http',
      'reso',
      'mcp',
      'pages',
      'sign-in',
      'workers',
    ],
    ...['app', 'server', 'cli', 'main'],
  ],
  'apps/console/src': [
    'vite-env.d',
    'api',
    'icons',
    'more-icons',
    'resources',
    'ui',
    'features',
    'shell',
    'router',
    'main',
  ],
  'apps/console/src/features': [
    ...['fields', 'people', 'webhooks', 'keys', 'record', 'history', 'duplicates', 'directory', 'jobs'],
    ...['settings', 'imports', 'record-page', 'activity', 'home'],
  ],
  'apps/cli/src': [
    ...['environment', 'errors', 'contract', 'service', 'ui', 'commands', 'program', 'run', 'main'],
  ],
};

/** The rooms that are features: another one imports only their services and schemas. */
const features = rooms['packages/api/src']?.slice(7, 21) ?? [];

/** The most comments that begin with a question word: a limit that only falls. */
const QUESTIONS_MAX = 0;

interface SourceFile {
  path: string;
  text: string;
  isTest: boolean;
  /** The source files it imports, as paths from the root. */
  imports: string[];
}

const files = readSources();
const byPath = new Map(files.map((file) => [file.path, file]));

function readSources(): SourceFile[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  const paths = listed.split('\n').filter((path) => path !== '' && existsSync(join(root, path)));
  return paths.map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return { path, text, isTest: isTest(path), imports: importsOf(path, text) };
  });
}

function isTest(path: string): boolean {
  return /\.(test|test-d|fixture)\.tsx?$|\/(test|testing)\/|^(tools|scripts)\/|\/scripts\/|\.config\.ts$/.test(
    path,
  );
}

/** Static and dynamic imports, of values and of types: both are read by the person who follows them. */
function importsOf(path: string, text: string): string[] {
  const specifiers = text.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)'([^']+)'/gm);
  return Array.from(specifiers, ([, specifier = '']) => targetOf(path, specifier)).filter(
    (target) => target !== '',
  );
}

/** The file or, for a package of the workspace, the folder that a specifier names; empty for any other. */
function targetOf(path: string, specifier: string): string {
  if (specifier.startsWith('.')) return normalize(join(dirname(path), specifier));
  const [, name] = /^@roster\/([a-z-]+)/.exec(specifier) ?? [];
  return name === undefined ? '' : name === 'server' || name === 'cli' ? `apps/${name}` : `packages/${name}`;
}

const packageOf = (path: string) => path.split('/').slice(0, 2).join('/');

type Graph = ReadonlyMap<string, Iterable<string>>;

/** The circles that a depth-first walk over a graph meets, each once, as paths. */
function circlesOf(graph: Graph): string[] {
  const done = new Set<string>();
  const trail: string[] = [];
  const found = new Map<string, string>();
  const visit = (path: string): void => {
    const at = trail.indexOf(path);
    if (at >= 0) found.set(trail.slice(at).toSorted().join(), [...trail.slice(at), path].join(' → '));
    if (at >= 0 || done.has(path)) return;
    trail.push(path);
    for (const target of graph.get(path) ?? []) visit(target);
    trail.pop();
    done.add(path);
  };
  for (const path of graph.keys()) visit(path);
  return [...found.values()];
}

const roomOf = (source: string, path: string) =>
  path
    .slice(source.length + 1)
    .split('/', 1)[0]
    ?.replace(/\.tsx?$/, '') ?? '';

/** The imports within a source, without its tests, as pairs of paths. */
function importsIn(source: string): [from: string, to: string][] {
  const own = files.filter(({ path, isTest: inTest }) => path.startsWith(`${source}/`) && !inTest);
  return own.flatMap(({ path, imports }) =>
    imports
      .filter((target) => byPath.has(target) && target.startsWith(`${source}/`))
      .map((target): [string, string] => [path, target]),
  );
}

/** The imports between the files and folders of one folder. What is inside a folder counts as the folder. */
function importsBetween(folder: string): Graph {
  const graph = new Map<string, Set<string>>();
  for (const pair of importsIn(folder)) {
    const [from = '', to = ''] = pair.map((path) => path.slice(folder.length + 1).split('/', 1)[0]);
    if (from !== to) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  }
  return graph;
}

/** The folders of a source with files anywhere inside them, itself among them. */
function foldersOf(source: string): string[] {
  const folders = new Set<string>();
  for (const { path } of files) {
    if (!path.startsWith(`${source}/`)) continue;
    for (let folder = dirname(path); folder.length >= source.length; folder = dirname(folder))
      folders.add(folder);
  }
  return [...folders];
}

describe('the source', () => {
  it('has no circle of imports, of values or of types', () => {
    const circles = circlesOf(new Map(files.map(({ path, imports }) => [path, imports])));
    expect(circles, 'move what both files need into a third, or pass it as an argument').toEqual([]);
  });

  it('has a root that depends on no package, for turbo would run all tests again when that one changes', () => {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(names.length).toBeGreaterThan(0);
    const own = names.filter((name) => name.startsWith('@roster/'));
    expect(own, 'add these to the package.json of the package that imports them').toEqual([]);
  });

  it('imports packages in one direction: apps, api, db, dialect; and nothing imports tools', () => {
    const wrong = files.flatMap(({ path, imports, isTest: inTest }) => {
      const own = packageOf(path);
      const rule = packages[own];
      if (rule === undefined || path.endsWith('.config.ts')) return [];
      const allowed = new Set([own, ...rule.imports, ...(inTest ? rule.inTests : [])]);
      return imports
        .filter((target) => !allowed.has(packageOf(target)))
        .map((target) => `${path} → ${target}`);
    });
    expect(
      wrong.filter((line) => !/ → (deploy|docs|samples)\//.test(line)),
      'import a package that stands below, as ARCHITECTURE.md draws it, or add the direction to packages at the top of this test',
    ).toEqual([]);
  });

  it('keeps the framework of the server and the database out of packages that are an interface', () => {
    const interfaces = /^packages\/(mcp|odata|reso|import)\/src\//;
    const values = /^(?:import|export) (?!type\b)[^;]*?from '(fastify|kysely|pg|@roster\/(?:db|api\/.*))'/gm;
    const wrong = files
      .filter(({ path, isTest: inTest }) => interfaces.test(path) && !inTest)
      .flatMap(({ path, text }) => Array.from(text.matchAll(values), ([, name]) => `${path} → ${name}`));
    expect(wrong, 'take what the package needs as an argument: the server has it').toEqual([]);
  });

  it('keeps the database and the framework of the server out of clients, types too', () => {
    const clients = /^(?:packages\/(?:client|import)|apps\/(?:cli|console))\/src\//;
    const imported = /(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)'(fastify|kysely|pg)'/gm;
    const wrong = files
      .filter(({ path, isTest: inTest }) => clients.test(path) && !inTest)
      .flatMap(({ path, text }) => Array.from(text.matchAll(imported), ([, name]) => `${path} → ${name}`));
    expect(wrong, 'call the service through @roster/client instead').toEqual([]);
  });

  it.each(Object.entries(rooms))('imports in %s only rooms before its own', (source, order) => {
    const placeOf = (path: string) => order.indexOf(roomOf(source, path));
    const found = importsIn(source);
    expect(found.length).toBeGreaterThan(0);
    expect(
      found.filter(([from, to]) => placeOf(from) < placeOf(to) || placeOf(to) < 0),
      'move what is imported to an earlier room, or hand it in from a later one; a new room needs a place in `rooms`',
    ).toEqual([]);
  });

  it('uses a different feature of the service only through its services and schemas', () => {
    const source = 'packages/api/src';
    const between = importsIn(source).filter((pair) => {
      const [from = '', to = ''] = pair.map((path) => roomOf(source, path));
      return from !== to && features.includes(from) && features.includes(to);
    });
    expect(between.length).toBeGreaterThan(0);
    expect(
      between.filter(([, to]) => !/\/(service|schemas)\.ts$/.test(to)),
      'export it from the service.ts of its feature',
    ).toEqual([]);
  });

  it.each(Object.keys(packages).map((name) => `${name}/src`))('has no circle of folders in %s', (source) => {
    const found = foldersOf(source).map((folder) => [folder, circlesOf(importsBetween(folder))] as const);
    expect(found.length).toBeGreaterThan(0);
    expect(
      found.filter(([, circles]) => circles.length > 0),
      'move what both folders need into one that neither imports',
    ).toEqual([]);
  });

  it('imports nothing of a test into what runs', () => {
    const running = files.filter(({ path, isTest: inTest }) => /\/src\//.test(path) && !inTest);
    const wrong = running.flatMap(({ path, imports }) =>
      imports.filter((target) => byPath.get(target)?.isTest).map((target) => `${path} → ${target}`),
    );
    expect(wrong, 'move what both need into a source').toEqual([]);
  });

  it('has comments that begin with what they are about, which is no question word', () => {
    const comment =
      /^\s*(?:\/\*\*?\s+|\/\*\*\n\s*\*\s+|(?<!^\s*\/\/[^\n]*\n)\s*\/\/\s+)((?:What|Where|Who|How)\b[^\n]*)/gm;
    const found = files
      .filter(({ path, isTest: inTest }) => /^(apps|packages)\//.test(path) && !inTest && !isReleased(path))
      .flatMap(({ path, text }) => Array.from(text.matchAll(comment), ([, line]) => `${path}: ${line}`));
    expect(found.length, `begin with the noun:\n${found.join('\n')}`).toBeLessThanOrEqual(QUESTIONS_MAX);
  });

  it('casts no value through unknown', () => {
    const found = files.filter(
      ({ path, text, isTest: inTest }) =>
        /^(apps|packages)\//.test(path) && !inTest && text.includes('as unknown as'),
    );
    expect(
      found.map(({ path }) => path),
      'narrow the type by a check, or change what the value is declared as',
    ).toEqual([]);
  });

  it('spreads no object literal into another, whose properties it could have itself', () => {
    const found = files.filter(({ text }) => /\.{3}\{/.test(text)).map(({ path }) => path);
    expect(found, 'write the properties into the object itself').toEqual([]);
  });
});

/** Whether a file is a migration, which does not change after its release. */
function isReleased(path: string): boolean {
  return /\/migrations\/\d{4}-/.test(path);
}

// The rules name folders: a folder that is renamed must not silently escape them.
it('knows every package', () => {
  const known = new Set(
    files.map(({ path }) => packageOf(path)).filter((path) => /^(apps|packages)\//.test(path)),
  );
  expect(Array.from(known).sort()).toEqual(Object.keys(packages).sort());
});
