import process from 'node:process';
import { parseArgs } from 'node:util';
import { Environment, readConfig, secretSettings } from '../config/config.ts';
import { runMigrations } from '../server.ts';
import { check } from './check/index.ts';
import type { Command, Invocation } from './command.ts';
import { serve } from './serve.ts';
import { exitCodeOf, listenForStop } from './stop-signals.ts';
import { withDatabase } from './with-database.ts';

const secrets: readonly string[] = secretSettings;

/** A setting with its default, if it has one, and its meaning below. */
function entryOf([name, schema]: [
  string,
  (typeof Environment.shape)[keyof typeof Environment.shape],
]): string {
  const value = schema.parse(undefined);
  const hasDefault = value !== undefined && !(Array.isArray(value) && value.length === 0);
  const names = secrets.includes(name) ? `${name}, ${name}_FILE` : name;
  return `${names}${hasDefault ? ` (default: ${value})` : ''}\n  ${schema.description}`;
}

/** `roster-server settings` */
const settings: Command = {
  name: 'settings',
  summary: 'lists the settings with their defaults',
  usage: `roster-server settings

Lists the environment variables that the server reads, with their defaults. An empty variable counts as not set. A name that
ends with _FILE specifies a file that holds the value. To check the settings of a server, run roster-server --check.`,
  run: async ({ args, print }) => {
    parseArgs({ args, options: {} });
    for (const setting of Object.entries(Environment.shape)) print(entryOf(setting));
    return 0;
  },
};

const migrateDatabase: Command = {
  name: 'migrate',
  summary: 'runs the pending migrations',
  usage: `roster-server migrate

Runs the pending migrations, as every server does when it starts, and prints their names. Servers that run
continue meanwhile. \`roster-server --check\` prints which migrations are pending, and runs none.`,
  run: async ({ args, environment, print, printError }) => {
    parseArgs({ args, options: {} });
    const config = readConfig(environment);
    // PostgreSQL rolls the migration back; a local one stops when the process exits.
    const stopListening = listenForStop(
      (signal) => process.exit(exitCodeOf(signal)),
      () => undefined,
    );
    const names = await withDatabase(config, printError, (connection) =>
      runMigrations({ ...config.database, connection }, printError),
    ).finally(stopListening);
    for (const name of names) print(name);
    if (names.length === 0) printError('The database is up to date.');
    return 0;
  },
};

const lazy = (name: 'backup' | 'restore') => async (invocation: Invocation) =>
  (await import('./backup.ts'))[name](invocation);

export const commands: readonly Command[] = [
  serve,
  check,
  settings,
  migrateDatabase,
  {
    name: 'backup',
    summary: 'writes the whole database to a file',
    usage: `roster-server backup FILE

Writes a snapshot of the whole database to FILE, which must not exist, or to standard output if FILE is -. The database is that of the settings (DATABASE_URL,
else the local one in ROSTER_DATA_DIR). Servers may run meanwhile.`,
    run: lazy('backup'),
  },
  {
    name: 'restore',
    summary: 'loads a backup into an empty database, all or nothing',
    usage: `roster-server restore [--after-loss] FILE

Loads a backup into the empty database of the settings (DATABASE_URL, else the local one in ROSTER_DATA_DIR), in one
transaction: all of it, or nothing. FILE is - for standard input.

  --after-loss  use it if changes made after the backup are lost: the positions of their events are not assigned again, and
                every consumer of events has to start again (410 cursor_expired)`,
    run: lazy('restore'),
  },
];
