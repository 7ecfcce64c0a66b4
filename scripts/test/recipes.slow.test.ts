import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyWorkspace, linkDependencies, make, type Recipe, recipesOf } from '../recipes/workspace.ts';

const run = promisify(execFile);
const root = dirname(dirname(import.meta.dirname));
/** `recipes` of scripts/package.json: what they make is compiled, generated, linted and tested too, which takes some minutes. */
const isLong = process.env.ROSTER_TEST_RECIPES === 'long';
const LONG_MS = 1_800_000;
const CARRIED_OUT = [
  'a field',
  'a filter',
  'an operation',
  'an operation that changes a record',
  'a setting',
  'a command',
  'an application that consumes packages/api',
];

let copy: string;
let recipes: Recipe[];

/** Runs a program of the workspace in the copy; what it printed when it failed, and nothing otherwise. */
async function failureOf(command: string): Promise<string> {
  const { ROSTER_TEST_RECIPES: _, VITEST: __, ...env } = process.env;
  const PATH = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`;
  // pnpm would install the application that is new in the copy, into the programs that the copy shares with the original.
  const own = { PATH, pnpm_config_verify_deps_before_run: 'false' };
  return run('bash', ['-c', command], {
    cwd: copy,
    env: { ...env, ...own },
    maxBuffer: 64 * 1024 * 1024,
  }).then(
    () => '',
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}` || 'failed',
  );
}

beforeAll(async () => {
  copy = join(await mkdtemp(join(tmpdir(), 'roster-recipes-')), 'roster');
  const pages = ['docs/contributing/recipes.md'];
  const texts = await Promise.all(pages.map((page) => readFile(join(root, page), 'utf8')));
  recipes = texts.flatMap(recipesOf);
  await copyWorkspace(root, copy);
  for (const { edits } of recipes) for (const edit of edits) await make(edit, copy);
  await linkDependencies(root, copy);
});
afterAll(() => rm(dirname(copy), { recursive: true, force: true }));

const editsOf = (pattern: RegExp) =>
  recipes.flatMap(({ edits }) => edits).filter(({ path }) => pattern.test(path));

/** Runs tests of the copy, each with the configuration of its package. */
async function expectPassing(files: readonly string[]): Promise<void> {
  const byPackage = Map.groupBy(new Set(files), (file) =>
    file
      .split('/')
      .slice(0, file.startsWith('scripts') ? 1 : 2)
      .join('/'),
  );
  for (const [folder, paths] of byPackage) {
    const names = paths.map((path) => path.slice(folder.length + 1));
    const [slow, quick] = [true, false].map((isSlow) =>
      names.filter((name) => name.includes('.slow') === isSlow).join(' '),
    );
    if (quick) {
      const command = `cd ${folder} && vitest run --exclude '**/*.slow.test.ts' ${quick}`;
      expect(await failureOf(command), folder).toBe('');
    }
    if (slow) expect(await failureOf(`cd ${folder} && vitest run ${slow}`), folder).toBe('');
  }
}

describe('the recipes, carried out one after the other in a copy of the workspace', () => {
  it('are there, each with what to write', () => {
    const carriedOut = recipes.filter(({ edits }) => edits.length > 1).map(({ title }) => title);
    expect(carriedOut).toEqual(expect.arrayContaining(CARRIED_OUT.map((title) => `How to add ${title}`)));
  });

  it('add a field by three edits: a migration, the type of the table, and the schema', () => {
    const edits = recipes.find(({ title }) => title === 'How to add a field')?.edits ?? [];
    const paths = edits.map(({ path }) => path).filter((path) => !path.endsWith('.test.ts'));
    expect(paths).toEqual([
      'packages/db/src/migrations/0099-office-motto.ts',
      'packages/db/src/tables.ts',
      'packages/api/src/directory/offices/schemas.ts',
    ]);
  });

  it.runIf(isLong)(
    'name all that the compiler asks for',
    async () => {
      // As one program, which reads and checks once what they share.
      const folders = ['packages/db/src', 'packages/api/src', 'apps/server/src'];
      const project = { extends: './tsconfig.base.json', include: folders };
      const file = join(copy, 'tsconfig.recipes.json');
      await writeFile(file, JSON.stringify(project));
      expect(await failureOf(`tsc -p ${file}`)).toBe('');
      await rm(file);
    },
    LONG_MS,
  );

  it.runIf(isLong)(
    'make an application of the workspace that compiles by itself and runs',
    async () => {
      const [manifest] = editsOf(/^apps\/phonebook\/package\.json$/);
      const { scripts } = JSON.parse(manifest?.text ?? '{}');
      expect(await failureOf(`cd apps/phonebook && ${scripts.types}`)).toBe('');
      const { stdout } = await run(process.execPath, ['src/main.ts'], { cwd: join(copy, 'apps/phonebook') });
      expect(stdout).toBe('Atlântico Imóveis: +351 210 000 042\n');
    },
    LONG_MS,
  );

  it.runIf(isLong)(
    'leave nothing that lint complains of, generate what they say, and pass their own tests',
    async () => {
      const commands = new Set(recipes.flatMap((recipe) => recipe.commands));
      for (const command of commands) expect(await failureOf(command), command).toBe('');
      expect(await failureOf('tsc')).toBe('');
      expect(await failureOf('biome check --error-on-warnings .')).toBe('');
      const files = editsOf(/\.test\.ts$/).map(({ path }) => path);
      await expectPassing(files);
      // Those that ask for something whenever a table, a record, an operation or a setting is another one.
      const asking = [
        'packages/db/src/migration-rules.slow',
        'packages/db/src/tables',
        'packages/db/src/constraints',
        'packages/api/src/directory',
        'packages/api/src/engine',
        'packages/api/src/records/dependents',
        'packages/contract/src',
        'packages/import/src',
        'packages/reso/src',
        'packages/mcp/src',
        'apps/console/src',
        'apps/server/test/rest',
        'apps/server/test/reso',
        'apps/server/test/http/content-negotiation.slow',
        'apps/server/test/rest/document-examples.slow',
        'apps/server/test/rest/patches.slow',
        'apps/server/test/auth/access-matrix',
        'apps/server/test/auth/foreign-records',
        'apps/server/test/auth/access-roles.slow',
        'packages/api/src/router',
        'apps/cli/test/docs.slow',
        'apps/cli/test/interface-parity',
        'apps/cli/test/interface-parity.slow',
        'apps/cli/test/help-examples.slow',
        'apps/server/src/config/config',
        'scripts/test/database',
      ];
      await expectPassing(asking);
    },
    LONG_MS,
  );
});
