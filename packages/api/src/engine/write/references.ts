import { type Constant, type Database, type Fragment, fragment, SQLSTATE, statement } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { toConstraintError } from '../../errors/constraint-errors.ts';
import { RosterError } from '../../errors/roster-error.ts';
import type { LimitRule, Reference, ResourceDefinition } from '../definition.ts';
import { isReferredWithin, isWithin, type OfficeLimit, officesValue } from '../office-limit.ts';
import { type Columns, type Param, type WrittenColumn, written } from '../sql/column-mapping.ts';
import { LIMIT_OFFICES } from '../sql/limited-rows.ts';

/** References out of the limit fail like those to missing records, unless they are unchanged. */

type Referring = Constant & Pick<ResourceDefinition, 'table' | 'references' | 'parent' | 'limit'>;

/** Offices within a limit regardless of the tree: the granted ones. */
const GRANTED = 'limit_granted';

/** Used instead of a foreign key if a record would have no office and so be out of the limit. */
const OUT_OF_LIMIT = 'out of the limit';

function foreignKeyOf({ items }: Reference, table: string, column: string): string {
  return items?.foreignKey ?? `${table}_${column}_fkey`;
}

interface Checked {
  columns: readonly WrittenColumn[];
  param: Param;
  isChange: boolean;
}

function isHidden(
  reference: Reference,
  value: RawBuilder<unknown>,
  { param, isChange, column }: Checked & { column: string },
) {
  const { items } = reference;
  const offices = param(LIMIT_OFFICES);
  const was = sql.ref(`target.${column}`);
  if (items === undefined) {
    const isNew = isChange ? sql`${was} is distinct from ${value}::uuid and ` : sql``;
    return sql`${isNew}${isOutOf(reference, sql`${value}::uuid`, offices)}`;
  }
  const id = sql`item ->> ${sql.lit(items.field)}`;
  const isAdded =
    isChange && !items.areHiddenOutside
      ? sql`not ${was} @> jsonb_build_array(jsonb_build_object(${sql.lit(items.field)}, ${id})) and `
      : sql``;
  return sql`exists (
        select from jsonb_array_elements(${value}::jsonb) as item
        where ${isAdded}${isOutOf(reference, sql`(${id})::uuid`, offices)})`;
}

type Lists = Record<'given' | 'held', RawBuilder<unknown>>;

/** Adds the hidden items of another list, in the order of their records' IDs. */
export function withHiddenItems(
  { items, ...reference }: Reference,
  { given, held, offices }: Lists & { offices: RawBuilder<unknown> },
): RawBuilder<unknown> {
  if (!items?.areHiddenOutside) return given;
  const id = sql`(item ->> ${sql.lit(items.field)})::uuid`;
  return withOtherItems({ items }, { given, held, isKept: sql` and ${isOutOf(reference, id, offices)}` });
}

/** Adds the items of another list for other records, in the order of their records' IDs. */
export function withOtherItems(
  { items }: Pick<Reference, 'items'>,
  { given, held, isKept = sql`` }: Lists & { isKept?: RawBuilder<unknown> },
): RawBuilder<unknown> {
  if (items === undefined) return given;
  const id = sql`item ->> ${sql.lit(items.field)}`;
  const same = sql`jsonb_build_array(jsonb_build_object(${sql.lit(items.field)}, ${id}))`;
  return sql`(
      select coalesce(jsonb_agg(item order by (${id}) collate "C"), '[]') from (
        select item from jsonb_array_elements(${given}::jsonb) as item
        union all
        select item from jsonb_array_elements(${held}) as item
        where not ${given}::jsonb @> ${same}${isKept}
      ) as kept)`;
}

interface KeptItems {
  reference: Reference;
  column: string;
  given: Fragment | undefined;
}

const keptItems = fragment<KeptItems>(({ reference, column, given }, param) =>
  withHiddenItems(reference, {
    given: given?.sql(param) ?? param(column),
    held: sql.ref(`target.${column}`),
    offices: param(LIMIT_OFFICES),
  }),
);

const itself = fragment<{ column: string }>(({ column }, param) => param(column));

