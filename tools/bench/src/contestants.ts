import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MALLOC_SETTINGS, NODE_FLAGS } from '../../../apps/server/scripts/memory-flags.ts';
import { KEY } from '../../harness/src/server.ts';

/** One of those who run. */
export interface Contestant {
  name: string;
  title: string;
  /** What is started. */
  file: string;
  /** The program that starts it; this Node unless given. */
  runtime?: string;
  /** Flags of that program. */
  flags?: readonly string[];
  /** Further settings of its process. */
  env: Record<string, string>;
  /** Whether it speaks tRPC too. */
  hasRpc: boolean;
}

/** All others are measured against it. */
export const REFERENCE = 'node-http-pg';
export const OURS = 'ours';

export { KEY };

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The version of a package that is installed for the bench. */
function versionOf(name: string): string {
  const { version } = JSON.parse(readFileSync(here(`../node_modules/${name}/package.json`), 'utf8'));
  return String(version);
}

const named = (label: string, name: string) => `${label} ${versionOf(name)}`;

function peer(name: string, title: string): Contestant {
  return { name, title, file: here(`peers/${name}.ts`), env: {}, hasRpc: false };
}

/** The binary of Bun, in the optional package for this machine: the command that its script would make is not there. */
function bunBinary(): string {
  const packages = join(realpathSync(here('../node_modules/bun')), '../@oven');
  const [name] = readdirSync(packages);
  if (name === undefined) throw new Error(`no binary of Bun for this machine in ${packages}`);
  return join(packages, name, 'bin/bun');
}

/** All contestants, in the order in which they run. */
export function contestants(): Contestant[] {
  const pg = named('pg', 'pg');
  const kysely = named('Kysely', 'kysely');
  return [
    {
      name: OURS,
      title: 'Roster',
      file: here('../../../apps/server/bundle/main.js'),
      flags: NODE_FLAGS,
      // Every request is counted, and none rejected.
      env: { ...MALLOC_SETTINGS, PORT: '0', ROSTER_ADMIN_KEY: KEY, ROSTER_RATE_LIMIT: '1000000000' },
      hasRpc: true,
    },
    peer('node-http-pg', `node:http + ${pg} pool, named statements`),
    peer('node-http-kept', `node:http + ${pg} pipelined, the JSON that the row keeps`),
    { ...peer('bun-sql', named('Bun.serve + Bun.sql', 'bun')), runtime: bunBinary() },
    peer('fastify-kysely', `${named('Fastify', 'fastify')} + ${kysely}`),
    {
      ...peer(
        'stock',
        `${named('tRPC', '@trpc/server')} + ${named('trpc-to-openapi', 'trpc-to-openapi')} + ${kysely}`,
      ),
      hasRpc: true,
    },
  ];
}
