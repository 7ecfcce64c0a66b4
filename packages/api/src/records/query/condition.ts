import type { QueriedName } from './fields.ts';

/** A value that a field is compared with; its type is that of the field. Times and days are texts as in the API. */
export type Literal = string | number | boolean;
export type Comparison = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le';
export type TextFunction = 'contains' | 'startsWith' | 'endsWith';

/**
 * A condition on a record, with the semantics of OData 4.01 (URL Conventions, 5.1.1):
 * - a comparison is true or false, also with null: `eq null` and `ne null` ask for it, `ne` with a value is true for null, `gt` and
 *   `lt` with null on either side are false, and `ge` and `le` are true if both sides are null;
 * - a function of null is null, and so is its negation; `and`, `or` and `not` have three values, and a record for which a condition
 *   is null does not meet it;
 * - texts are compared by code point; of a text field with `isLowered` its lower case is, by the rules of Unicode for no language.
 *
 * A field is a path of the record as the API shows it: `lastName`, `address.city`, `licenses[0].number`.
 */
export type Condition =
  | { kind: 'and' | 'or'; parts: readonly Condition[] }
  | { kind: 'not'; part: Condition }
  | { kind: 'compare'; field: string; comparison: Comparison; value: Literal | null; isLowered?: boolean }
  | { kind: 'in'; field: string; values: readonly (Literal | null)[] }
  | { kind: 'text'; field: string; function: TextFunction; value: string; isLowered?: boolean }
  /** Of a list of texts (`languages`, `designations`); without a condition: the list is not empty. */
  | { kind: 'any' | 'all'; field: string; item?: ItemCondition };

/** A condition on one text of a list. */
export type ItemCondition =
  | { kind: 'and' | 'or'; parts: readonly ItemCondition[] }
  | { kind: 'not'; part: ItemCondition }
  | { kind: 'compare'; comparison: Comparison; value: Literal | null }
  | { kind: 'in'; values: readonly (Literal | null)[] }
  | { kind: 'text'; function: TextFunction; value: string };

/** A field by which records are ordered; null is its lowest value. */
export interface OrderBy {
  field: string;
  isDescending: boolean;
}

/** A read of the records, or of the items of a list in them such as `teams.members`, that meet a condition. */
export interface RecordQuery {
  resource: QueriedName;
  where?: Condition;
  /** At most 5. The id breaks ties, in the direction of the last one. */
  orderBy: readonly OrderBy[];
  /** 1 to 1,000. */
  limit: number;
  /** Records to leave out at the beginning of the first page, at most 10,000; a page after a cursor leaves none out. */
  skip?: number;
  /** `nextCursor` of the page before, with the same `where` and `orderBy`. */
  cursor?: string;
  includeTotal?: boolean;
}

export interface RecordQueryPage {
  /** The records as the API shows them. */
  items: Record<string, unknown>[];
  /** Present if more records follow. */
  nextCursor?: string;
  /** The number of records that meet the condition, in the snapshot of the page. */
  total?: number;
}
