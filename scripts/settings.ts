// Writes the table of settings into README.md, between its two comments; a test fails when it is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { Environment, secretSettings } from '../apps/server/src/config.ts';

const secrets: readonly string[] = secretSettings;

function nameOf(setting: string): string {
  return secrets.includes(setting) ? `\`${setting}\` or \`${setting}_FILE\`` : `\`${setting}\``;
}

/** What a setting is where nothing is given, as it would be written. */
function defaultOf(value: unknown): string {
  return value === undefined || (Array.isArray(value) && value.length === 0) ? 'none' : `\`${value}\``;
}

/** The table of every setting, as Markdown. */
export function settingsTable(): string {
  const rows = Object.entries(Environment.shape).map(([setting, schema]) => {
    return `| ${nameOf(setting)} | ${defaultOf(schema.parse(undefined))} | ${schema.description} |`;
  });
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

if (import.meta.main) {
  const readme = new URL('../README.md', import.meta.url);
  const text = readFileSync(readme, 'utf8');
  writeFileSync(
    readme,
    text.replace(/(<!-- settings.*?-->\n)[\s\S]*?(\n<!-- \/settings -->)/, `$1${settingsTable()}$2`),
  );
}
