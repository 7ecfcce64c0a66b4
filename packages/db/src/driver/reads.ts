import { type CompiledQuery, type OperationNode, SelectQueryNode } from 'kysely';

const READS = Symbol('reads');

/** A statement of which it is said whether it only reads. */
export interface Declared {
  readonly [READS]: boolean;
}

/** Says of a statement, whose text tells nothing, that it only reads, or that it may write. */
export function declare<O>(query: CompiledQuery<O>, reads: boolean): CompiledQuery<O> & Declared {
  return { ...query, [READS]: reads };
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
