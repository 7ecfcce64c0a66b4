import { type CompiledQuery, type OperationNode, SelectQueryNode } from 'kysely';

const HINTS = Symbol('hints');

/** A query with hints. They are behind a symbol, so that Kysely's plugins and `CompiledQuery` copies keep them unseen. */
interface HintedQuery {
  readonly [HINTS]: QueryHints;
}

/** Properties of a query that the driver cannot tell from its text. */
export interface QueryHints {
  /**
   * The query only reads, so it may share a pipelined connection and be sent again if that breaks. Known of a `select`
   * built by Kysely; raw SQL needs the hint, and must then neither write nor lock.
   */
  isReadOnly: boolean;
  /**
   * If it runs outside a transaction while every connection is busy, it may be committed in one transaction with others.
   * Each still succeeds or fails on its own. It may run a second time, so it must do nothing that a rollback does not undo.
   */
  allowsGroupCommit?: boolean | undefined;
  /**
   * Requests its columns in PostgreSQL's binary format and returns them as strings of bytes (latin1), without decoding
   * them. Only text, varchar, json and bytea columns are allowed; in the binary format these are their plain bytes.
   * It saves PostgreSQL the conversion to C strings, and this process the conversion from UTF-8 to UTF-16 and back.
   */
  isBinary?: boolean | undefined;
  /**
   * PostgreSQL plans it each time, for its values: for a list of any length, of which it expects ten, so that it would
   * prefer a plan for unknown values that is bad for many. It is then no prepared statement.
   */
  isPlannedForValues?: boolean | undefined;
}

/** A query with its parameter values and, possibly, hints. */
export type Statement = Pick<CompiledQuery, 'sql' | 'parameters'> & Partial<HintedQuery>;

/** A copy of a query with hints. */
export function withHints<O>(query: CompiledQuery<O>, hints: QueryHints): CompiledQuery<O> & HintedQuery {
  return { ...query, [HINTS]: hints };
}

const noHints: Partial<QueryHints> = {};

/** The hints that a query was given. */
export function hintsOf(query: Statement): Partial<QueryHints> {
  return query[HINTS] ?? noHints;
}

/**
 * Whether a query certainly only reads: its hint says so, or it is a `select` built by Kysely that locks no rows and
 * whose `with` clauses only select too. Raw SQL without the hint counts as a write.
 */
export function isReadOnly(query: CompiledQuery & Partial<HintedQuery>): boolean {
  return query[HINTS]?.isReadOnly ?? isReadOnlyNode(query.query);
}

function isReadOnlyNode(node: OperationNode): boolean {
  if (!SelectQueryNode.is(node)) return false;
  if (node.endModifiers !== undefined && node.endModifiers.length > 0) return false;
  return node.with?.expressions.every(({ expression }) => isReadOnlyNode(expression)) ?? true;
}
