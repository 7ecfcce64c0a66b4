/** OData 4 query options as typed trees, independent of tables. */
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
