// Run by `npm start`, `npm test` and others before they begin: installs the workspace on a machine that has only Node and npm, with the
// pnpm that scripts/pnpm names. Plain JavaScript for Node 20: the project's own runtime is not there yet.
// With `--running` it installs what the server and the command line need, with `--console` also what builds the console, with a directory
// what has a lockfile of its own there (`tools/bench`).
// Does nothing when the lockfile is the one last installed, so a second start loses no time. Then generates the contract, unless it
// is the one of the schemas.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { generateContract } from './packaging/contract.mjs';

const OUTPUT_MAX_BYTES = 64 * 1024 * 1024;

const workspace = new URL('..', import.meta.url);
const [asked] = process.argv.slice(2);
const isWorkspace = asked === undefined || asked.startsWith('--');
const root = new URL(`${isWorkspace ? '.' : asked}/`, workspace);
const isWindows = process.platform === 'win32';
const say = (text) => process.stderr.write(`${text}\n`);

/** The text of a file, or undefined where there is none. */
function read(url) {
  try {
    return readFileSync(url, 'utf8');
  } catch {
    return undefined;
  }
}

/** Runs a command and keeps what it prints: most of it are warnings about the Node that is left a moment later. */
function succeeds(command, args, cwd) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: OUTPUT_MAX_BYTES,
    shell: isWindows,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (status === 0) return true;
  say(`${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`.trim());
  return false;
}

/** Installs what has a lockfile, unless it is there; `install` says whether it succeeded. */
function once(lockfile, installed, install) {
  if (read(installed) === read(lockfile)) return true;
  if (!install()) return false;
  copyFileSync(lockfile, installed);
  return true;
}

/** The name of pnpm's binary for this machine; musl, on Alpine, has another one than glibc. */
function targetOf() {
  const isMusl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
  return `@pnpm/exe.${process.platform}-${process.arch}${isMusl ? '-musl' : ''}`;
}

/**
 * The command line of pnpm. npm verifies the binary by the hash in scripts/pnpm/package-lock.json; for a machine that the
 * lockfile does not name, npm verifies it by what the registry says. Undefined when it cannot be installed.
 */
function pnpm() {
  const folder = new URL('scripts/pnpm/', workspace);
  const lockfile = new URL('package-lock.json', folder);
  const target = targetOf();
  if (JSON.parse(read(lockfile)).packages[`node_modules/${target}`] === undefined) {
    const { packageManager } = JSON.parse(read(new URL('package.json', workspace)));
    const [version] = packageManager.split('+');
    say(`scripts/pnpm has no hash of ${target}: npm verifies ${version} by what the registry says.`);
    return ['npx', '--yes', version];
  }
  // `npm start` tells its children where it runs, and npm would believe that rather than the current directory.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', fileURLToPath(folder)];
  const binary = new URL(`node_modules/${target}/pnpm${isWindows ? '.exe' : ''}`, folder);
  const isThere = once(lockfile, new URL('node_modules/.installed-lock.json', folder), () => {
    if (!succeeds('npm', args, folder)) return false;
    // npm leaves out an optional package whose hash is another one, and does not fail.
    if (!existsSync(binary))
      say(`npm did not find ${target} with the hash in scripts/pnpm/package-lock.json.`);
    return existsSync(binary);
  });
  return isThere ? [fileURLToPath(binary)] : undefined;
}

/** The oldest Node that runs the project's scripts: they use import.meta.main. */
const NODE_MIN = [24, 2];

/** Whether the root is needed for the Node in it, or has it already: pnpm would remove it. */
function isOwnNodeNeeded() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const isOld = major < NODE_MIN[0] || (major === NODE_MIN[0] && minor < NODE_MIN[1]);
  return isOld || existsSync(new URL('node_modules/node', root));
}

const running = ['@roster/server...', '@roster/cli...'];

/**
 * The parts of the workspace, each with the one before. A file says of which lockfile a part is installed, and a part that was installed
 * once is installed again: else pnpm would remove it.
 */
const parts = [
  {
    name: '--running',
    packages: running,
    installed: new URL('node_modules/.installed-running-lock.yaml', root),
  },
  {
    name: '--console',
    packages: [...running, '@roster/console...'],
    installed: new URL('node_modules/.installed-console-lock.yaml', root),
  },
  { name: undefined, packages: undefined, installed: new URL('node_modules/.installed-lock.yaml', root) },
];
const lockfile = new URL('pnpm-lock.yaml', root);

/** Installs the production dependencies of packages; everything if they are undefined. */
function installWorkspace(packages) {
  say('Installing what Roster needs. The first time takes about half a minute.');
  const [command, ...args] = pnpm() ?? [];
  if (command === undefined) return false;
  const filtered = packages && [...packages, ...(isOwnNodeNeeded() ? ['roster-workspace'] : [])];
  const part = filtered ? ['--prod', ...filtered.map((name) => `--filter=${name}`)] : [];
  // The age of new versions is checked where the lockfile changes, in CI. Here every package is pinned by its hash, and the check
  // would download the history of a thousand packages first.
  const install = [
    'install',
    '--frozen-lockfile',
    '--reporter=append-only',
    '--config.minimumReleaseAge=0',
    ...part,
  ];
  if (!succeeds(command, [...args, ...install], root)) return false;
  // The package of Node has moved the program out of what it downloaded, and leaves 68 MB there.
  rmSync(new URL('node_modules/node/node_modules', root), { recursive: true, force: true });
  return true;
}

/** Installs the part that is asked for, or the largest that was installed before. */
function installOnce() {
  const wanted = parts.findIndex(({ name }) => name === (isWorkspace ? asked : undefined));
  const before = parts.findLastIndex(({ installed }) => existsSync(installed));
  const { packages, installed } = parts[Math.max(wanted, before)];
  return once(lockfile, installed, () => installWorkspace(packages));
}

const isInstalled = installOnce();
if (!isInstalled) {
  say('The installation failed: its output is above. Mend what it names, and run the command again.');
  process.exitCode = 1;
} else if (isWorkspace && !generateContract()) {
  say('The contract could not be generated from the schemas: the reason is above.');
  process.exitCode = 1;
}
