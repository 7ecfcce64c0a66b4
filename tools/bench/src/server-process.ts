import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contestant } from './contestants.ts';
import { pin } from './cpu.ts';

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
  // Into a file: what a server says must cost the one who measures nothing.
  const output = join(mkdtempSync(join(tmpdir(), 'roster-bench-')), `${contestant.name}.log`);
  const file = openSync(output, 'w');
  const child = spawn(
    contestant.runtime ?? process.execPath,
    [...(contestant.flags ?? []), ...nodeFlags, contestant.file],
    {
      env,
      stdio: ['ignore', file, file],
    },
  );
  closeSync(file);
  running.add(child);
  child.once('exit', () => running.delete(child));
  const port = await portOf(child, output);
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
    output,
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
      await rm(dirname(output), { recursive: true, force: true });
    },
  };
}

/** Waits for the line that says where it listens. */
async function portOf(child: ChildProcess, output: string): Promise<number> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    const said = readFileSync(output, 'utf8');
    const port = /listens at\s+http:\/\/[^:]+:(\d+)/.exec(said)?.[1];
    if (port !== undefined) return Number(port);
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}:\n${said}`);
    if (Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`it does not say where it listens:\n${said}`);
    }
    await sleep(50);
  }
}
