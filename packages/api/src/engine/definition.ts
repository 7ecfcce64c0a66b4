import type { RecordTable } from '@roster/db';
import type { RawBuilder } from 'kysely';
import type { z } from 'zod';
import type { ErrorCode } from '../errors/error-codes.ts';
import type { Fields } from './fields/field.ts';
import type { JsonShape } from './json/record-json.ts';
import type { RecordFields } from './json/record-sql.ts';
import type { Listable } from './list/list-records.ts';
import type { IsWithin } from './office-limit.ts';
import type { EventVerb } from './outbox/event-outbox.ts';
import type { Columns, Expressions } from './sql/column-mapping.ts';

export interface Reference {
  table: string;
  /** The column of the referenced table that decides whether the record is within a limit. */
  limitColumn: string;
  countedAs?: string;
  /** For a column with a list of JSON objects: the field with the ID, and its foreign key. */
  items?: {
    field: string;
    foreignKey: string;
    rows: { table: string; column: string; owner: string };
    /** Whether deleting the referenced record removes the item. Otherwise the item prevents the deletion. */
    leaveWithRecord?: true;
    /** Whether limited access sees only items within its limit. Its changes keep the others. */
    areHiddenOutside?: true;
  };
}

interface Parent {
  column: string;
  field: string;
  /** Whether the records are offices themselves, which form a tree without circles. */
  isTree: boolean;
  /** Whether the office must be active when a record is created in it, moved to it or reactivated in it. */
  mustBeActive: boolean;
}

export interface LimitRule {
  column: string;
  rule: string;
}

interface ResourceSchemas {
  record: z.ZodObject<z.ZodRawShape, z.core.$strict>;
  created: z.ZodObject<z.ZodRawShape, z.core.$strict>;
  imported: z.ZodObject<z.ZodRawShape, z.core.$strict>;
  query: z.ZodObject<z.ZodRawShape, z.core.$strict>;
  filters: z.ZodRawShape;
}

export interface ResourceTexts {
  schema: string;
  one: string;
  title: string;
  description: string;
}

interface Expansion<Name extends string = string> {
  shape: JsonShape<{ id: string }>;
  /** Whose scope for reading it also needs. */
  resource?: Name;
}

interface RuleErrors {
  create: readonly ErrorCode[];
  change: readonly ErrorCode[];
  reactivate: readonly ErrorCode[];
  merge: readonly ErrorCode[];
}

/** The column with the office of a row, of a table or its alias; undefined if its records belong to none. */
export function limitColumnOf({ limit }: Pick<ResourceDefinition, 'limit'>, as: string): string | undefined {
  return limit && `${as}.${limit.column}`;
}

export interface ResourceDefinition<Row extends { id: string } = { id: string }, Name extends string = string>
  extends Listable<Row> {
  name: Name;
  table: RecordTable;
  texts: ResourceTexts;
  nameField: string;
  /** The fields that name a record without the name field. */
  nameParts: readonly string[];
  /** The `sort` by name. */
  nameSort: string;
  /** The fields that distinguish records, the most important first, for narrow lists. */
  listFields: readonly string[];
  /** The columns of a list for people; by default those, and the last change. */
  usualColumns?: readonly string[];
  countFields?: readonly string[];
  fields: Fields;
  expressions?: NonNullable<RecordFields['expressions']>;
  schemas: ResourceSchemas;
  /** Columns that are not simply those of the fields. A patch can refer to the current row as `target`. */
  columns?: (input: object, options: { isPatch: boolean }) => Columns;
  /** Columns that, if given, depend on other columns of the new row, `merged`. */
  computed?: Expressions;
  defaults?: Record<string, (record: Readonly<Record<string, unknown>>) => unknown>;
  /** Columns that change because others do. They make no version by themselves. */
  sideEffects?: (columns: Expressions, now: RawBuilder<Date>) => Expressions;
  /** Absent, with `limit` and `parent`, if records belong to no office: they need unlimited access. */
  isWithin?: IsWithin;
  limit?: LimitRule;
  parent?: Parent;
  references: Record<string, Reference>;
  uniqueBy: readonly string[];
  eventVerbs: readonly EventVerb[];
  /** The additions of `expand`, by its values in alphabetical order. */
  expansions?: Readonly<Record<string, Expansion<Name>>>;
  ruleErrors: RuleErrors;
}
