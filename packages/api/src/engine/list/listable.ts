import type { Fields } from '../fields/field.ts';
import type { JsonShape } from '../json/record-json.ts';
import type { OfficeLimit } from '../office-limit.ts';
import type { Highlight } from '../search/highlights.ts';
import type { Search, WordForm } from '../search/search.ts';
import type { Limitable } from '../sql/limited-rows.ts';
import type { Filters } from './filters.ts';

/** A table that can be listed: its name, its sorts and its JSON. */
export interface Listable<Row extends { id: string } = { id: string }> extends JsonShape<Row>, Limitable {
  /** Identifies the list; a cursor of another list is rejected. */
  name: string;
  table: string;
  /** The word for one of its rows in errors; the name of the table unless given. */
  noun?: string;
  /** The key and the column of the sort by name. */
  nameSort: { key: string; column: string };
  /** By the key of a sort, the field that breaks its ties before the id does. */
  tieBreaks?: Readonly<Record<string, string>>;
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

/** A query that narrows a list by what `filters.ts` has no condition for does not compile. */
type Known<Input extends ListInput> = Input & Record<Exclude<keyof Input, keyof ListInput>, never>;

export interface ListRequest<Row extends { id: string }, Input extends ListInput = ListInput> {
  resource: Listable<Row>;
  /** The JSON of an item that is more than the record. */
  expanded?: JsonShape<Row> | undefined;
  input: Known<Input>;
  /** The time from which relative times count; that of the process unless given. */
  now?: Date | undefined;
  /** A filter that is not of the caller: it may differ from page to page, and no cursor is bound to it. */
  kept?: Pick<Filters, 'deletedSince' | 'isRestorable'> | undefined;
  /** The offices to which the caller is limited; undefined for everything. */
  limit: OfficeLimit | undefined;
  search?: Search | undefined;
  /** For each word of the search the similar word that is searched instead, because no record has all of them; or null. */
  similar?: (WordForm | null)[] | undefined;
}
