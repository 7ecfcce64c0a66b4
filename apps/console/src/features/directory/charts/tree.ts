export interface TreeNode {
  id: string;
  label: string;
  own: number;
  total: number;
  children: TreeNode[];
}

export interface TreeItem {
  id: string;
  label: string;
  own: number;
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
