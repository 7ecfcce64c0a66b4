import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Server } from '../../harness/src/server.ts';
import { type Contestant, contestants, OURS } from './contestants.ts';

interface StartOptions {
  databaseUrl: string;
  /** Flags of Node, for a profile. */
  nodeFlags?: string[];
}

/** A contestant that runs. Only one is awake at a time: the others are suspended, background work and all. */
export class ServerProcess extends Server {
  readonly contestant: Contestant;
  readonly #directory: string;

  private constructor(contestant: Contestant, { databaseUrl, nodeFlags = [] }: StartOptions) {
    const { name, runtime, flags = [], file } = contestant;
    const directory = mkdtempSync(join(tmpdir(), 'roster-bench-'));
    const env = { ...process.env, NODE_ENV: 'production', DATABASE_URL: databaseUrl, ...contestant.env };
    const program = { command: runtime ?? process.execPath, args: [...flags, ...nodeFlags, file], env };
    super({ name, databaseUrl, log: join(directory, `${name}.log`), program });
    this.contestant = contestant;
    this.#directory = directory;
  }

  /** Starts a contestant on a free port; it is suspended when this resolves. */
  static async start(contestant: Contestant, options: StartOptions): Promise<ServerProcess> {
    const server = new ServerProcess(contestant, options);
    await server.start();
    server.pause();
    return server;
  }

  /** A profile is written when it ends by itself. */
  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** Starts Roster alone, awake. */
export async function startOurs(databaseUrl: string): Promise<ServerProcess> {
  const ours = contestants().find(({ name }) => name === OURS) as Contestant;
  const server = await ServerProcess.start(ours, { databaseUrl });
  server.resume();
  return server;
}
