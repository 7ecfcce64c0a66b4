import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import {
  type Directory,
  type DirectoryResource,
  definitions,
  type ResourceName,
} from '../../directory/registry.ts';
import type { Reference } from '../../engine/definition.ts';
import { timeText } from '../../engine/json/record-json.ts';
import { isReferredWithin } from '../../engine/office-limit.ts';
import type { Queried, StoredField } from './queried.ts';

type ListsOf<References> = {
  [Column in keyof References]: References[Column] extends { items: object } ? Column & string : never;
}[keyof References];

export type ItemsName = {
  [Name in ResourceName]: `${Name}.${ListsOf<Directory[Name]['references']>}`;
}[ResourceName];

type Items = NonNullable<Reference['items']>;

function shapeOf({ fields }: DirectoryResource, column: string): Record<string, z.ZodType> {
  const output = fields[column]?.output;
  if (!(output instanceof z.ZodArray) || !(output.element instanceof z.ZodObject))
    throw new Error(`${column} is no list of objects`);
  return output.element.shape;
}

const isDay = (schema: z.ZodType) => schema.meta()?.format === 'date';

/** The key of an item begins with the ID of its record. */
const OWNER = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}_';

/** Same expression as the index on the item's record; false for an invalid key. */
function hasOwnerOf(owner: RawBuilder<unknown>, key: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${owner} = case when ${key} ~ ${sql.lit(OWNER)} then left(${key}, 36)::uuid end`;
}

function fieldsOf(definition: DirectoryResource, column: string, { field, rows }: Items) {
  const { table } = definition;
  const [owner, item] = [sql.ref(`${rows.table}.${rows.owner}`), sql.ref(`${rows.table}.${rows.column}`)];
  const own = Object.entries(shapeOf(definition, column)).map(([name, schema]): [string, StoredField] => {
    if (name === field) return [name, { type: 'id', value: item, isNullable: false }];
    const value = sql`(listed.item ->> ${sql.lit(name)})`;
    const isNullable = schema.safeParse(null).success;
    return [name, { type: isDay(schema) ? 'day' : 'text', value, isNullable }];
  });
  const ofOwner = (name: string, type: StoredField['type']): StoredField => ({
    type,
    value: sql.ref(`${table}.${name}`),
    isNullable: false,
  });
  return {
    id: {
      type: 'text',
      value: sql`(${owner}::text || '_' || ${item}::text)`,
      isNullable: false,
      implied: (id) => hasOwnerOf(owner, id),
    },
    [`${table}Id`]: { type: 'id', value: owner, isNullable: false },
    ...Object.fromEntries(own),
    createdAt: ofOwner('created_at', 'time'),
    updatedAt: ofOwner('updated_at', 'time'),
    version: ofOwner('version', 'number'),
  } satisfies Record<string, StoredField>;
}

function recordOf(fields: Readonly<Record<string, StoredField>>): RawBuilder<{ id: string }> {
  const parts = Object.entries(fields).flatMap(([name, { type, value }]) => [
    sql.lit(name),
    type === 'time' ? timeText(value as RawBuilder<Date>) : value,
  ]);
  return sql`json_build_object(${sql.join(parts)})`;
}

/** Under a limit, only items of records within it, whose own reference is visible. */
function itemsOf(
  definition: DirectoryResource,
  column: string,
  { items, ...of }: Reference & { items: Items },
): Queried {
  const { table, name, isWithin } = definition;
  const { rows, field } = items;
  const fields = fieldsOf(definition, column, items);
  const item = sql.ref(`${rows.table}.${rows.column}`);
  return {
    resource: name,
    from: sql`${sql.table(rows.table)} join ${sql.table(table)}
        on ${sql.ref(`${table}.id`)} = ${sql.ref(`${rows.table}.${rows.owner}`)}
      join lateral jsonb_array_elements(${sql.ref(`${table}.${column}`)}) as listed (item)
        on listed.item ->> ${sql.lit(field)} = ${item}::text`,
    fields,
    shape: { record: recordOf(fields) },
    ...(isWithin && {
      isWithin: (offices) =>
        items.areHiddenOutside
          ? sql<boolean>`(${isWithin(offices)} and ${isReferredWithin(of, item, offices)})`
          : isWithin(offices),
    }),
  };
}

export const queriedItems = Object.fromEntries(
  definitions.flatMap((definition) =>
    Object.entries<Reference>(definition.references).flatMap(([column, { items, ...of }]) =>
      items === undefined
        ? []
        : [[`${definition.name}.${column}`, itemsOf(definition, column, { items, ...of })] as const],
    ),
  ),
) as Record<ItemsName, Queried>;
