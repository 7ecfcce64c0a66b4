import type { RecordTable } from '@roster/db';
import type { RawBuilder } from 'kysely';
import type { Fields } from './fields/field.ts';
import type { Listable } from './list/list-records.ts';
import type { Columns, Expressions } from './write/column-mapping.ts';

/** The two nouns of the directory. */
type ResourceName = 'offices' | 'agents';

/**
 * What the shared mechanisms (pages, changes, transitions, tombstones) need to know of a noun.
 * `Row` is the record as the API shows it.
 */
export interface ResourceDefinition<Row extends { id: string } = { id: string }> extends Listable<Row> {
  name: ResourceName;
  table: RecordTable;
  /** In the order of its JSON. */
  fields: Fields;
  /**
   * The columns that a validated input writes, if it is not simply those of its fields. In a patch they may refer to the
   * row as it is, named `target`.
   */
  columns?: (input: object, options: { isPatch: boolean }) => Columns;
  /** Columns whose value, where one is given, depends on others of the row as it will be, named `merged`. */
  computed?: Expressions;
  /** Columns that change because others do, and are no change by themselves. */
  sideEffects?: (columns: Expressions, now: RawBuilder<Date>) => Expressions;
  /** What keeps a record from being deleted, by kind. */
  dependents: (id: string) => RawBuilder<Record<string, number>>;
}
