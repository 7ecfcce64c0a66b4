import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import type { Contestant } from './contestants.ts';
import { pin } from './cpu.ts';

/** A contestant that runs. Only one is awake at a time: the others are stopped, background work and all. */
export interface ServerProcess extends AsyncDisposable {
  contestant: Contestant;
  pid: number;
  port: number;
  wake(): void;
  sleep(): void;
}

interface StartOptions {
  databaseUrl: string;
  /** The cores it may use; undefined leaves it to the kernel. */
  cores: string | undefined;
  /** Flags of Node, for a profile. */
  nodeFlags?: string[];
}

const START_MS = 60_000;
const STOP_MS = 10_000;

const running = new Set<ChildProcess>();
// One that sleeps hears nothing of a terminal's Ctrl-C, and would stay for ever.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a contestant on a free port; it is asleep when this resolves. */
export async function startServer(contestant: Contestant, options: StartOptions): Promise<ServerProcess> {
  const { databaseUrl, cores, nodeFlags = [] } = options;
  const env = { ...process.env, NODE_ENV: 'production', DATABASE_URL: databaseUrl, ...contestant.env };
  const child = spawn(process.execPath, [...nodeFlags, contestant.file], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const port = await portOf(child, contestant.name);
  const pid = child.pid as number;
  if (cores !== undefined) pin(pid, cores);
  const signal = (name: NodeJS.Signals) => {
    if (child.exitCode !== null) throw new Error(`${contestant.name} has ended with ${child.exitCode}`);
    child.kill(name);
  };
  signal('SIGSTOP');
  return {
    contestant,
    pid,
    port,
    wake: () => signal('SIGCONT'),
    sleep: () => signal('SIGSTOP'),
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await exited;
      clearTimeout(timer);
    },
  };
}

/** Waits for the line that says where it listens; what it says otherwise is only of interest where it fails. */
async function portOf(child: ChildProcess, name: string): Promise<number> {
  let output = '';
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`${name} ${reason}:\n${output}`));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail('does not say where it listens');
    }, START_MS);
    const hear = (chunk: Buffer) => {
      output += chunk;
      const port = /listens at\s+http:\/\/[^:]+:(\d+)/.exec(output)?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      resolve(Number(port));
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('exit', (code) => fail(`ended with ${code}`));
  });
}
