import type { QueriedName } from './fields.ts';

/** Times and days are texts as in the API. */
export type Literal = string | number | boolean;
export type Comparison = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le';
export type TextFunction = 'contains' | 'startsWith' | 'endsWith';

/**
 * A condition with the semantics of OData 4.01 (URL Conventions, 5.1.1):
 * - A comparison is true or false, even with null: `eq null` and `ne null` test for it, `ne` with a value is
 *   true for null, `gt` and `lt` with null are false, `ge` and `le` are true if both sides are null.
 * - A function of null is null, and so is its negation. `and`, `or` and `not` have three values; a null
 *   condition does not match.
 * - Texts are compared by code point; with `isLowered` by their lower case, by the language-independent rules
 *   of Unicode.
 *
 * A field is a path in the record's JSON: `lastName`, `address.city`, `licenses[0].number`.
 */
export type Condition =
  | { kind: 'and' | 'or'; parts: readonly Condition[] }
  | { kind: 'not'; part: Condition }
  | { kind: 'compare'; field: string; comparison: Comparison; value: Literal | null; isLowered?: boolean }
  | { kind: 'in'; field: string; values: readonly (Literal | null)[] }
  | { kind: 'text'; field: string; function: TextFunction; value: string; isLowered?: boolean }
  /** For lists of texts (`languages`, `designations`). Without a condition: the list is not empty. */
  | { kind: 'any' | 'all'; field: string; item?: ItemCondition };

export type ItemCondition =
  | { kind: 'and' | 'or'; parts: readonly ItemCondition[] }
  | { kind: 'not'; part: ItemCondition }
  | { kind: 'compare'; comparison: Comparison; value: Literal | null }
  | { kind: 'in'; values: readonly (Literal | null)[] }
  | { kind: 'text'; function: TextFunction; value: string };

export interface OrderBy {
  field: string;
  isDescending: boolean;
}

/** A query for records, or for list items in them such as `teams.members`. */
export interface RecordQuery {
  resource: QueriedName;
  where?: Condition;
  /** At most 5. The ID breaks ties, in the direction of the last one. */
  orderBy: readonly OrderBy[];
  /** 1 to 1,000. */
  limit: number;
  /** Skipped on the first page only, at most 10,000. */
  skip?: number;
  /** `nextCursor` of a page with the same `where` and `orderBy`. */
  cursor?: string;
  includeTotal?: boolean;
}

export interface RecordQueryPage {
  items: Record<string, unknown>[];
  nextCursor?: string;
  /** In the snapshot of the page. */
  total?: number;
}
