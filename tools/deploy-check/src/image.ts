import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import process from 'node:process';
import dockerignore from '@balena/dockerignore';
import { type Stage, type Step, stagesOf } from './dockerfile.ts';
import { layBase, PATH } from './fakes.ts';
import { enter, outcomeOf } from './namespace.ts';

/** What the lines of a build keep for the next one, as an engine keeps it. */
const CACHES = join(tmpdir(), 'roster-ship-caches');
const NEVER_SENT = ['.git', 'node_modules'];

/** What a Dockerfile makes: a root directory, and how to start what is in it. */
export interface Image {
  root: string;
  env: Record<string, string>;
  workdir: string;
  user: string | undefined;
  entrypoint: string[];
  healthcheck: string[];
  stopSignal: NodeJS.Signals;
}

export interface BuildOptions {
  /** The directory of the Dockerfile. */
  context: string;
  /** Where the roots of the stages go. */
  work: string;
  onStep(line: string): void;
}

/** Does what a Dockerfile says, line by line, and gives its last stage. Throws when a line fails. */
export async function buildImage({ context, work, onStep }: BuildOptions): Promise<Image> {
  const stages = stagesOf(await readFile(join(context, 'Dockerfile'), 'utf8'));
  const sent = await sentFiles(context);
  const built = new Map<string, Image>();
  let last: Image | undefined;
  for (const [index, stage] of stages.entries()) {
    onStep(`FROM ${stage.base}`);
    last = await begin(stage, join(work, `stage-${index}`));
    for (const step of stage.steps) {
      onStep(describe(step));
      await take(step, last, { context, sent, built });
    }
    built.set(stage.name ?? String(index), last);
  }
  if (last === undefined) throw new Error('The Dockerfile has no stage.');
  return last;
}

async function begin({ base }: Stage, root: string): Promise<Image> {
  await layBase(base, root);
  return {
    root,
    env: { PATH, HOME: '/root' },
    workdir: '/',
    user: undefined,
    entrypoint: [],
    healthcheck: [],
    stopSignal: 'SIGTERM',
  };
}

interface Sources {
  context: string;
  sent: string[];
  built: Map<string, Image>;
}

async function take(step: Step, image: Image, sources: Sources): Promise<void> {
  switch (step.keyword) {
    case 'RUN':
      return runLine(step, image);
    case 'COPY':
      return copy(step, image, sources);
    case 'ENV':
      Object.assign(image.env, step.values);
      return;
    case 'WORKDIR':
      image.workdir = posix.resolve(image.workdir, step.value);
      await mkdir(join(image.root, image.workdir), { recursive: true });
      return;
    case 'USER':
      image.user = step.value;
      return;
    case 'STOPSIGNAL':
      image.stopSignal = step.value as NodeJS.Signals;
      return;
    case 'ENTRYPOINT':
      image.entrypoint = step.command;
      return;
    case 'HEALTHCHECK':
      image.healthcheck = step.command;
      return;
    case 'LABEL':
    case 'EXPOSE':
  }
}

/** How this machine reaches a registry: an engine hands proxies on to a build by itself, too. */
const WAY_OUT = /^(https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_file)$/i;

type Run = Extract<Step, { keyword: 'RUN' }>;

async function runLine({ line, caches }: Run, { root, env: own, workdir }: Image): Promise<void> {
  const env = { ...own };
  for (const [name, value = ''] of Object.entries(process.env)) if (WAY_OUT.test(name)) env[name] = value;
  const kept = caches.map((to) => ({ from: join(CACHES, to), to, isReadOnly: false }));
  for (const { from } of kept) await mkdir(from, { recursive: true });
  const binds = [{ from: '/etc/ssl', to: '/etc/ssl', isReadOnly: true }, ...kept];
  const child = await enter({ root, env, workdir, binds, command: ['/bin/sh', '-c', line] });
  const { status, output } = await outcomeOf(child);
  if (status !== 0) throw new Error(`RUN ${line}\nended with ${status}:\n${output}`);
}

type Copy = Extract<Step, { keyword: 'COPY' }>;

async function copy({ from, sources, target }: Copy, image: Image, { context, sent, built }: Sources) {
  const place = join(image.root, posix.resolve(image.workdir, target));
  for (const source of sources) {
    if (from === undefined) {
      const files = sent.filter((file) => source === '.' || file === source || file.startsWith(`${source}/`));
      if (files.length === 0) throw new Error(`COPY ${source}: .dockerignore lets nothing of it through.`);
      // A directory's contents are copied, a file is put into the directory.
      for (const file of files) await cp(join(context, file), join(place, within(source, file)));
    } else {
      const stage = built.get(from);
      if (stage === undefined) throw new Error(`There is no stage ${from} to copy from.`);
      await cp(join(stage.root, source), place, { recursive: true });
    }
  }
}

const within = (source: string, file: string) =>
  file === source ? posix.basename(file) : posix.relative(source, file);

/** The files of the context that an engine is sent, by .dockerignore. */
async function sentFiles(context: string): Promise<string[]> {
  const rules = dockerignore.default().add(await readFile(join(context, '.dockerignore'), 'utf8'));
  const files: string[] = [];
  const walk = async (directory: string): Promise<void> => {
    for (const entry of await readdir(join(context, directory), { withFileTypes: true })) {
      const path = posix.join(directory, entry.name);
      // An exception may lie in any directory; of these there are none, and they hold most of the files.
      if (entry.isDirectory() && !NEVER_SENT.includes(entry.name)) await walk(path);
      else if (!entry.isDirectory() && !rules.ignores(path)) files.push(path);
    }
  };
  await walk('.');
  return files;
}

function describe(step: Step): string {
  if (step.keyword === 'RUN') return `RUN ${step.line}`;
  if (step.keyword === 'COPY') return `COPY ${step.sources.join(' ')} ${step.target}`;
  if ('value' in step) return `${step.keyword} ${step.value}`;
  if ('values' in step) return `${step.keyword} ${Object.keys(step.values).join(' ')}`;
  return `${step.keyword} ${step.command[0]} …`;
}
