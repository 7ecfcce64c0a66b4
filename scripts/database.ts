// Writes what packages/db has from elsewhere: the list of its migrations, which is their folder, and the statements that
// build the JSON of records, which follow from the schemas of packages/api. Tests fail when one of them is stale.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { definitions } from '../packages/api/src/directory.ts';
import { type RecordFields, recordStatements } from '../packages/api/src/resources/json/record-sql.ts';
import { records } from '../packages/db/src/repeatable/records.ts';
import type { RepeatableMigration } from '../packages/db/src/repeatable/repeatable-migration.ts';

const folder = join(import.meta.dirname, '../packages/db/src');

/** `0003-office-names.ts` → `officeNames` */
function identifierOf(name: string): string {
  const [first = '', ...words] = name.replace(/^\d+-/, '').split('-');
  return [first, ...words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)].join('');
}

function migrationList(): string {
  const names = readdirSync(join(folder, 'migrations'))
    .filter((file) => /^\d{4}-.*\.ts$/.test(file))
    .map((file) => file.replace('.ts', ''))
    .sort();
  return `// Generated from the files of this folder by \`npm run generate\`.
${names.map((name) => `import * as ${identifierOf(name)} from './${name}.ts';`).join('\n')}
import type { ReleasedMigration } from './released-migration.ts';

/** All migrations in the order of their names. Append only: a released migration is never edited. */
export const migrations: Record<string, ReleasedMigration> = {
${names.map((name) => `  '${name}': ${identifierOf(name)},`).join('\n')}
};
`;
}

/** The statements of this version; if they are others than those so far, of the next one. */
function nextOf(source: RecordFields): RepeatableMigration {
  // A new resource has none yet.
  const { version, statements } = records[source.table] ?? { version: 0, statements: [] };
  const same = recordStatements(source, Math.max(version, 1));
  if (version > 0 && same.join(';') === statements.join(';')) return { version, statements };
  return { version: version + 1, statements: recordStatements(source, version + 1) };
}

function recordMigrations(): string {
  const next = definitions.map((source) => ({ table: source.table, ...nextOf(source) }));
  const entries = next.map(
    ({ table, version, statements }) => `  ${table}: {
    version: ${version},
    statements: [
${statements.map((statement) => `      \`${statement}\`,`).join('\n')}
    ],
  },`,
  );
  return `// Generated from the schemas of packages/api by \`npm run generate\`. If a merge conflicts here, take either side and generate.
import type { RecordTable, RepeatableMigrations } from './repeatable-migration.ts';

/** The schema version of the JSON of each table's records. */
export const recordVersions: Record<RecordTable, number> = { ${next.map(({ table, version }) => `${table}: ${version}`).join(', ')} };

/** The statements that build the JSON of each table's records. */
export const records: RepeatableMigrations = {
${entries.join('\n')}
};
`;
}

/** The generated files by their path in packages/db/src. */
export function databaseFiles(): Record<string, string> {
  return { 'migrations/index.ts': migrationList(), 'repeatable/records.ts': recordMigrations() };
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(databaseFiles())) writeFileSync(join(folder, path), text);
}
