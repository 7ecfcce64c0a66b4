import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { type Asked, openCaller } from '../../harness/src/caller.ts';
import { Server } from '../../harness/src/server.ts';
import type { Bench } from './database.ts';

/** One of those who run. */
export interface Contestant {
  name: string;
  title: string;
  /** Whether it speaks tRPC too. */
  hasRpc: boolean;
  /** What is started: the bundle of Roster unless given. */
  program?: { command?: string; args: readonly string[] };
}

/** All others are measured against it. */
export const REFERENCE = 'node-http-pg';
export const OURS = 'ours';

const RETRY_MS = 5;

const here = (path: string) => join(import.meta.dirname, path);

/** A package that is installed for the bench, with its version. */
function versioned(label: string, name = label): string {
  const { version } = JSON.parse(readFileSync(here(`../node_modules/${name}/package.json`), 'utf8'));
  return `${label} ${version}`;
}

function peer(name: string, title: string, { command = process.execPath, hasRpc = false } = {}): Contestant {
  return { name, title, hasRpc, program: { command, args: [here(`peers/${name}.ts`)] } };
}

/** The binary of Bun, in the optional package for this machine: the command that its script would make is not there. */
function bunBinary(): string {
  const packages = join(realpathSync(here('../node_modules/bun')), '../@oven');
  const [name] = readdirSync(packages);
  if (name === undefined) throw new Error(`no binary of Bun for this machine in ${packages}`);
  return join(packages, name, 'bin/bun');
}

const ours: Contestant = { name: OURS, title: 'Roster', hasRpc: true };

/** All contestants, in the order in which they run. */
export function contestants(): Contestant[] {
  const pg = versioned('pg');
  const kysely = versioned('Kysely', 'kysely');
  const stock = `${versioned('tRPC', '@trpc/server')} + ${versioned('trpc-to-openapi')} + ${kysely}`;
  return [
    ours,
    peer(REFERENCE, `node:http + ${pg} pool, named statements`),
    peer('node-http-kept', `node:http + ${pg} pipelined, the JSON that the row keeps`),
    peer('bun-sql', versioned('Bun.serve + Bun.sql', 'bun'), { command: bunBinary() }),
    peer('fastify-kysely', `${versioned('Fastify', 'fastify')} + ${kysely}`),
    peer('stock', stock, { hasRpc: true }),
  ];
}

/** As an operator has it; every request is counted, and none rejected. */
const settings = { NODE_ENV: 'production', ROSTER_LOG_LEVEL: 'info', ROSTER_RATE_LIMIT: '1000000000' };

/** A contestant as a process. Only one is awake at a time: the others are suspended, background work and all. */
export class Running extends Server {
  readonly contestant: Contestant;
  /** The number of its responses. */
  served = 0;
  /** Responses a second at the end of its warm-up at a work. */
  readonly rates = new Map<string, number>();

  readonly #client: Client;

  /** Roster unless another one is given. */
  constructor({ url, directory, client }: Bench, contestant = ours) {
    const { name, program } = contestant;
    const env = { ...process.env, NODE_ENV: 'production', DATABASE_URL: url };
    const common = { name, databaseUrl: url, log: join(directory, `${name}.log`) };
    super(program ? { ...common, program: { ...program, env } } : { ...common, settings, isBundle: true });
    this.contestant = contestant;
    this.#client = client;
  }

  /** What it responds to one request. Throws if that is an error. */
  async ask<Body>(request: Asked): Promise<Body> {
    const caller = openCaller({ port: this.port });
    const { status, body } = await caller.send(request);
    caller.close();
    if (status >= 300) throw new Error(`${status} ${body}`);
    return JSON.parse(body) as Body;
  }

  /** Wakes it for as long as something runs. */
  async awake<Result>(run: () => Promise<Result>): Promise<Result> {
    this.resume();
    const result = await run();
    await this.rest();
    return result;
  }

  /** Suspends it between two transactions of its background work: an open one would keep its locks. */
  async rest(): Promise<void> {
    for (this.pause(); await isInTransaction(this.#client); this.pause()) {
      this.resume();
      await sleep(RETRY_MS);
    }
  }
}

async function isInTransaction(client: Client): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
       and xact_start is not null and pid <> pg_backend_pid()`,
  );
  return rows.length > 0;
}
