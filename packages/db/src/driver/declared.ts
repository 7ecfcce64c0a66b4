import { type CompiledQuery, type OperationNode, SelectQueryNode } from 'kysely';

const READS = Symbol('reads');
const SHARES_COMMIT = Symbol('shares commit');

/** A statement of which it is said what its text does not tell. */
export interface Declared {
  readonly [READS]: boolean;
  readonly [SHARES_COMMIT]?: boolean;
}

export interface Declarations {
  /** It only reads; else it may write. */
  reads: boolean;
  /** Outside transactions it may be in one with others that come at the same time, and be run again when that fails. */
  sharesCommit?: boolean | undefined;
}

/** Says of a statement what its text does not tell. */
export function declare<O>(
  query: CompiledQuery<O>,
  { reads, sharesCommit = false }: Declarations,
): CompiledQuery<O> & Declared {
  return { ...query, [READS]: reads, [SHARES_COMMIT]: sharesCommit };
}

/** Whether a statement was declared to share its commit with others. */
export function sharesCommit(query: CompiledQuery & Partial<Declared>): boolean {
  return query[SHARES_COMMIT] === true;
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
