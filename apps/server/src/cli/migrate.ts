import { parseArgs } from 'node:util';
import { readConfig } from '../config/config.ts';
import { runMigrations } from '../server.ts';
import type { Command } from './command.ts';
import { withDatabase } from './with-database.ts';

export const migrateDatabase: Command = {
  name: 'migrate',
  summary: 'brings the database up to date, and ends',
  usage: `roster-server migrate

Runs the migrations that the database has not had yet, as every server does when it starts, and prints their names. Servers
of the release before go on beside it. \`roster-server --check\` names what is pending and runs nothing.`,
  run: async ({ args, environment, print, say }) => {
    parseArgs({ args, options: {} });
    const config = readConfig(environment);
    const names = await withDatabase(config, say, (connection) =>
      runMigrations({ ...config.database, connection }, say),
    );
    for (const name of names) print(name);
    if (names.length === 0) say('The database is up to date.');
    return 0;
  },
};
