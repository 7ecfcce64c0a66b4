// Run by `npm start`, `npm test` and others before they begin: installs the workspace on a machine that has only Node and npm, with the
// pnpm that scripts/pnpm names, and the Node that scripts/node names if the machine's is too old. Plain JavaScript for Node 20.
// With `--running` it installs what the server and the command line need, with `--console` also what builds the console, with a directory
// what has a lockfile of its own there (`tools/bench`).
// Does nothing when the lockfile is the one last installed, so a second start loses no time. Then generates the contract, unless it
// is the one of the schemas.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { generateContract } from './packaging/contract.mjs';

const OUTPUT_MAX_BYTES = 64 * 1024 * 1024;
/** The oldest Node that runs the sources without a warning, and whose decoder sees that a body in zstd is cut off. */
const NODE_MIN = [24, 20];

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

/** Runs a command and keeps what it prints: most of it are warnings about the machine's Node. */
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

/** The lockfile of a program in scripts. */
const lockOf = (name) => new URL(`scripts/${name}/package-lock.json`, workspace);
/** Where npm's scripts find a program before that of the machine. */
const binaryOf = (name) => new URL(`node_modules/.bin/${name}${isWindows ? '.exe' : ''}`, workspace);
const stampOf = (name) => new URL(`node_modules/.installed-${name}-lock.json`, workspace);

/**
 * Installs a program for this machine, which npm verifies by the hash in its lockfile.
 * @param file The file of the package that is the program, without the extension it has on Windows.
 */
function installProgram(name, target, file) {
  const folder = new URL('.', lockOf(name));
  const packages = new URL('node_modules/', folder);
  return once(lockOf(name), stampOf(name), () => {
    // `npm start` tells its children where it runs, and npm would believe that rather than the current directory.
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier'];
    if (!succeeds('npm', ['ci', ...options, '--prefix', fileURLToPath(folder)], folder)) return false;
    const program = new URL(`${target}/${file}${isWindows ? '.exe' : ''}`, packages);
    // npm leaves out an optional package that it cannot have, and does not fail.
    if (!existsSync(program)) {
      say(
        `npm did not bring ${target}: the registry is away, or has not the hash of scripts/${name}/package-lock.json.`,
      );
      return false;
    }
    mkdirSync(new URL('.', binaryOf(name)), { recursive: true });
    renameSync(program, binaryOf(name));
    rmSync(packages, { recursive: true });
    return true;
  });
}

/** The command line of pnpm, or undefined if it cannot be installed; musl, on Alpine, has another program than glibc. */
function pnpm() {
  const isMusl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
  const target = `@pnpm/exe.${process.platform}-${process.arch}${isMusl ? '-musl' : ''}`;
  if (JSON.parse(read(lockOf('pnpm'))).packages[`node_modules/${target}`] !== undefined)
    return installProgram('pnpm', target, 'pnpm') ? [fileURLToPath(binaryOf('pnpm'))] : undefined;
  const { packageManager } = JSON.parse(read(new URL('package.json', workspace)));
  say(`scripts/pnpm has no hash of ${target}: npm verifies ${packageManager} by what the registry says.`);
  return ['npx', '--yes', packageManager];
}

/** Installs Node where that of the machine is too old, or was when this one was installed: a newer one may be named now. */
function installNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const isOld = major < NODE_MIN[0] || (major === NODE_MIN[0] && minor < NODE_MIN[1]);
  const isInstalled = process.execPath.startsWith(fileURLToPath(new URL('node_modules/', workspace)));
  if (!isOld && !isInstalled) return true;
  const target = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
  if (installProgram('node', target, 'bin/node')) return true;
  say(`The sources need Node ${NODE_MIN.join('.')} or newer, and this is ${process.version}.`);
  return false;
}

/** What runs from source: the server, and the command line. */
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
  const part = packages ? ['--prod', ...packages.map((name) => `--filter=${name}`)] : [];
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
  // What runs has no use for pnpm's 62 MB.
  if (packages) for (const file of [binaryOf('pnpm'), stampOf('pnpm')]) rmSync(file, { force: true });
  return true;
}

/** Installs the part that is asked for, or the largest that was installed before. */
function installOnce() {
  const wanted = parts.findIndex(({ name }) => name === (isWorkspace ? asked : undefined));
  const before = parts.findLastIndex(({ installed }) => existsSync(installed));
  const { packages, installed } = parts[Math.max(wanted, before)];
  return once(lockfile, installed, () => installWorkspace(packages));
}

const isInstalled = installOnce() && installNode();
if (!isInstalled) {
  say('The installation failed: its output is above. Mend what it names, and run the command again.');
  process.exitCode = 1;
} else if (isWorkspace && !generateContract()) {
  say('The contract could not be generated from the schemas: the reason is above.');
  process.exitCode = 1;
}
