import type { RecordTable } from '@roster/db';
import type { RawBuilder } from 'kysely';
import type { z } from 'zod';
import type { ErrorCode } from '../errors/error-codes.ts';
import type { OwnStats } from './counts.ts';
import type { Fields } from './fields/field.ts';
import type { JsonShape } from './json/record-json.ts';
import type { RecordFields } from './json/record-sql.ts';
import type { Listable } from './list/list-records.ts';
import type { IsWithin } from './office-limit.ts';
import type { EventVerb } from './outbox/event-outbox.ts';
import type { Columns, Expressions } from './sql/column-mapping.ts';

/** The records that a column refers to by their ids. */
export interface Reference {
  table: string;
  /** The column of that table with the office by which a record is within a limit. */
  limitColumn: string;
  /**
   * The name under which `has_dependents` counts the records that refer to one by this column. Defaults to the name of their
   * resource.
   */
  countedAs?: string;
  /** Of a column that is a list of JSON objects: which of their fields has the id, and the foreign key of the id. */
  items?: {
    field: string;
    foreignKey: string;
    /** The table with a row for each object: its columns with the id, and with the record that has the list. */
    rows: { table: string; column: string; owner: string };
    /** Whether an item leaves the list when its record is deleted. Otherwise it keeps the record from being deleted. */
    leaveWithRecord?: true;
    /**
     * Whether a caller who is limited to some offices sees only the items whose records are within the limit. A change by such a
     * caller leaves the other items as they are.
     */
    areHiddenOutside?: true;
  };
}

/** The office that a record belongs to, or is a branch of. */
interface Parent {
  column: string;
  /** The field with the id of the office. */
  field: string;
  /** Whether the records are offices themselves, which are below each other over no circle. */
  isTree: boolean;
  /** Whether the office must be active when a record is created in it, moved into it or reactivated in it. */
  mustBeActive: boolean;
}

/** The meaning of a limit of a caller to some offices. */
export interface LimitRule {
  /** The column with the office by which a record is within a limit; `id` of an office itself. */
  column: string;
  /** The rule that a change would break which puts a record out of the limit. */
  rule: string;
}

/** The schemas of a resource, from which those of its operations follow. */
interface ResourceSchemas {
  /** A record as callers read it. */
  record: z.ZodObject<z.ZodRawShape, z.core.$strict>;
  /** A record to create. */
  created: z.ZodObject<z.ZodRawShape, z.core.$strict>;
  /** A record to import: one to create, or what is known of it. */
  imported: z.ZodObject<z.ZodRawShape, z.core.$strict>;
  /** The parameters of the list. */
  query: z.ZodObject<z.ZodRawShape, z.core.$strict>;
  /** The filters of the list alone. */
  filters: z.ZodRawShape;
}

/** The names of a resource in texts and in the names of schemas. */
export interface ResourceTexts {
  /** `Office` */
  schema: string;
  /** `an office` */
  one: string;
  /** `Offices` */
  title: string;
  /** The sentence about its records at the tag of its operations. */
  description: string;
}

/** A part that `expand` adds to the records of a list. */
interface Expansion<Name extends string = string> {
  shape: JsonShape<{ id: string }>;
  /** The resource that it tells of, whose scope it needs. */
  resource: Name;
}

/** The name of a person, in the fields that have its parts. */
interface PersonNameFields {
  given: string;
  /** Other names that a person may be called by instead of the given one. */
  otherGiven: readonly string[];
  family: string;
  /** The suffix that tells namesakes of a family from each other, such as Jr. */
  suffix: string;
}

/** The fields by which two records are compared, by what they say. Telephones are those of the fields that are one. */
export interface ComparedFields {
  /** The name: of a person in parts, of anything else in each of some fields. */
  name: { person: PersonNameFields } | { anyOf: readonly string[] };
  emails: readonly string[];
  /** A list of licences. */
  licenses?: string;
  /** A postal address. */
  address?: string;
  /** Numbers by which someone else knows the record. */
  numbers: readonly string[];
}

/** The errors of the rules of the resource, by what is done to a record. */
interface RuleErrors {
  create: readonly ErrorCode[];
  /** Of an update, a restore, a revert and an import. */
  change: readonly ErrorCode[];
  reactivate: readonly ErrorCode[];
  merge: readonly ErrorCode[];
}

/** The rules of a resource that only imports follow. */
export interface ImportRules {
  /** The fields that name the office of a record in another way than the field of its parent does. */
  officeNames?: Record<string, 'source' | 'sourceKey' | 'name'>;
  /** The field with affiliations, whose offices have to exist and, if they are new, to be active. */
  affiliationsField?: string;
  /** The fields that make the name of a record, in its order; every record of an import has them. */
  nameFields: readonly string[];
  /**
   * The list whose items may be rows of a file by themselves, and the fields by which an item of an import names its record otherwise
   * than by the id.
   */
  itemRows?: { field: string; names: Readonly<Record<string, 'source' | 'email'>> };
}

/** The column with the office by which a row is within a limit, of a table or its alias; undefined if its records belong to none. */
export function limitColumnOf({ limit }: Pick<ResourceDefinition, 'limit'>, as: string): string | undefined {
  return limit && `${as}.${limit.column}`;
}

/**
 * A resource of the directory, as lists, changes, transitions, tombstones, events and imports read it. `Row` is its record in JSON.
 */
export interface ResourceDefinition<Row extends { id: string } = { id: string }, Name extends string = string>
  extends Listable<Row> {
  name: Name;
  /** Also the first part of the types of its events, and its name in the texts of errors. */
  table: RecordTable;
  texts: ResourceTexts;
  /** The field with the name by which people know the record. */
  nameField: string;
  /** The fields that tell a record from others, the most important first: what a list shows where there is room for a few. */
  listFields: readonly string[];
  /** The paths of the counts that `expand=counts` embeds, in lists where there is room for a few. */
  countFields?: readonly string[];
  /** In the order of its JSON. */
  fields: Fields;
  /** The SQL of fields that are not simply read from their column, for a row of that name. */
  expressions?: NonNullable<RecordFields['expressions']>;
  schemas: ResourceSchemas;
  /**
   * The columns that a validated input writes, if it is not simply those of its fields. In a patch they may refer to the
   * row as it is, named `target`.
   */
  columns?: (input: object, options: { isPatch: boolean }) => Columns;
  /** The values of columns that, if given, depend on other columns of the new row, named `merged`. */
  computed?: Expressions;
  /** The values of fields that follow from others as long as they are not given: those of `computed`. */
  defaults?: Record<string, (record: Readonly<Record<string, unknown>>) => unknown>;
  /** Columns that change because others do; alone they make no new version. */
  sideEffects?: (columns: Expressions, now: RawBuilder<Date>) => Expressions;
  /** Absent, with `limit` and `parent`, of records that belong to no office: only callers without a limit have these. */
  isWithin?: IsWithin;
  limit?: LimitRule;
  parent?: Parent;
  /** The columns that refer to other records. */
  references: Record<string, Reference>;
  /** The fields that no two records have the same value in. */
  uniqueBy: readonly string[];
  /** The changes that a record can have: the second part of the types of its events. */
  eventVerbs: readonly EventVerb[];
  imports: ImportRules;
  compared: ComparedFields;
  expansion?: Expansion<Name>;
  ruleErrors: RuleErrors;
  /** The changes of many records that only this resource has. */
  bulkChanges: readonly z.ZodObject[];
  stats?: OwnStats;
}
