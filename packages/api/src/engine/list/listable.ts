import type { Fields } from '../fields/field.ts';
import type { JsonShape } from '../json/record-json.ts';
import type { OfficeLimit } from '../office-limit.ts';
import type { Highlight } from '../search/highlights.ts';
import type { Search, WordForm } from '../search/search.ts';
import type { Limitable } from '../sql/limited-rows.ts';
import type { Conditions, Filters, Given } from './filters.ts';

/**
 * A table that can be listed: its name, its sorts, its JSON and its filters. `Own` are the values of the filters that it has beside those
 * of all records.
 */
export interface Listable<Row extends { id: string } = { id: string }, Own extends object = object>
  extends JsonShape<Row>,
    Limitable {
  /** Identifies the list; a cursor of another list is rejected. */
  name: string;
  table: string;
  /** The word for one of its rows in errors; the name of the table unless given. */
  noun?: string;
  /** The key and the column of the sort by name. */
  nameSort: { key: string; column: string };
  /** By the key of a sort, the field that breaks its ties before the id does. */
  tieBreaks?: Readonly<Record<string, string>>;
  /** The conditions of its own filters. */
  filters?: Conditions<Own>;
  /** Columns whose index goes on in the order of another column: which that is. */
  orderedIndexes?: Record<string, string>;
  /** The column of the office, if so many rows can be within a limit that they are read office by office. */
  officeColumn?: string;
  /** Whether its rows have a version. */
  isVersioned?: boolean;
  /** The fields of its records, if it can be searched. */
  fields?: Fields;
}

/** The validated request of a list's caller. */
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

/** A query that narrows a list by what the list has no condition for does not compile. */
export type Known<Input extends ListInput, Own> = Input &
  Given<Own> &
  Record<Exclude<keyof Input, keyof ListInput | keyof Own>, never>;

export interface ListRequest<
  Row extends { id: string },
  Input extends ListInput = ListInput,
  Own extends object = object,
> {
  resource: Listable<Row, Own>;
  /** The JSON of an item that is more than the record. */
  expanded?: JsonShape<Row> | undefined;
  input: Known<Input, Own>;
  /** The time from which relative times count; that of the process unless given. */
  now?: Date | undefined;
  /** A filter that is not of the caller: it may differ from page to page, and no cursor is bound to it. */
  kept?: Given<Own> | undefined;
  /** The offices to which the caller is limited; undefined for everything. */
  limit: OfficeLimit | undefined;
  search?: Search | undefined;
  /** For each word of the search the similar word that is searched instead, because no record has all of them; or null. */
  similar?: (WordForm | null)[] | undefined;
}
