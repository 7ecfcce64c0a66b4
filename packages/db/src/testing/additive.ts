import type { Catalog, Column } from './catalog.ts';

type Kind = keyof Catalog;

const words: Record<Kind, string> = {
  tables: 'table',
  columns: 'column',
  constraints: 'constraint',
  indexes: 'index',
  domains: 'domain',
  functions: 'function',
  triggers: 'trigger',
};

/**
 * What a migration does that a server of the release before it, which goes on beside it, would suffer from: what it uses is
 * gone or another, what it writes is refused, or a table is locked for as long as it is rewritten or indexed.
 *
 * @param before the catalog before the migration
 * @param after the same after it
 * @param isConcurrent whether the migration ran outside a transaction
 * @returns a sentence for each fault, in an order that does not change; empty where the migration is additive
 */
export function faultsOfMigration(
  before: Catalog,
  after: Catalog,
  { isConcurrent = false }: { isConcurrent?: boolean } = {},
): string[] {
  return [
    ...faultsOfLosses(before, after),
    ...faultsOfColumns(before, after),
    ...faultsOfDefinitions(before, after),
    ...faultsOfRules(before, after),
    ...faultsOfLocks(before, after, isConcurrent),
  ];
}

/** The names of one kind that are in the first and not in the second. */
function missing(first: Catalog, second: Catalog, kind: Kind): string[] {
  return Object.keys(first[kind]).filter((name) => !(name in second[kind]));
}

function faultsOfLosses(before: Catalog, after: Catalog): string[] {
  return (Object.keys(words) as Kind[]).flatMap((kind) =>
    missing(before, after, kind).map((name) => `${words[kind]} ${name} is gone`),
  );
}

function faultsOfColumns(before: Catalog, after: Catalog): string[] {
  return Object.entries(after.columns).flatMap(([name, column]) => {
    const [table = ''] = name.split('.');
    const known = before.columns[name];
    if (known !== undefined) return faultsOfChange(name, known, column);
    const isMissed = table in before.tables && column.isRequired && column.default === null;
    return isMissed ? [`column ${name} is new, required and without a default`] : [];
  });
}

function faultsOfChange(name: string, before: Column, after: Column): string[] {
  const faults: string[] = [];
  if (before.type !== after.type) faults.push(`column ${name} was ${before.type} and is ${after.type}`);
  if (!before.isRequired && after.isRequired) faults.push(`column ${name} has become required`);
  if (before.default !== null && before.default !== after.default)
    faults.push(`column ${name} has lost its default ${before.default}`);
  // PostgreSQL refuses what is written to it.
  if (after.default?.startsWith('generated: ') && before.default !== after.default)
    faults.push(`column ${name} has become generated`);
  return faults;
}

function faultsOfDefinitions(before: Catalog, after: Catalog): string[] {
  const faults: string[] = [];
  for (const kind of ['constraints', 'indexes'] as const) {
    for (const [name, { definition }] of Object.entries(after[kind])) {
      const known = before[kind][name]?.definition;
      if (known !== undefined && known !== definition) faults.push(`${words[kind]} ${name} is another`);
    }
  }
  for (const kind of ['domains', 'functions', 'triggers'] as const) {
    for (const [name, definition] of Object.entries(after[kind])) {
      const known = before[kind][name];
      if (known !== undefined && known !== definition) faults.push(`${words[kind]} ${name} is another`);
    }
  }
  return faults;
}

/** A new rule about what servers of the release before write; a rule about new columns alone is none. */
function faultsOfRules(before: Catalog, after: Catalog): string[] {
  const binds = ({ table, columns }: { table: string; columns: string[] }) =>
    table in before.tables &&
    (columns.length === 0 || columns.some((column) => `${table}.${column}` in before.columns));
  const constraints = missing(after, before, 'constraints')
    .filter((name) => binds(after.constraints[name] ?? { table: '', columns: [] }))
    .map((name) => `constraint ${name} is new and binds what is written already`);
  const indexes = missing(after, before, 'indexes')
    .filter((name) => after.indexes[name]?.isUnique && !isOfConstraint(name, after))
    .filter((name) => binds(after.indexes[name] ?? { table: '', columns: [] }))
    .map((name) => `unique index ${name} is new and binds what is written already`);
  return [...constraints, ...indexes];
}

function isOfConstraint(name: string, { constraints, indexes }: Catalog): boolean {
  return `${indexes[name]?.table}.${name}` in constraints;
}

function faultsOfLocks(before: Catalog, after: Catalog, isConcurrent: boolean): string[] {
  const rewritten = Object.entries(before.tables)
    .filter(([name, file]) => name in after.tables && after.tables[name] !== file)
    .map(([name]) => `table ${name} is rewritten while nobody can use it`);
  const indexed = missing(after, before, 'indexes')
    .filter((name) => !isConcurrent && (after.indexes[name]?.table ?? '') in before.tables)
    .map((name) => `index ${name} is built while nobody can write: build it concurrently`);
  return [...rewritten, ...indexed];
}
