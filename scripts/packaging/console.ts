// Builds the console, unless it is built from what is there: `npm start`, `npm test` and the bundle of the server all come here.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const workspace = join(import.meta.dirname, '../..');
const CONSOLE = 'apps/console';
/** The packages of the workspace whose code is in the page. */
export const bundledPackages = ['packages/client', 'packages/contract', 'packages/fields', 'packages/import'];
/** What the build is made of; of directories everything but what is skipped, and tests. */
const inputs = [
  CONSOLE,
  ...bundledPackages.flatMap((folder) => [`${folder}/package.json`, `${folder}/src`]),
  'packages/contract/generated/fields.json',
  'samples',
  'scripts/packaging',
  'pnpm-lock.yaml',
  'tsconfig.base.json',
];
/** What begins with a dot is of tools, and of tests that run at this moment. */
const isSkipped = (name: string) =>
  ['node_modules', 'dist', 'test'].includes(name) || /^\.|\.test(?:-d)?\.tsx?$/.test(name);
/** Holds the digest of the inputs, in the build. */
const STAMP = '.inputs';

/** Makes a build in a directory; throws if it fails. */
type Build = (directory: string) => void;

/**
 * Builds the console of a workspace, unless there is a build of the same inputs. Another process sees the whole old build or the
 * whole new one.
 *
 * @returns the directory of the build, and whether it had to be made
 */
export function buildConsole({ root = workspace, build = runVite }: { root?: string; build?: Build } = {}) {
  const directory = join(root, CONSOLE, 'dist');
  const stamp = join(directory, STAMP);
  const digest = digestOf(root);
  const isBuilt = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === digest;
  if (isBuilt()) return { directory, isNew: false };
  const fresh = mkdtempSync(join(root, CONSOLE, 'node_modules/.build-'));
  try {
    // A server may run as another user than the one who builds.
    chmodSync(fresh, 0o755);
    build(fresh);
    writeFileSync(join(fresh, STAMP), digest);
    rmSync(directory, { recursive: true, force: true });
    renameSync(fresh, directory);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // Another process has put the same build there first.
    if (!isBuilt()) throw error;
  }
  return { directory, isNew: true };
}

/** The digest of the names and contents of the inputs. */
function digestOf(root: string): string {
  const hash = createHash('sha256');
  for (const file of inputs.flatMap((input) => filesOf(root, input)).sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex');
}

/** The files of an input; none if it is missing. */
function filesOf(root: string, path: string): string[] {
  if (!existsSync(join(root, path))) return [];
  if (statSync(join(root, path)).isFile()) return [path];
  const names = readdirSync(join(root, path)).filter((name) => !isSkipped(name));
  return names.flatMap((name) => filesOf(root, `${path}/${name}`));
}

function runVite(directory: string): void {
  const folder = join(workspace, CONSOLE);
  const vite = join(folder, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', '--logLevel', 'warn', '--outDir', directory, '--emptyOutDir'];
  const { status, error } = spawnSync(process.execPath, args, {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) throw new Error('The build of the console has failed.', { cause: error });
}

if (import.meta.main) buildConsole();
