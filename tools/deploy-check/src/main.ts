// Tries the Dockerfile and compose.yaml where there is no engine: every command of both, in name spaces of this machine.
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { readComposition } from './compose.ts';
import { blocksOf, tryPages } from './docs-page.ts';
import { buildImage, type Image } from './image.ts';
import { openNetwork } from './network.ts';
import { type Claim, tryComposition } from './run.ts';

const root = join(import.meta.dirname, '../../..');
const pages = ['build', 'configure', 'deploy'].map((name) => join(root, 'docs/operations', `${name}.md`));
const LIMIT_BYTES = 40 * 1024 * 1024;

const say = (line: string) => process.stdout.write(`${line}\n`);

let wrong = 0;
const claim: Claim = (what, holds, details = '') => {
  say(`${holds ? 'ok   ' : 'WRONG'} ${what}${details === '' ? '' : `: ${details}`}`);
  if (!holds) wrong += 1;
};

/** What is not here but needed, in words for people; empty where everything is. */
function missing(): string[] {
  const has = (program: string) => spawnSync('which', [program]).status === 0;
  return [
    ...(process.getuid?.() === 0 ? [] : ['root, who alone may make name spaces and mounts']),
    ...['unshare', 'ip', 'setpriv', 'chroot'].filter((program) => !has(program)),
    ...(has('haproxy') ? [] : ['haproxy (Debian: apt-get install haproxy)']),
  ];
}

async function sizeOf(directory: string): Promise<number> {
  const names = await readdir(directory, { recursive: true });
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(directory, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The secrets of compose.yaml, made by the commands that docs/operations/configure.md prints. */
async function makeSecrets(work: string): Promise<void> {
  const [commands] = await blocksOf(pages, 'sh secrets');
  if (commands === undefined)
    throw new Error('docs/operations/configure.md does not say how secrets are made.');
  const { status, stderr } = spawnSync('bash', ['-eu', '-c', commands], { cwd: work, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The secrets could not be made: ${stderr}`);
}

/** Builds the image and starts this script once more inside the network, where the callers are. */
async function prepare(): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'roster-ship-'));
  try {
    // Users other than root have to get in.
    await chmod(work, 0o755);
    const image = await buildImage({ context: root, work, onStep: (line) => say(`      ${line}`) });
    const bytes = await sizeOf(join(image.root, image.workdir));
    claim('the server fits into 40 MB', bytes < LIMIT_BYTES, `${(bytes / 1024 / 1024).toFixed(1)} MB`);
    await makeSecrets(work);
    const { services, subnet } = await readComposition(join(root, 'compose.yaml'));
    const addresses = Array.from(services, ([name, { networks }]) => [name, networks.inside.ipv4_address]);
    await using network = await openNetwork(subnet, Object.fromEntries(addresses));
    await writeFile(join(work, 'trial.json'), JSON.stringify({ image, spaces: network.spaces }));
    const again = [process.execPath, import.meta.filename, work];
    const { status } = spawnSync('ip', ['netns', 'exec', network.outside, ...again], { stdio: 'inherit' });
    wrong += status ?? 1;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The part inside the network. */
async function tryAll(work: string): Promise<void> {
  const told: { image: Image; spaces: Record<string, string> } = JSON.parse(
    await readFile(join(work, 'trial.json'), 'utf8'),
  );
  const composition = await readComposition(join(root, 'compose.yaml'));
  const files = Object.entries(composition.secrets).map(([name, { file }]) => [name, join(work, file)]);
  const secrets: Record<string, string> = Object.fromEntries(files);
  const key = await readFile(secrets.admin_key ?? '', 'utf8');
  await mkdir(join(work, 'services'), { recursive: true });
  const deployment = { ...told, composition, context: root, work: join(work, 'services'), secrets };
  await tryComposition(deployment, key.trim(), claim);
}

const [work] = process.argv.slice(2);
const lacks = missing();
if (lacks.length > 0) {
  say(`Not tried: this needs ${lacks.join(', ')}.`);
  process.exitCode = 1;
} else if (work === undefined) {
  await tryPages(pages, root, claim);
  await prepare();
  say(wrong === 0 ? 'All of it works.' : 'Not all of it works.');
  process.exitCode = wrong === 0 ? 0 : 1;
} else {
  await tryAll(work);
  process.exitCode = wrong;
}
