import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Link } from './link.ts';

interface ServerOptions {
  name: string;
  port: number;
  /** Its ways to the databases. */
  link: Pick<Link, 'url' | 'urls'>;
  /** A key with all scopes. */
  key: string;
  logFile: string;
}

const main = fileURLToPath(new URL('../../../../apps/server/src/main.ts', import.meta.url));
const clock = new URL('clock.ts', import.meta.url).href;
const STARTING_MS = 60_000;
const DRAINING_MS = 20_000;
const RETRY_MS = 250;

/** Whether the process comes to listen before it ends. */
async function isListening(child: ChildProcess): Promise<boolean> {
  const listening = new Promise<boolean>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.includes('listens at')) resolve(true);
    });
  });
  return Promise.race([listening, once(child, 'exit').then(() => false)]);
}

/** One server of the deployment, as an operator runs it, with a supervisor that starts it again. */
export class ServerNode {
  readonly name: string;
  readonly port: number;
  /** Unexpected ends, in words. */
  readonly ends: string[] = [];
  readonly #options: ServerOptions;
  readonly #log: WriteStream;
  #child: ChildProcess | undefined;
  #isWanted = false;
  #offsetMs = 0;

  /** Nothing runs yet. */
  constructor(options: ServerOptions) {
    this.name = options.name;
    this.port = options.port;
    this.#options = options;
    this.#log = createWriteStream(options.logFile, { flags: 'a' });
  }

  /** Starts it, again and again until it says where it listens: its database may be unavailable. */
  async start(): Promise<void> {
    const deadline = performance.now() + STARTING_MS;
    for (;;) {
      const started = this.#launch();
      if (await isListening(started)) {
        this.#watch(started);
        return;
      }
      if (performance.now() > deadline) throw new Error(`${this.name} does not start`);
      await sleep(RETRY_MS);
    }
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** SIGTERM, and waits for the end. */
  drain(): Promise<void> {
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

  #launch(): ChildProcess {
    const { port, link, key } = this.#options;
    const started = spawn(process.execPath, ['--import', clock, main], {
      env: {
        HOST: '127.0.0.1',
        PORT: String(port),
        DATABASE_URL: link.url,
        DATABASE_REPLICA_URLS: link.urls.join(','),
        ROSTER_ADMIN_KEY: key,
        ROSTER_RATE_LIMIT: '0',
        ROSTER_WEBHOOK_ALLOW_PRIVATE: 'true',
        ROSTER_LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    started.stdout?.pipe(this.#log, { end: false });
    started.stderr?.pipe(this.#log, { end: false });
    started.on('error', () => undefined);
    started.send({ offsetMs: this.#offsetMs }, () => undefined);
    return started;
  }

  #watch(child: ChildProcess): void {
    this.#child = child;
    this.#isWanted = true;
    child.once('exit', (code, signal) => {
      if (this.#child === child && this.#isWanted)
        this.ends.push(`${this.name} ended by itself (${signal ?? code})`);
    });
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#isWanted = false;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    const isLate = await Promise.race([exited.then(() => false), sleep(DRAINING_MS, true, { ref: false })]);
    if (!isLate) return;
    this.ends.push(`${this.name} did not end within ${DRAINING_MS / 1_000} s of ${signal}`);
    child.kill('SIGKILL');
    await exited;
  }
}
