export type ComparisonOperator = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le';
export type TextFunctionName = 'contains' | 'startswith' | 'endswith';

/** A property, or a path over navigation properties; in a lambda its variable. */
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
  /** Edm.Date, such as `2026-01-31`. */
  | { kind: 'day'; value: string; at: number }
  /** Edm.DateTimeOffset as written; `now()` becomes the time of the request. */
  | { kind: 'time'; value: string; at: number };

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
  /** Without a body, `any` matches a non-empty collection. */
  | { kind: 'any' | 'all'; path: Path; variable?: string; body?: Expression; at: number };

export interface OrderKey {
  path: Path;
  isDescending: boolean;
}
