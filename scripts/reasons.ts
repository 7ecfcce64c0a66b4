// Writes the table of reasons into README.md, between its two comments; a test fails when it is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { reasons } from '../packages/api/src/reasons.ts';

/** The table of every reason, as Markdown. */
export function reasonsTable(): string {
  const rows = Object.entries(reasons).map(
    ([reason, { status, title }]) => `| ${status} | \`${reason}\` | ${title} |`,
  );
  return ['| status | code | meaning |', '|---|---|---|', ...rows].join('\n');
}

if (import.meta.main) {
  const readme = new URL('../README.md', import.meta.url);
  const text = readFileSync(readme, 'utf8');
  writeFileSync(
    readme,
    text.replace(/(<!-- reasons.*?-->\n)[\s\S]*?(\n<!-- \/reasons -->)/, `$1${reasonsTable()}$2`),
  );
}
