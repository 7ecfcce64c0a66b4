import { compiledVariants, type Database, SQLSTATE } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isWithin, type OfficeLimit, officeColumns, officesValue } from '../../access/office-limit.ts';
import { toConstraintError } from '../../errors/constraint-errors.ts';
import { RosterError } from '../../errors/roster-error.ts';
import type { ReferenceKind, ResourceDefinition } from '../definition.ts';
import { LIMIT_OFFICES } from '../limited-rows.ts';
import type { Columns, Param } from './column-mapping.ts';

/**
 * The references that a caller with a limit may write: to records within it. Any other is answered as one to a record that does not
 * exist, by the error of the foreign key. A reference that a change leaves as it was may be to any record.
 */

type Referring = Pick<ResourceDefinition, 'table' | 'references' | 'placedBy'>;

/** Offices that are within a limit wherever they are in the tree: those that it names. */
const GRANTED = 'limit_granted';

/** Stands for the foreign key where a record would be in no office, and so out of the limit. */
const OUT_OF_LIMIT = 'out of the limit';

/** The foreign key that a reference to a record that does not exist violates. */
function foreignKeyOf(table: string, column: string): string {
  return column === 'affiliations' ? 'agent_affiliation_office_id_fkey' : `${table}_${column}_fkey`;
}

interface Checked {
  columns: Columns;
  param: Param;
  /** Whether there is a row as it was, named `target`: then only what changes counts. */
  isChange: boolean;
}

/** Whether a value refers to what is not within the limit. */
function isHidden(
  kind: ReferenceKind,
  value: RawBuilder<unknown>,
  { param, isChange, column }: Checked & { column: string },
) {
  const offices = param(LIMIT_OFFICES);
  const was = sql.ref(`target.${column}`);
  const isNew = isChange ? sql`${was} is distinct from ${value}::uuid and ` : sql``;
  switch (kind) {
    case 'office':
      return sql`${isNew}not ${isWithin(sql`${value}::uuid`, offices)}`;
    case 'agent': {
      const isSeen = isWithin(sql.ref(`agent.${officeColumns.agent}`), offices);
      return sql`${isNew}${value}::uuid is not null and not exists (select from agent where agent.id = ${value}::uuid and ${isSeen})`;
    }
    case 'affiliations': {
      const office = sql`item ->> 'officeId'`;
      const isAdded = isChange
        ? sql`not ${was} @> jsonb_build_array(jsonb_build_object('officeId', ${office})) and `
        : sql``;
      return sql`exists (
        select from jsonb_array_elements(${value}::jsonb) as item
        where ${isAdded}not ${isWithin(sql`(${office})::uuid`, offices)})`;
    }
  }
}

/**
 * The first of some columns that a caller with a limit may not write so, as the name of a foreign key; null if there is none. Reads
 * the row named `target` if it is changed.
 */
export function rejectionOf(
  { table, references, placedBy }: Referring,
  checked: Checked,
): RawBuilder<unknown> | undefined {
  const { columns, param, isChange } = checked;
  const cases = Object.entries(columns).flatMap(([column, { by }]) => {
    const kind = references[column];
    if (kind === undefined) return [];
    const value = by?.(param) ?? param(column);
    const hidden = sql`when ${isHidden(kind, value, { ...checked, column })} then ${sql.lit(foreignKeyOf(table, column))}`;
    if (column !== placedBy) return [hidden];
    const stays = isChange ? sql`and ${staysWithin(table, column, param)} is not true` : sql``;
    return [sql`when ${value}::uuid is null ${stays} then ${sql.lit(OUT_OF_LIMIT)}`, hidden];
  });
  return cases.length === 0 ? undefined : sql`case ${sql.join(cases, sql` `)} end`;
}

/** Whether a record stays within the limit, or stays where it is, if its column of the office becomes null. */
function staysWithin(table: string, column: string, param: Param): RawBuilder<unknown> {
  const isUnchanged = sql`${sql.ref(`target.${column}`)} is null`;
  return table === 'office'
    ? sql`(${isUnchanged} or ${isWithin(sql.ref('target.id'), param(GRANTED))})`
    : isUnchanged;
}

/**
 * The parts of a change by a limited caller, by which nothing is changed if a record would refer to what is out of the limit;
 * undefined if none can.
 */
export function rejectionParts(
  resource: Referring,
  { columns, param, isExpected }: { columns: Columns; param: Param; isExpected: RawBuilder<unknown> },
) {
  const rejection = rejectionOf(resource, { columns, param, isChange: true });
  if (rejection === undefined) return undefined;
  return {
    rows: sql`, rejected as (
      select rejection from (select ${rejection} as rejection from target where true${isExpected}) as checked
      where rejection is not null
    )`,
    isNone: sql` and not exists (select from rejected)`,
    ofChanged: sql`, null::text as rejection`,
    ofOthers: sql`, (select rejection from rejected limit 1)`,
  };
}

/** The values of the parameters of `rejectionOf`. */
export function rejectionValues(limit: OfficeLimit): Record<string, unknown> {
  return { [LIMIT_OFFICES]: officesValue(limit), [GRANTED]: limit.granted };
}

/** The error of a rejected reference. */
export function rejectionError(rejection: string, { table }: Pick<ResourceDefinition, 'table'>): RosterError {
  if (rejection === OUT_OF_LIMIT) {
    const where =
      table === 'agent' ? 'an agent must be in one of them' : 'an office must be below one of them';
    return new RosterError('insufficient_scope', `You are limited to some offices: ${where}.`);
  }
  const error = toConstraintError({ code: SQLSTATE.foreignKeyViolation, constraint: rejection });
  if (error === undefined) throw new Error(`${rejection} is no foreign key`);
  return error;
}

const checks = compiledVariants<{ rejection: string | null }>({ isReadOnly: true });

/**
 * Throws for a new record that would be out of the limit (`insufficient_scope`), or that refers to what is
 * (`reference_not_found`).
 */
export async function checkNewReferences(
  db: Kysely<Database>,
  resource: Referring,
  { columns, values, limit }: { columns: Columns; values: Record<string, unknown>; limit: OfficeLimit },
): Promise<void> {
  const { table, references, placedBy } = resource;
  if (!(placedBy in columns)) throw rejectionError(OUT_OF_LIMIT, resource);
  const checked = Object.fromEntries(Object.entries(columns).filter(([column]) => column in references));
  const statement = checks(
    `${table} ${Object.keys(checked).join()}`,
    (param) =>
      sql`select ${rejectionOf(resource, { columns: checked, param, isChange: false })} as rejection`,
  );
  const [row] = await statement.execute(db, { ...values, ...rejectionValues(limit) });
  if (typeof row?.rejection === 'string') throw rejectionError(row.rejection, resource);
}
