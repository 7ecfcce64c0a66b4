import type { ChildProcess } from 'node:child_process';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Composition, Service } from './compose.ts';
import { layBase, PATH } from './fakes.ts';
import type { Image } from './image.ts';
import { enter, type Outcome, outcomeOf, type Sandbox } from './namespace.ts';

/** A service of the compose file, running. */
export interface Container extends AsyncDisposable {
  name: string;
  address: string;
  /** Whether its health check says so now: the command of the compose file, run in its sandbox. */
  isHealthy(): Promise<boolean>;
  /** Runs another command as it runs itself: the same root, user and network. */
  execute(command: string[]): Promise<Outcome>;
  /** Sends its stop signal and waits for its end, at most the grace period; then it is killed. */
  stop(): Promise<{ status: number | null; tookMs: number; isKilled: boolean }>;
  /** What it printed so far. */
  output(): string;
}

export interface DeploymentContext {
  composition: Composition;
  /** The network name space of each service. */
  spaces: Record<string, string>;
  /** The image of the services that have a `build`. */
  image: Image;
  /** The directory of the compose file, from which it names others. */
  context: string;
  /** Where roots, volumes and secrets of this run are. */
  work: string;
  secrets: Record<string, string>;
}

/** Starts a service and waits until it is healthy, as `depends_on` would. Throws what it printed when it is not. */
export async function startContainer(name: string, deployment: DeploymentContext): Promise<Container> {
  const service = deployment.composition.services.get(name);
  if (service === undefined) throw new Error(`There is no service ${name}.`);
  const sandbox = await sandboxOf(name, service, deployment);
  const container = await run(name, service, sandbox, deployment);
  const { start_period, start_interval, timeout } = service.healthcheck;
  for (let waited = 0; !(await container.isHealthy()); waited += start_interval) {
    if (waited > start_period + timeout) {
      await container.stop();
      throw new Error(`${name} does not get healthy:\n${container.output()}`);
    }
    await pause(start_interval / 4);
  }
  return container;
}

async function sandboxOf(name: string, service: Service, deployment: DeploymentContext): Promise<Sandbox> {
  const { composition, spaces, image, work } = deployment;
  const { environment, tmpfs } = service;
  const binds = await bindsOf(service, deployment);
  const network = spaces[name];
  if (network === undefined) throw new Error(`${name} has no network.`);
  const shared = { tmpfs, network, isReadOnly: true };
  const hosts = Array.from(
    composition.services,
    ([host, { networks: at }]) => `${at.inside.ipv4_address} ${host}`,
  );
  if (service.build !== undefined) {
    await writeFile(join(image.root, 'etc/hosts'), `127.0.0.1 localhost\n${hosts.join('\n')}\n`);
    const user = service.user ?? image.user ?? '0:0';
    const env = { ...image.env, ...environment };
    const command = [...image.entrypoint, ...(service.command ?? [])];
    return { ...shared, root: image.root, command, env, workdir: image.workdir, user, binds };
  }
  const root = join(work, `root-${name}`);
  const standIn = await layBase(service.image, root);
  await writeFile(join(root, 'etc/hosts'), `127.0.0.1 localhost\n${hosts.join('\n')}\n`);
  const env = { PATH, ...environment };
  const user = service.user ?? standIn.user ?? '0:0';
  const command = [...standIn.entrypoint, ...(service.command ?? [])];
  return { ...shared, root, command, env, workdir: '/', user, binds: [...standIn.binds, ...binds] };
}

async function bindsOf(service: Service, { context, work, secrets }: DeploymentContext) {
  const [uid = 0, gid = uid] = (service.user ?? '0').split(':').map(Number);
  const mounts = await Promise.all(
    service.volumes.map(async (volume) => {
      const [source = '', to = '', mode] = volume.split(':');
      const from = source.startsWith('.') ? join(context, source) : join(work, `volume-${source}`);
      if (!source.startsWith('.')) {
        await mkdir(from, { recursive: true });
        await chown(from, uid, gid);
      }
      return { from, to, isReadOnly: mode === 'ro' };
    }),
  );
  const given = service.secrets.map((secret) => {
    const from = secrets[secret];
    if (from === undefined) throw new Error(`No file holds the secret ${secret}.`);
    return { from, to: `/run/secrets/${secret}`, isReadOnly: true };
  });
  return [...mounts, ...given];
}

async function run(
  name: string,
  service: Service,
  sandbox: Sandbox,
  { image }: DeploymentContext,
): Promise<Container> {
  const child = await enter(sandbox);
  const ended = outcomeOf(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const signal = service.stop_signal ?? (service.build === undefined ? 'SIGTERM' : image.stopSignal);
  const execute = async (command: string[]) => outcomeOf(await enter({ ...sandbox, command }));
  const stop = async () => {
    const begun = performance.now();
    let isKilled = false;
    const late = setTimeout(() => {
      isKilled = true;
      void signalFirst(child, 'SIGKILL');
    }, service.stop_grace_period);
    await signalFirst(child, signal);
    const { status } = await ended;
    clearTimeout(late);
    return { status, isKilled, tookMs: Math.round(performance.now() - begun) };
  };
  return {
    name,
    address: service.networks.inside.ipv4_address,
    isHealthy: async () => (await execute(service.healthcheck.test as string[])).status === 0,
    execute,
    stop,
    output: () => output,
    [Symbol.asyncDispose]: async () => {
      await signalFirst(child, 'SIGKILL');
      await ended;
    },
  };
}

/** Signals the process that is number 1 in the sandbox, with whose end everything in it ends; it may have ended. */
async function signalFirst({ pid, exitCode }: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (pid === undefined || exitCode !== null) return;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const first = Number(children.trim().split(' ')[0]);
  if (first > 0) process.kill(first, signal);
}
