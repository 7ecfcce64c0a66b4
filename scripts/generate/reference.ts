// Run by `npm run generate`: writes the reference pages of docs/reference that are made from the schemas, the settings and the error codes.
// scripts/test/reference.test.ts fails when one of them is stale. `node scripts/generate/reference.ts operations` prints the page of the operations,
// which a release has beside it.
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { errorsPage } from '../reference/errors.ts';
import { limitsPage } from '../reference/limits.ts';
import { operationsPage } from '../reference/operations.ts';
import { serverCommandsPage } from '../reference/server-commands.ts';
import { settingsPage } from '../reference/settings.ts';

/** Every generated page but those of the command line, by its path in docs/reference. */
export function referencePages(): Record<string, string> {
  return {
    'errors.md': errorsPage(),
    'settings.md': settingsPage(),
    'limits.md': limitsPage(),
    'roster-server.md': serverCommandsPage(),
  };
}

if (import.meta.main && process.argv[2] === 'operations') {
  process.stdout.write(operationsPage());
} else if (import.meta.main) {
  const folder = new URL('../../docs/reference/', import.meta.url);
  for (const [name, text] of Object.entries(referencePages())) writeFileSync(new URL(name, folder), text);
}
