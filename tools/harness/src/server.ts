import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { MALLOC_SETTINGS, NODE_FLAGS } from '../../../apps/server/scripts/memory-flags.ts';
import { until } from './until.ts';

/** A program that says where it listens. */
interface Program {
  /** This Node.js unless given. */
  command?: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
}

/** A key of all scopes, for the requests of tools. */
export const KEY = 'a-key-for-the-tools-and-for-nothing-else';

const STARTING_MS = 60_000;
const ENDING_MS = 20_000;
const RETRY_MS = 250;
const LOOK_EVERY_MS = 25;

const running = new Set<ChildProcess>();
// One that is suspended hears nothing of a terminal's Ctrl-C, and would stay for ever.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;
const APP = join(import.meta.dirname, '../../../apps/server');

/**
 * Starts a program; resolves to it and its port when it listens. Rejects with what it has said if it ends, or does not listen in a minute.
 * Both of its streams are appended to a file: what a server says must cost the one who measures nothing.
 */
async function launch({ command = process.execPath, args, env }: Program, log: string, hasChannel = false) {
  const file = openSync(log, 'a');
  const { size: from } = await stat(log);
  const stdio = ['ignore' as const, file, file, ...(hasChannel ? ['ipc' as const] : [])];
  const child = spawn(command, args, { env, stdio });
  closeSync(file);
  running.add(child);
  child.on('error', () => undefined).once('exit', () => running.delete(child));
  for (const deadline = performance.now() + STARTING_MS; ; await sleep(LOOK_EVERY_MS)) {
    const said = (await readFile(log)).toString('utf8', from);
    const port = /listens at\s+http:\/\/[^:]+:(\d+)/.exec(said)?.[1];
    if (port !== undefined) return { child, port: Number(port) };
    const isLate = performance.now() > deadline;
    if (isLate) child.kill('SIGKILL');
    if (isLate || hasEnded(child)) throw new Error(`${args.at(-1)} does not come to listen:\n${said}`);
  }
}

interface ServerOptions {
  name: string;
  databaseUrl: string;
  log: string;
  /** The port to listen on; a free one at each start unless given. */
  port?: number;
  /** Settings beside those of all servers of tools, which they overrule. */
  settings?: Record<string, string>;
  /** Flags of Node.js beside those of the launcher. */
  flags?: readonly string[];
  /** Whether the bundle is started, as in a deployment; the sources unless given. */
  isBundle?: boolean;
  /** Whether its clock can be shifted. */
  hasClock?: boolean;
  /** Another program than Roster, whole. */
  program?: Program;
}

/** A server in a process of its own, as an operator runs it: started, suspended, ended and started again. */
export class Server implements AsyncDisposable {
  readonly name: string;
  readonly log: string;
  /** Ends that nobody has asked for, in words. */
  readonly ends: string[] = [];
  readonly #options: ServerOptions;
  #child: ChildProcess | undefined;
  #port = 0;
  #isWanted = false;
  #offsetMs = 0;

  /** Nothing runs yet. */
  constructor(options: ServerOptions) {
    this.name = options.name;
    this.log = options.log;
    this.#port = options.port ?? 0;
    this.#options = options;
  }

  get port(): number {
    return this.#port;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Its process. Throws before it was started. */
  get child(): ChildProcess {
    if (this.#child === undefined) throw new Error(`${this.name} was not started`);
    return this.#child;
  }

  get hasEnded(): boolean {
    return this.#child === undefined || hasEnded(this.#child);
  }

  /** Starts it, again and again for a minute until it listens: its database may be unavailable. */
  async start({ flags = [] }: { flags?: readonly string[] } = {}): Promise<void> {
    const { program = this.#program(flags), log, hasClock } = this.#options;
    const patience = { withinMs: STARTING_MS, everyMs: RETRY_MS };
    const start = () => launch(program, log, hasClock);
    const { child, port } = await until(`the start of ${this.name}`, start, patience);
    this.#child = child;
    this.#port = port;
    this.#isWanted = true;
    child.once('exit', (code, signal) => {
      if (this.#child === child && this.#isWanted)
        this.ends.push(`${this.name} ended by itself (${signal ?? code})`);
    });
    this.shiftClock(this.#offsetMs);
  }

  kill(): Promise<number | null> {
    return this.#end('SIGKILL');
  }

  /** Lets it finish what it does (SIGTERM); resolves to its exit code. */
  drain(): Promise<number | null> {
    return this.#end('SIGTERM');
  }

  pause(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Shifts its clock, now and after every start, by so many milliseconds from that of the machine. */
  shiftClock(offsetMs: number): void {
    this.#offsetMs = offsetMs;
    if (this.#child?.connected) this.#child.send({ offsetMs }, () => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.drain();
  }

  #program(flags: readonly string[]): Program {
    const { databaseUrl, port = 0, settings, isBundle = false, hasClock = false } = this.#options;
    const clock = hasClock ? ['--import', new URL('clock.ts', import.meta.url).href] : [];
    const main = join(APP, isBundle ? 'bundle/main.js' : 'src/main.ts');
    return {
      args: [...clock, ...NODE_FLAGS, ...(this.#options.flags ?? []), ...flags, main],
      env: {
        ...MALLOC_SETTINGS,
        ROSTER_LOG_LEVEL: 'warn',
        // What is set outside wins, to try other settings.
        ...process.env,
        HOST: '127.0.0.1',
        PORT: String(port),
        DATABASE_URL: databaseUrl,
        ROSTER_ADMIN_KEY: KEY,
        ROSTER_RATE_LIMIT: '0',
        ...settings,
      },
    };
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    this.#isWanted = false;
    const child = this.#child;
    if (child === undefined || hasEnded(child)) return child?.exitCode ?? null;
    const exited = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill(signal);
    const isLate = await Promise.race([exited.then(() => false), sleep(ENDING_MS, true, { ref: false })]);
    if (isLate) {
      this.ends.push(`${this.name} did not end within ${ENDING_MS / 1_000} s of ${signal}`);
      child.kill('SIGKILL');
      await exited;
    }
    return child.exitCode;
  }
}
