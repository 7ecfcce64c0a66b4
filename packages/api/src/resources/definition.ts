import type { RecordTable } from '@roster/db';
import type { RawBuilder } from 'kysely';
import type { IsWithin } from '../access/office-limit.ts';
import type { Fields } from './fields/field.ts';
import type { Listable } from './list/list-records.ts';
import type { Columns, Expressions } from './write/column-mapping.ts';

/** What a column refers to: a record by its id, or offices by a list of affiliations. */
export type ReferenceKind = 'office' | 'agent' | 'affiliations';

/** The two resources of the directory. */
type ResourceName = 'offices' | 'agents';

/**
 * What lists, changes, transitions, tombstones and imports need to know of a resource. `Row` is its record in JSON.
 */
export interface ResourceDefinition<Row extends { id: string } = { id: string }> extends Listable<Row> {
  name: ResourceName;
  table: RecordTable;
  /** The field with the name by which people know the record. */
  nameField: string;
  /** In the order of its JSON. */
  fields: Fields;
  /**
   * The columns that a validated input writes, if it is not simply those of its fields. In a patch they may refer to the
   * row as it is, named `target`.
   */
  columns?: (input: object, options: { isPatch: boolean }) => Columns;
  /** The values of columns that, if given, depend on other columns of the new row, named `merged`. */
  computed?: Expressions;
  /** Columns that change because others do; alone they make no new version. */
  sideEffects?: (columns: Expressions, now: RawBuilder<Date>) => Expressions;
  isWithin: IsWithin;
  /** The columns that refer to other records. */
  references: Record<string, ReferenceKind>;
  /** The column of the office by which a record is within a limit: the one it belongs to, or the one it is a branch of. */
  placedBy: string;
  /** Counts the records that prevent its deletion, by kind. */
  dependents: (id: string) => RawBuilder<Record<string, number>>;
}
