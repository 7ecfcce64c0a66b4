import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { ChevronRight } from '../../../icons.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Figure } from './accessible-chart.tsx';
import { linesOf, type TreeNode } from './tree.ts';

const LINES_FIRST = 12;

interface BarTreeProps {
  title: string;
  columns: readonly [string, string];
  nodes: readonly TreeNode[];
  note?: ReactNode;
  link: (node: TreeNode, content: ReactNode) => ReactNode;
}

export function BarTree({ title, columns, nodes, note, link }: BarTreeProps) {
  const { t, i18n } = useLingui();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [isAll, setAll] = useState(false);
  const max = Math.max(1, ...nodes.map(({ total }) => total));
  const lines = linesOf(isAll ? nodes : nodes.slice(0, LINES_FIRST), (id) => open.has(id));
  const toggle = (id: string) => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  return (
    <Figure
      title={title}
      table={{
        heads: columns,
        rows: linesOf(nodes, () => true).map(({ node, level }) => ({
          id: node.id,
          cells: [
            <span key="label" style={{ paddingInlineStart: `${level}rem` }}>
              {link(node, node.label)}
            </span>,
            i18n.number(node.total),
          ],
        })),
      }}
    >
      {Boolean(note) && <p className="text-muted text-sm">{note}</p>}
      <ul className="flex flex-col">
        {lines.map(({ node, level }) => (
          <li
            key={node.id}
            className="grid min-h-9 grid-cols-[minmax(0,1fr)_3.5rem] items-center gap-x-2 text-sm sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_3.5rem]"
          >
            <span className="flex min-w-0 items-center" style={{ paddingInlineStart: `${level}rem` }}>
              {node.children.length > 0 ? (
                <IconButton
                  label={open.has(node.id) ? t`Close ${node.label}` : t`Open ${node.label}`}
                  aria-expanded={open.has(node.id)}
                  className="shrink-0"
                  onClick={() => toggle(node.id)}
                >
                  <ChevronRight
                    aria-hidden
                    className={open.has(node.id) ? 'rotate-90' : 'rtl:-scale-x-100'}
                  />
                </IconButton>
              ) : (
                <span className="w-9 shrink-0" />
              )}
              <span className="truncate">{link(node, node.label)}</span>
            </span>
            <span aria-hidden className="col-span-2 row-start-2 h-3 sm:col-span-1 sm:row-start-auto">
              <span
                className={`block h-full rounded-e-xs bg-accent forced-color-adjust-none ${node.total > 0 ? 'min-w-0.5' : ''}`}
                style={{ width: `${(100 * node.total) / max}%` }}
              />
            </span>
            <span className="text-end tabular-nums">{i18n.number(node.total)}</span>
          </li>
        ))}
      </ul>
      {nodes.length > LINES_FIRST && !isAll && (
        <div>
          <Button look="quiet" onClick={() => setAll(true)}>
            <Trans>Show {i18n.number(nodes.length - LINES_FIRST)} more</Trans>
          </Button>
        </div>
      )}
    </Figure>
  );
}
