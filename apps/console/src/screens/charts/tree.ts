/** A line of a tree of counts, such as an office with its branches. */
export interface TreeNode {
  id: string;
  label: string;
  /** Its own count. */
  own: number;
  /** With everything below it. */
  total: number;
  children: TreeNode[];
}

/** An item of which a tree is made. */
export interface TreeItem {
  id: string;
  label: string;
  own: number;
  /** The item that it belongs to; null at the top. */
  parentId: string | null;
}

/** The tree of some items, those with most first. An item whose parent is not among them is at the top. */
export function treeOf(items: readonly TreeItem[]): TreeNode[] {
  const known = new Set(items.map(({ id }) => id));
  const below = Map.groupBy(items, ({ parentId }) =>
    parentId !== null && known.has(parentId) ? parentId : null,
  );
  const nodesOf = (parentId: string | null, above: ReadonlySet<string>): TreeNode[] =>
    (below.get(parentId) ?? [])
      .filter(({ id }) => !above.has(id))
      .map(({ id, label, own }) => {
        const children = nodesOf(id, new Set([...above, id]));
        return { id, label, own, total: own + children.reduce((sum, { total }) => sum + total, 0), children };
      })
      .toSorted((one, other) => other.total - one.total);
  return nodesOf(null, new Set());
}

/** The lines of a tree as they are shown: those below a closed one are not. */
export function linesOf(
  nodes: readonly TreeNode[],
  isOpen: (id: string) => boolean,
  level = 0,
): { node: TreeNode; level: number }[] {
  return nodes.flatMap((node) => [
    { node, level },
    ...(isOpen(node.id) ? linesOf(node.children, isOpen, level + 1) : []),
  ]);
}
