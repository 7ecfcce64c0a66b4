import { type CompiledQuery, type OperationNode, SelectQueryNode } from 'kysely';

const READS = Symbol('reads');
const SHARES_COMMIT = Symbol('shares commit');
const IS_BINARY = Symbol('is binary');

/** A statement of which it is said what its text does not tell. */
export interface Declared {
  readonly [READS]: boolean;
  readonly [SHARES_COMMIT]?: boolean;
  readonly [IS_BINARY]?: boolean;
}

export interface Declarations {
  /** It only reads; else it may write. */
  reads: boolean;
  /** Outside transactions it may be in one with others that come at the same time, and be run again when that fails. */
  sharesCommit?: boolean | undefined;
  /** Its columns are asked for in the binary format, which the types of all of them must be readable in. */
  isBinary?: boolean | undefined;
}

/** A statement with its values, as it is asked for. */
export type Statement = Pick<CompiledQuery, 'sql' | 'parameters'> & Partial<Declared>;

/** Says of a statement what its text does not tell. */
export function declare<O>(
  query: CompiledQuery<O>,
  { reads, sharesCommit = false, isBinary = false }: Declarations,
): CompiledQuery<O> & Declared {
  return { ...query, [READS]: reads, [SHARES_COMMIT]: sharesCommit, [IS_BINARY]: isBinary };
}

/** Whether a statement was declared to share its commit with others. */
export function sharesCommit(query: Statement): boolean {
  return query[SHARES_COMMIT] === true;
}

/** Whether the columns of a statement were declared to come in the binary format. */
export function isBinary(query: Statement): boolean {
  return query[IS_BINARY] === true;
}

/**
 * Whether a statement certainly only reads: it was declared to, or it is a select that Kysely built, whose `with` only
 * selects too and that locks no rows. Raw SQL that nobody declared may write.
 */
export function isRead(query: CompiledQuery & Partial<Declared>): boolean {
  return query[READS] ?? isReadingNode(query.query);
}

function isReadingNode(node: OperationNode): boolean {
  if (!SelectQueryNode.is(node)) return false;
  if (node.endModifiers !== undefined && node.endModifiers.length > 0) return false;
  return node.with?.expressions.every(({ expression }) => isReadingNode(expression)) ?? true;
}
