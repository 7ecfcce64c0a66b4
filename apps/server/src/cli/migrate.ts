import process from 'node:process';
import { parseArgs } from 'node:util';
import { readConfig } from '../config/config.ts';
import { runMigrations } from '../server.ts';
import type { Command } from './command.ts';
import { exitCodeOf, listenForStop } from './stop-signals.ts';
import { withDatabase } from './with-database.ts';

export const migrateDatabase: Command = {
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
