import type { RawBuilder } from 'kysely';
import type { Param } from '../write/column-mapping.ts';

export type Condition = RawBuilder<boolean>;

/** One filter of a list: its condition and its values. The text of the condition is compiled once for each shape. */
export interface Filter {
  /** What the text depends on, besides the name of the filter. */
  shape?: string;
  /** The column, if the filter compares it with one value. */
  one?: string;
  condition(param: Param): Condition;
  /** The values of the condition's parameters, by name. */
  values: Record<string, unknown>;
}
