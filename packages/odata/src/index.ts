/** The language of OData 4, without knowledge of tables: query options to a typed tree. */
export type {
  ComparisonOperator,
  Expression,
  Literal,
  Operand,
  OrderKey,
  Path,
} from './expression.ts';
export { parseFilter } from './filter.ts';
export { limits } from './limits.ts';
export { type Expansion, parseQueryOptions, type QueryOptions } from './query-options.ts';
export { ODataSyntaxError } from './tokens.ts';
