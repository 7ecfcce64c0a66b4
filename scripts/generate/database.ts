// Run by `npm run generate`: writes what packages/db has from elsewhere: the list of its migrations, which is their folder, and the statements that
// build the JSON of records, which follow from the schemas of packages/api. Tests fail when one of them is stale.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../packages/db/src');

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
  const numbers = names.map((name) => name.slice(0, 4));
  const repeated = names.filter(
    (_, at) => numbers[at] === numbers[at - 1] || numbers[at] === numbers[at + 1],
  );
  if (repeated.length > 0) throw new Error(`These migrations have the same number: ${repeated.join(', ')}`);
  return `// Generated from the files of this folder by \`npm run generate\`.
${names.map((name) => `import * as ${identifierOf(name)} from './${name}.ts';`).join('\n')}
import type { ReleasedMigration } from './released-migration.ts';

/** All migrations in the order of their names. Append only: a released migration is never edited. */
export const migrations: Record<string, ReleasedMigration> = {
${names.map((name) => `  '${name}': ${identifierOf(name)},`).join('\n')}
};
`;
}

async function recordMigrations(): Promise<string> {
  // Not imported above: these import the list of migrations, which may name a file that has another name now.
  const { definitions } = await import('../../packages/api/src/directory/registry.ts');
  const { recordStatements } = await import('../../packages/api/src/engine/json/record-sql.ts');
  const { records } = await import('../../packages/db/src/repeatable/records.ts');
  const next = definitions.map((source) => {
    // A new resource has none yet.
    const { version, statements } = records[source.table] ?? { version: 0, statements: [] };
    const same = recordStatements(source, Math.max(version, 1));
    if (version > 0 && same.join(';') === statements.join(';'))
      return { table: source.table, version, statements };
    // Others than those so far: those of the next version.
    return {
      table: source.table,
      version: version + 1,
      statements: recordStatements(source, version + 1),
    };
  });
  const entries = next.map(
    ({ table, version, statements }) => `  ${table}: {
    version: ${version},
    statements: [
${statements.map((statement) => `      \`${statement.replaceAll(/[\\`]|\$(?=\{)/g, '\\$&')}\`,`).join('\n')}
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

/** The generated files by their path in packages/db/src, in the order in which they are made: each may read those before. */
const files = { 'migrations/index.ts': migrationList, 'repeatable/records.ts': recordMigrations };

/** The generated files by their path in packages/db/src. */
export async function databaseFiles(): Promise<Record<string, string>> {
  const made = Object.entries(files).map(async ([path, make]) => [path, await make()] as const);
  return Object.fromEntries(await Promise.all(made));
}

if (import.meta.main) {
  for (const [path, make] of Object.entries(files)) writeFileSync(join(folder, path), await make());
}
