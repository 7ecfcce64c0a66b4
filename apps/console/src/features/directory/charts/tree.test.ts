import { describe, expect, it } from 'vitest';
import { linesOf, treeOf } from './tree.ts';

const item = (id: string, own: number, parentId: string | null = null) => ({ id, label: id, own, parentId });

describe('a tree of counts', () => {
  it('adds up what is below each line, and has the greatest first', () => {
    const [first, second] = treeOf([item('a', 5), item('b', 1), item('b1', 7, 'b'), item('b11', 2, 'b1')]);
    expect(first).toMatchObject({ id: 'b', own: 1, total: 10 });
    expect(first?.children[0]).toMatchObject({ id: 'b1', total: 9, children: [{ id: 'b11', total: 2 }] });
    expect(second).toMatchObject({ id: 'a', total: 5, children: [] });
  });

  it('has at the top what belongs to something that is not there', () => {
    expect(treeOf([item('a', 1, 'gone')]).map(({ id }) => id)).toEqual(['a']);
  });

  it('shows the lines below an open one, with their level', () => {
    const tree = treeOf([item('a', 1), item('a1', 1, 'a'), item('b', 1), item('b1', 1, 'b')]);
    expect(linesOf(tree, (id) => id === 'a').map(({ node, level }) => `${level} ${node.id}`)).toEqual([
      '0 a',
      '1 a1',
      '0 b',
    ]);
  });
});
