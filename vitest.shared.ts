import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import type { ViteUserConfig } from 'vitest/config';

const inRoot = (path: string) => join(import.meta.dirname, path);

const directory = [inRoot('packages/local-postgres/src/testing/run-directory.ts')];
const postgres = [...directory, inRoot('packages/local-postgres/src/testing/cluster.ts')];
const database = [...directory, inRoot('packages/db/src/testing/template.ts')];

// What Node compiles, and the types that it strips, are kept for the next process: a dozen of packages load the same modules.
// Coverage would be less precise with it.
if (process.env.ROSTER_TEST_COVERAGE !== 'true') {
  process.env.NODE_COMPILE_CACHE ??= inRoot('node_modules/.cache/compiled');
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
}

/** What loads the modules of a test and those that they import. */
const loaders = {
  /** Node, as in production: no test replaces a module, so nothing has to transform them. */
  node: { viteModuleRunner: false, nodeLoader: false },
  /** Vite, for modules that its plugins transform, and for those below node_modules, where Node strips no types. */
  vite: { viteModuleRunner: true },
};

/** What runs before the first test of a package. */
const setUps = {
  /** A directory for temporary files, which fails the run if a process is left. */
  directory,
  /** That, and one PostgreSQL for the run. */
  postgres,
  /** That, and in it a migrated database to copy for each test file. */
  database,
};

/** What runs before each test file. */
const setUpFiles = ['flush-compile-cache.ts', 'suppressed-errors.ts'].map((file) =>
  inRoot(`packages/local-postgres/src/testing/${file}`),
);

const script = process.env.npm_lifecycle_event ?? 'run';
const isVerify = script === 'verify';
/** `verify` and the long forms of its tests: these start processes, beside those of another package and browsers. */
const isLong = !['run', 'npx', 'test', 'test:imports', 'test:interfaces'].includes(script);

/**
 * The Vitest configuration of one package, whose folder Vitest is started in. With ROSTER_TEST_COVERAGE=true the lines of
 * all packages that its tests reach are written to its coverage/; `coverage` of scripts/package.json adds them up.
 */
export function testsWith(
  needs: keyof typeof setUps,
  { loader = 'node' }: { loader?: keyof typeof loaders } = {},
): ViteUserConfig {
  return {
    test: {
      globalSetup: setUps[needs],
      setupFiles: setUpFiles,
      // `npm test` runs all but `*.slow.test.ts`, `npm run verify` those too.
      include: ['{src,test}/**/*.test.ts'],
      // Tests of one file never see the records of another, so files run beside each other.
      fileParallelism: true,
      // One, because turbo runs packages beside each other, and each worker loads the modules once more: two take a third more of
      // CPU for the same tests. Those of `npm run verify` wait more than they compute.
      maxWorkers: isVerify ? 2 : 1,
      // No test keeps state in a module, so files may share a worker and the modules it has loaded.
      isolate: false,
      experimental: loaders[loader],
      // Long, because all packages are tested on the same cores: a limit ends what hangs, and measures nothing.
      testTimeout: isLong ? 600_000 : 120_000,
      hookTimeout: isLong ? 600_000 : 120_000,
      expect: { poll: { timeout: isLong ? 300_000 : 60_000 } },
      coverage: {
        enabled: process.env.ROSTER_TEST_COVERAGE === 'true',
        provider: 'v8',
        allowExternal: true,
        include: ['**/packages/*/src/**/*.ts'],
        exclude: ['**/*.test.ts', '**/testing/**', '**/*.fixture.ts'],
        reporter: ['json'],
        // One for each of `npm test` and `npm run verify`, in the folder of the package, where turbo keeps it.
        reportsDirectory: `coverage/${script}`,
      },
    },
  };
}
