/** The typed tree of `$filter`. Every node has the index of its first character in the text of the option. */

export type ComparisonOperator = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le';
export type TextFunctionName = 'contains' | 'startswith' | 'endswith';

/** A property, or a path over navigation properties; in the body of a lambda the name of its variable. */
export interface Path {
  kind: 'path';
  name: string;
  at: number;
}

export type Literal =
  | { kind: 'null'; at: number }
  | { kind: 'text'; value: string; at: number }
  | { kind: 'number'; value: number; at: number }
  | { kind: 'boolean'; value: boolean; at: number }
  /** `2026-01-31`: Edm.Date. */
  | { kind: 'day'; value: string; at: number }
  /** Edm.DateTimeOffset, as it was written; `now()` is the time of the request. */
  | { kind: 'time'; value: string; at: number };

/** The left side of a comparison: a path, or `tolower` of one. */
export interface Operand {
  path: Path;
  isLowered: boolean;
}

export type Expression =
  | { kind: 'and' | 'or'; parts: readonly Expression[]; at: number }
  | { kind: 'not'; part: Expression; at: number }
  | { kind: 'compare'; operand: Operand; operator: ComparisonOperator; value: Literal; at: number }
  | { kind: 'in'; operand: Operand; values: readonly Literal[]; at: number }
  | { kind: 'text'; function: TextFunctionName; operand: Operand; value: string; at: number }
  /** `any` without a body holds for a collection that is not empty. */
  | { kind: 'any' | 'all'; path: Path; variable?: string; body?: Expression; at: number };

/** One key of `$orderby`. */
export interface OrderKey {
  path: Path;
  isDescending: boolean;
}
