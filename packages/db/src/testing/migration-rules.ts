import type { Catalog, Column } from './catalog.ts';

type Kind = keyof Catalog;

const labels: Record<Kind, string> = {
  tables: 'table',
  columns: 'column',
  constraints: 'constraint',
  indexes: 'index',
  domains: 'domain',
  functions: 'function',
  triggers: 'trigger',
};

/**
 * Finds incompatibilities with servers that run during a migration: used objects that are removed or changed,
 * rejected writes, or tables locked while they are rewritten or indexed.
 *
 * @param isConcurrent whether the migration ran outside a transaction
 * @returns one sentence for each, in a stable order; empty if the migration is additive
 */
export function migrationViolations(
  before: Catalog,
  after: Catalog,
  { isConcurrent = false }: { isConcurrent?: boolean } = {},
): string[] {
  return [
    ...removals(before, after),
    ...columnViolations(before, after),
    ...redefinitions(before, after),
    ...newRules(before, after),
    ...longLocks(before, after, isConcurrent),
  ];
}

function missing(first: Catalog, second: Catalog, kind: Kind): string[] {
  return Object.keys(first[kind]).filter((name) => !(name in second[kind]));
}

function removals(before: Catalog, after: Catalog): string[] {
  return (Object.keys(labels) as Kind[]).flatMap((kind) =>
    missing(before, after, kind).map((name) => `${labels[kind]} ${name} is removed`),
  );
}

function columnViolations(before: Catalog, after: Catalog): string[] {
  return Object.entries(after.columns).flatMap(([name, column]) => {
    const [table = ''] = name.split('.');
    const known = before.columns[name];
    if (known !== undefined) return columnChanges(name, known, column);
    const isMissed = table in before.tables && column.isRequired && column.default === null;
    return isMissed ? [`column ${name} is new, required and without a default`] : [];
  });
}

function columnChanges(name: string, before: Column, after: Column): string[] {
  const violations: string[] = [];
  if (before.type !== after.type) violations.push(`column ${name} was ${before.type} and is ${after.type}`);
  if (!before.isRequired && after.isRequired) violations.push(`column ${name} has become required`);
  if (before.default !== null && before.default !== after.default)
    violations.push(`column ${name} has lost its default ${before.default}`);
  // PostgreSQL rejects writes to it.
  if (after.default?.startsWith('generated: ') && before.default !== after.default)
    violations.push(`column ${name} has become generated`);
  return violations;
}

function redefinitions(before: Catalog, after: Catalog): string[] {
  const violations: string[] = [];
  for (const kind of ['constraints', 'indexes'] as const) {
    for (const [name, { definition }] of Object.entries(after[kind])) {
      const known = before[kind][name]?.definition;
      if (known !== undefined && known !== definition) violations.push(`${labels[kind]} ${name} is changed`);
    }
  }
  for (const kind of ['domains', 'functions', 'triggers'] as const) {
    for (const [name, definition] of Object.entries(after[kind])) {
      const known = before[kind][name];
      if (known !== undefined && known !== definition) violations.push(`${labels[kind]} ${name} is changed`);
    }
  }
  return violations;
}

/** New constraints on columns that running servers write. On new columns alone they are allowed. */
function newRules(before: Catalog, after: Catalog): string[] {
  const applies = ({ table, columns }: { table: string; columns: string[] }) =>
    table in before.tables &&
    (columns.length === 0 || columns.some((column) => `${table}.${column}` in before.columns));
  const constraints = missing(after, before, 'constraints')
    .filter((name) => applies(after.constraints[name] ?? { table: '', columns: [] }))
    .map((name) => `constraint ${name} is new and applies to existing columns`);
  const indexes = missing(after, before, 'indexes')
    .filter((name) => after.indexes[name]?.isUnique && !isOfConstraint(name, after))
    .filter((name) => applies(after.indexes[name] ?? { table: '', columns: [] }))
    .map((name) => `unique index ${name} is new and applies to existing columns`);
  return [...constraints, ...indexes];
}

function isOfConstraint(name: string, { constraints, indexes }: Catalog): boolean {
  return `${indexes[name]?.table}.${name}` in constraints;
}

function longLocks(before: Catalog, after: Catalog, isConcurrent: boolean): string[] {
  const rewritten = Object.entries(before.tables)
    .filter(([name, file]) => name in after.tables && after.tables[name] !== file)
    .map(([name]) => `table ${name} is rewritten under an exclusive lock`);
  const indexed = missing(after, before, 'indexes')
    .filter((name) => !isConcurrent && (after.indexes[name]?.table ?? '') in before.tables)
    .map((name) => `index ${name} is built under a lock that blocks writes: build it concurrently`);
  return [...rewritten, ...indexed];
}
