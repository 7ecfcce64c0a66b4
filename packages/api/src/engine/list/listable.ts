import type { Fields } from '../fields/field.ts';
import type { JsonShape } from '../json/record-json.ts';
import type { OfficeLimit } from '../office-limit.ts';
import type { Highlight } from '../search/highlights.ts';
import type { Search, WordForm } from '../search/search.ts';
import type { Limitable } from '../sql/limited-rows.ts';
import type { ComputedValue } from './cursor.ts';
import type { Conditions, Filters, Given } from './filters.ts';

/** A table that can be listed. `Own` are the values of its own filters, besides those of all records. */
export interface Listable<Row extends { id: string } = { id: string }, Own extends object = object>
  extends JsonShape<Row>,
    Limitable {
  /** Cursors of another name are rejected. */
  name: string;
  table: string;
  noun?: string;
  tieBreaks?: Readonly<Record<string, string>>;
  /** The columns of sorts that are not those of the field, such as one that is never null. */
  sortColumns?: Readonly<Record<string, string>>;
  /** The values of sorts that have no column. */
  computedSorts?: Readonly<Record<string, ComputedValue>>;
  filters?: Conditions<Own>;
  /** Columns whose index continues in the order of another column. */
  orderedIndexes?: Record<string, string>;
  officeColumn?: string;
  /** Paths in the JSON of records that the search covers besides the searched fields, with `*` for each item. */
  searchedPaths?: readonly string[];
  isVersioned?: boolean;
  fields?: Fields;
}

export interface ListInput extends Omit<Filters, 'q'> {
  q?: string | undefined;
  limit: number;
  sort: string;
  cursor?: string | undefined;
  direction?: 'forward' | 'backward' | undefined;
  startAt?: string | undefined;
  includeTotal?: boolean | undefined;
  highlight?: boolean | undefined;
}

export interface Page<Row> {
  items: Row[];
  nextCursor?: string;
  prevCursor?: string;
  total?: number;
  isSimilar?: boolean;
  highlights?: Highlight[][];
}

/** Does not compile for a filter that the list has no condition for. */
export type Known<Input extends ListInput, Own> = Input &
  Given<Own> &
  Record<Exclude<keyof Input, keyof ListInput | keyof Own>, never>;

export interface ListRequest<
  Row extends { id: string },
  Input extends ListInput = ListInput,
  Own extends object = object,
> {
  resource: Listable<Row, Own>;
  expanded?: JsonShape<Row> | undefined;
  input: Known<Input, Own>;
  now?: Date | undefined;
  /** A filter set by the service. It can differ from page to page, so cursors are not bound to it. */
  kept?: Given<Own> | undefined;
  limit: OfficeLimit | undefined;
  search?: Search | undefined;
  /** The replacement of each search word that no record has, or null. */
  similar?: (WordForm[] | null)[] | undefined;
}
