import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pin } from '../../harness/src/cpu.ts';
import { launch } from '../../harness/src/server.ts';
import { type Contestant, contestants, OURS } from './contestants.ts';

/** A contestant that runs. Only one is awake at a time: the others are stopped, background work and all. */
export interface ServerProcess extends AsyncDisposable {
  contestant: Contestant;
  pid: number;
  port: number;
  /** The file with what it has said: its log. */
  output: string;
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

/** Starts a contestant on a free port; it is asleep when this resolves. */
export async function startServer(contestant: Contestant, options: StartOptions): Promise<ServerProcess> {
  const { databaseUrl, cores, nodeFlags = [] } = options;
  const { name, runtime, flags = [], file } = contestant;
  const directory = await mkdtemp(join(tmpdir(), 'roster-bench-'));
  const output = join(directory, `${name}.log`);
  const { child, port } = await launch({
    ...(runtime !== undefined && { command: runtime }),
    args: [...flags, ...nodeFlags, file],
    env: { ...process.env, NODE_ENV: 'production', DATABASE_URL: databaseUrl, ...contestant.env },
    log: output,
  });
  const pid = child.pid as number;
  if (cores !== undefined) pin(pid, cores);
  const signal = (signalName: NodeJS.Signals) => {
    if (child.exitCode !== null) throw new Error(`${name} has ended with ${child.exitCode}`);
    child.kill(signalName);
  };
  signal('SIGSTOP');
  return {
    contestant,
    pid,
    port,
    output,
    wake: () => signal('SIGCONT'),
    sleep: () => signal('SIGSTOP'),
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGCONT');
      // A profile is written when it ends by itself.
      child.kill('SIGTERM');
      await exited;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Starts Roster alone, awake. */
export async function startOurs(databaseUrl: string): Promise<ServerProcess> {
  const ours = contestants().find(({ name }) => name === OURS) as Contestant;
  const server = await startServer(ours, { databaseUrl, cores: undefined });
  server.wake();
  return server;
}
