import { Environment, secretSettings } from '../../apps/server/src/config/config.ts';
import { page, table } from './markdown.ts';

const secrets: readonly string[] = secretSettings;

function nameOf(setting: string): string {
  return secrets.includes(setting) ? `\`${setting}\` or \`${setting}_FILE\`` : `\`${setting}\``;
}

/** The value of a setting that is not given, as it would be written. */
function defaultOf(value: unknown): string {
  return value === undefined || (Array.isArray(value) && value.length === 0) ? 'none' : `\`${value}\``;
}

/** The reference page of all settings of the server, as Markdown. */
export function settingsPage(): string {
  const rows = Object.entries(Environment.shape).map(([setting, schema]) => [
    nameOf(setting),
    defaultOf(schema.parse(undefined)),
    // In the code a link begins at the root of the repository.
    (schema.description ?? '').replaceAll('](docs/', '](../'),
  ]);
  return page('Settings', [
    `The server reads its settings from environment variables. An empty variable counts as not set. A wrong value stops the
start and is named, and so is a variable that begins with \`ROSTER_\` and is no setting. \`roster-server --check\` checks all of
them ([Configure](../operations/configure.md)).`,
    table(['variable', 'default', 'meaning'], rows),
    `A name that ends with \`_FILE\` names a file that holds the value; a line end after it is left out. A missing or empty file
stops the start, and so do both variables at once.`,
  ]);
}
