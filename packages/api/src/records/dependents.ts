import type { Database } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type DirectoryResource, definitions } from '../directory/registry.ts';
import type { Reference, ResourceDefinition } from '../engine/definition.ts';
import { andIsWithin, type OfficeLimit } from '../engine/office-limit.ts';
import type { Limited } from '../engine/write/mutations.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import { RosterError } from '../errors/roster-error.ts';

interface Dependence {
  kind: string;
  resource: DirectoryResource;
  column: string;
  reference: Reference;
}

type Deleted = Pick<ResourceDefinition, 'table'>;

function dependencesOn({ table }: Deleted): Dependence[] {
  return definitions.flatMap((resource) =>
    Object.entries<Reference>(resource.references)
      .filter(([, reference]) => reference.table === table && !reference.items?.leaveWithRecord)
      .map(([column, reference]) => ({
        kind: reference.countedAs ?? resource.name,
        resource,
        column,
        reference,
      })),
  );
}

export function dependentErrors(resource: Deleted): ErrorCode[] {
  return dependencesOn(resource).length > 0 ? ['has_dependents'] : [];
}

function countOf(
  { resource, column, reference: { items } }: Dependence,
  { id, limit }: { id: string; limit: OfficeLimit | undefined },
): RawBuilder<number> {
  const refers =
    items === undefined
      ? sql`${sql.ref(column)} = ${id}`
      : sql`id in (select ${sql.ref(items.rows.owner)} from ${sql.table(items.rows.table)} where ${sql.ref(items.rows.column)} = ${id})`;
  return sql`(select count(*) from ${sql.table(resource.table)} where ${refers}${andIsWithin(resource.limit?.column, limit)})`;
}

async function countDependents(
  db: Kysely<Database>,
  deleted: Deleted,
  one: Limited & { id: string },
): Promise<Record<string, number>> {
  const dependences = dependencesOn(deleted);
  if (dependences.length === 0) return {};
  const counts = dependences.flatMap((dependence) => [sql.lit(dependence.kind), countOf(dependence, one)]);
  const { rows } = await sql<{ counts: Record<string, number> }>`
    select json_build_object(${sql.join(counts)}) as counts`.execute(db);
  return Object.fromEntries(Object.entries(rows[0]?.counts ?? {}).filter(([, count]) => count > 0));
}

function detailOf(table: string, dependents: Record<string, number>, limit: OfficeLimit | undefined): string {
  const counts = Object.entries(dependents).map(([kind, count]) => `${kind}: ${count}`);
  if (counts.length > 0) return `Other records refer to this ${table} (${counts.join(', ')}).`;
  return limit === undefined
    ? `Other records referred to this ${table} until a moment ago. Try again.`
    : `Records outside your offices refer to this ${table}.`;
}

/** `has_dependents` with counts of visible records, for a deletion rejected by a foreign key. */
export async function dependentsError(
  db: Kysely<Database>,
  resource: Deleted,
  { cause, ...one }: Limited & { id: string; cause: unknown },
): Promise<RosterError> {
  const dependents = await countDependents(db, resource, one);
  return new RosterError('has_dependents', detailOf(resource.table, dependents, one.limit), {
    dependents,
    cause,
  });
}