export function keepHiddenItems(
  { references }: Pick<ResourceDefinition, 'references'>,
  columns: Columns,
  limit: OfficeLimit | undefined,
): Columns {
  if (limit === undefined) return columns;
  const kept = Object.entries(columns).map(([column, value]): [string, Columns[string]] => {
    const reference = references[column];
    if (!reference?.items?.areHiddenOutside) return [column, value];
    const { by, given = by, reads = [] } = value;
    return [
      column,
      {
        ...value,
        by: keptItems({ reference, column, given: by }),
        given: given ?? itself({ column }),
        reads: [...reads, column],
      },
    ];
  });
  return Object.fromEntries(kept);
}

function isOutOf(
  reference: Reference,
  id: RawBuilder<unknown>,
  offices: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const isOut = sql`not ${isReferredWithin(reference, id, offices)}`;
  return reference.limitColumn === 'id' ? isOut : sql`${id} is not null and ${isOut}`;
}

/** The name of its foreign key, or null. For a change it reads the row named `target`. */
export function rejectionOf(
  { table, references, parent, limit }: Referring,
  checked: Checked,
): RawBuilder<unknown> | undefined {
  const { columns, param, isChange } = checked;
  const cases = columns.flatMap(({ column, by, given = by }) => {
    const reference = references[column];
    if (reference === undefined) return [];
    const value = given?.sql(param) ?? param(column);
    const hidden = sql`when ${isHidden(reference, value, { ...checked, column })} then ${sql.lit(foreignKeyOf(reference, table, column))}`;
    if (column !== parent.column) return [hidden];
    const stays = isChange ? sql`and ${staysWithin(limit, column, param)} is not true` : sql``;
    return [sql`when ${value}::uuid is null ${stays} then ${sql.lit(OUT_OF_LIMIT)}`, hidden];
  });
  return cases.length === 0 ? undefined : sql`case ${sql.join(cases, sql` `)} end`;
}

/** Whether a record is still within the limit, or unmoved, after its office column becomes null. */
function staysWithin(limit: LimitRule, column: string, param: Param): RawBuilder<unknown> {
  const isUnchanged = sql`${sql.ref(`target.${column}`)} is null`;
  return limit.column === 'id'
    ? sql`(${isUnchanged} or ${isWithin(sql.ref('target.id'), param(GRANTED))})`
    : isUnchanged;
}

/** The CTEs that prevent a change whose references would be out of the limit; undefined if none can be. */
export function rejectionParts(
  resource: Referring,
  { columns, param, isExpected }: Omit<Checked, 'isChange'> & { isExpected: RawBuilder<unknown> },
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

export function rejectionValues(limit: OfficeLimit): Record<string, unknown> {
  return { [LIMIT_OFFICES]: officesValue(limit), [GRANTED]: limit.granted };
}

export function rejectionError(rejection: string, { limit }: Pick<ResourceDefinition, 'limit'>): RosterError {
  if (rejection === OUT_OF_LIMIT)
    return new RosterError(
      'insufficient_scope',
      `Your access is restricted to certain offices: ${limit.rule}.`,
    );
  const error = toConstraintError({ code: SQLSTATE.foreignKeyViolation, constraint: rejection });
  if (error === undefined) throw new Error(`${rejection} is no foreign key`);
  return error;
}

interface CheckShape {
  resource: Referring;
  columns: readonly WrittenColumn[];
}

const checkStatement = statement<CheckShape, { rejection: string | null }>(
  ({ resource, columns }, param) =>
    sql`select ${rejectionOf(resource, { columns, param, isChange: false })} as rejection`,
  { isReadOnly: true },
);

/** Throws `insufficient_scope` or `reference_not_found` for a record out of the limit or referring out of it. */
export async function checkNewReferences(
  db: Kysely<Database>,
  resource: Referring,
  { columns, values, limit }: { columns: Columns; values: Record<string, unknown>; limit: OfficeLimit },
): Promise<void> {
  const { references, parent } = resource;
  if (!(parent.column in columns)) throw rejectionError(OUT_OF_LIMIT, resource);
  const checked = written(columns).filter(({ column }) => column in references);
  const [row] = await checkStatement({ resource, columns: checked }).execute(db, {
    ...values,
    ...rejectionValues(limit),
  });
  if (typeof row?.rejection === 'string') throw rejectionError(row.rejection, resource);
}
