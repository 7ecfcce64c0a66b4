import { type CompiledQuery, type OperationNode, SelectQueryNode } from 'kysely';

const READ_ONLY = Symbol('read-only');
const GROUP_COMMIT = Symbol('group commit');
const BINARY = Symbol('binary');

/** A query with hints. They are symbols, so that Kysely's plugins and `CompiledQuery` copies keep them unseen. */
export interface HintedQuery {
  readonly [READ_ONLY]: boolean;
  readonly [GROUP_COMMIT]?: boolean;
  readonly [BINARY]?: boolean;
}

/** What the driver cannot tell from the text of a query. */
export interface QueryHints {
  /** It only reads. A query without this hint counts as a write unless Kysely's syntax tree shows that it reads. */
  isReadOnly: boolean;
  /** Outside transactions it may share a transaction with others, and run a second time if that transaction fails. */
  allowsGroupCommit?: boolean | undefined;
  /** Its columns are requested in the binary format. */
  isBinary?: boolean | undefined;
}

/** A query with its parameter values and, possibly, hints. */
export type Statement = Pick<CompiledQuery, 'sql' | 'parameters'> & Partial<HintedQuery>;

/** A copy of a query with hints. */
export function withHints<O>(
  query: CompiledQuery<O>,
  { isReadOnly, allowsGroupCommit = false, isBinary = false }: QueryHints,
): CompiledQuery<O> & HintedQuery {
  return { ...query, [READ_ONLY]: isReadOnly, [GROUP_COMMIT]: allowsGroupCommit, [BINARY]: isBinary };
}

/** Whether a query has the hint `allowsGroupCommit`. */
export function allowsGroupCommit(query: Statement): boolean {
  return query[GROUP_COMMIT] === true;
}

/** Whether a query has the hint `isBinary`. */
export function isBinary(query: Statement): boolean {
  return query[BINARY] === true;
}

/**
 * Whether a query certainly only reads: its hint says so, or it is a `select` built by Kysely that locks no rows and
 * whose `with` clauses only select too. Raw SQL without the hint counts as a write.
 */
export function isReadOnly(query: CompiledQuery & Partial<HintedQuery>): boolean {
  return query[READ_ONLY] ?? isReadOnlyNode(query.query);
}

function isReadOnlyNode(node: OperationNode): boolean {
  if (!SelectQueryNode.is(node)) return false;
  if (node.endModifiers !== undefined && node.endModifiers.length > 0) return false;
  return node.with?.expressions.every(({ expression }) => isReadOnlyNode(expression)) ?? true;
}
