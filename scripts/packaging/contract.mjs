// Generates the contract (packages/contract) unless it is already that of the current schemas: `node scripts/install.mjs`, and
// with it `npm start` and `npm test`, the builds and `npm run generate` come here.
// Plain JavaScript for Node 20: the installation runs it before the project's own runtime is in use.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const workspace = join(dirname(fileURLToPath(import.meta.url)), '../..');
const GENERATOR = 'packages/contract/scripts/generate.ts';
const GENERATED = 'packages/contract/generated';
/** The paths of all generated files, one on each line. */
const LIST = `${GENERATED}/.outputs`;
/** The digests of the inputs and of the generated files. */
const STAMP = `${GENERATED}/.inputs`;
/** The files and directories that the contract follows from. */
const inputs = [
  'packages/api/src',
  'packages/db/src',
  'packages/fields/src',
  'packages/contract/scripts',
  'packages/contract/src',
  'pnpm-lock.yaml',
];
/** The files of an input, as paths from the root; none if it is missing. Tests are no inputs. */
function filesOf(root, path) {
  if (!existsSync(join(root, path))) return [];
  if (statSync(join(root, path)).isFile()) return [path];
  const names = readdirSync(join(root, path)).filter((name) => !/^\.|\.test(-d)?\.ts$/.test(name));
  return names.flatMap((name) => filesOf(root, `${path}/${name}`));
}

/** The digest of the names and contents of files; a missing file counts as one without content. */
function digestOf(root, paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    hash.update(`${path}\0`);
    if (path !== '' && existsSync(join(root, path))) hash.update(readFileSync(join(root, path)));
    hash.update('\0');
  }
  return hash.digest('hex');
}

const digestOfInputs = (root) => digestOf(root, inputs.flatMap((input) => filesOf(root, input)).sort());
const digestOfOutputs = (root) => digestOf(root, readFileSync(join(root, LIST), 'utf8').split('\n'));

/** Whether the generated files are those of the inputs, and nobody has changed them. */
function isCurrent(root, digest) {
  const stamp = join(root, STAMP);
  if (!existsSync(stamp) || !existsSync(join(root, LIST))) return false;
  return readFileSync(stamp, 'utf8') === `${digest} ${digestOfOutputs(root)}`;
}

/** Runs the generator with the Node that was installed, where the one that runs this may be too old. Returns whether it succeeded. */
function runGenerator(root) {
  const own = join(root, 'node_modules/.bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const node = existsSync(own) ? own : process.execPath;
  return spawnSync(node, [join(root, GENERATOR)], { stdio: 'inherit' }).status === 0;
}

/**
 * Generates the contract of a workspace if it is missing or stale. Processes that do so at the same time write the same files, each
 * of which another process sees whole, as it was or as it is. Returns whether the contract is there.
 */
export function generateContract({ root = workspace, generate = runGenerator } = {}) {
  const digest = digestOfInputs(root);
  if (isCurrent(root, digest)) return true;
  if (!generate(root)) return false;
  // The digest from before: inputs that have changed meanwhile make the next call generate again.
  const fresh = join(root, `${STAMP}.${process.pid}`);
  writeFileSync(fresh, `${digest} ${digestOfOutputs(root)}`);
  renameSync(fresh, join(root, STAMP));
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url) && !generateContract()) {
  process.stderr.write('The contract could not be generated: the reason is above.\n');
  process.exitCode = 1;
}
