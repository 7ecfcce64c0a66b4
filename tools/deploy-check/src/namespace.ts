import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A command in a root directory of its own, as an engine would run it in a container. */
export interface Sandbox {
  /** What it sees as `/`. The machine's /usr is in it, read only; `/usr/local` is the root's own. */
  root: string;
  command: string[];
  env: Record<string, string>;
  workdir: string;
  /** `uid:gid`; without it root, with all rights: so runs a RUN line of a Dockerfile. */
  user?: string;
  isReadOnly?: boolean;
  /** Paths that are empty and in memory, with the options of the mount where there are any: `/run/x:uid=999`. */
  tmpfs?: string[];
  binds?: Bind[];
  /** The network namespace it is in; without one the machine's. */
  network?: string;
}

export interface Bind {
  from: string;
  to: string;
  isReadOnly: boolean;
}

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/** The directories every root has, and what a program looks up in /etc. */
export async function layRoot(root: string, files: Record<string, string>): Promise<string> {
  const directories = ['usr', 'proc', 'dev', 'tmp', 'run', 'root', 'opt', '.local/bin', 'var/lib', 'etc'];
  for (const directory of directories) await mkdir(join(root, directory), { recursive: true });
  for (const [path, text] of Object.entries(files)) await writeFile(join(root, path), text);
  return root;
}

/** Makes what a mount needs to be mounted on; a read-only root could not be given it later. */
async function makeMountPoints({ root, tmpfs = [], binds = [] }: Sandbox): Promise<void> {
  const make = (path: string) => mkdir(join(root, own(path)), { recursive: true });
  for (const mount of tmpfs) await make(pathOf(mount));
  for (const { to } of binds) await make(dirname(to));
}

/** Where the root keeps a path: what is below /usr/local when it is entered lies in a directory of its own. */
const own = (path: string) => path.replace(/^\/usr\/local(?=\/|$)/, '/.local');

const pathOf = (mount: string) => mount.split(':')[0] ?? mount;

function mounts({ root, isReadOnly = false, tmpfs = [], binds = [] }: Sandbox): string[] {
  const at = (path: string) => quoted(join(root, path));
  return [
    'set -eu',
    `mount --bind ${at('.')} ${at('.')}`,
    `mount --bind /usr ${at('usr')} && mount -o remount,bind,ro ${at('usr')}`,
    `mount --bind ${at('.local')} ${at('usr/local')}`,
    `mount -t proc proc ${at('proc')}`,
    `mount --rbind /dev ${at('dev')}`,
    ...binds.flatMap(({ from, to, isReadOnly: isFixed }) => [
      `if [ -f ${quoted(from)} ]; then touch ${at(to)}; else mkdir -p ${at(to)}; fi`,
      `mount --bind ${quoted(from)} ${at(to)}`,
      ...(isFixed ? [`mount -o remount,bind,ro ${at(to)}`] : []),
    ]),
    ...tmpfs.map((mount) => {
      const options = mount.includes(':') ? `mode=755,${mount.slice(mount.indexOf(':') + 1)}` : 'mode=1777';
      return `mount -t tmpfs -o ${options} tmpfs ${at(pathOf(mount))}`;
    }),
    ...(isReadOnly ? ['usr/local', '.'].map((path) => `mount -o remount,bind,ro ${at(path)}`) : []),
  ];
}

function entering({ root, command, env, workdir, user }: Sandbox): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const [uid = '0', gid = uid] = user?.split(':') ?? [];
  const bare = ['--clear-groups', '--no-new-privs', '--inh-caps=-all', '--bounding-set=-all'];
  const giveUp = user === undefined ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, ...bare];
  const words = ['chroot', root, 'env', '-i', '-C', workdir, ...variables, ...giveUp, ...command];
  return `exec ${words.map(quoted).join(' ')}`;
}

/** Starts a command in a sandbox, with process and mount name spaces of its own; what it starts ends with it. */
export async function enter(sandbox: Sandbox): Promise<ChildProcess> {
  await makeMountPoints(sandbox);
  const script = [...mounts(sandbox), entering(sandbox)].join('\n');
  const apart = ['unshare', '--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child'];
  const words = [...apart, 'bash', '-c', script];
  const [program = '', ...rest] =
    sandbox.network === undefined ? words : ['ip', 'netns', 'exec', sandbox.network, ...words];
  return spawn(program, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
  });
}

/** What a finished command leaves. */
export interface Outcome {
  status: number | null;
  output: string;
}

/** The end of a command, and what it printed on both streams. */
export async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, output }));
  });
}
