import { parseArgs } from 'node:util';
import { Environment, secretSettings } from '../config/config.ts';
import type { Command } from './command.ts';

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
export const settings: Command = {
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
