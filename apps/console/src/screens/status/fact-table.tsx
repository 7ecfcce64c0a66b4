import type { ReactNode } from 'react';
import { scrollable } from '../../components/page.tsx';

export interface FactRow {
  id: string;
  /** One for each head; the first names the row. */
  cells: readonly ReactNode[];
}

/** A small table of what is at this moment. Where it is too narrow, it scrolls by itself. */
export function FactTable({
  label,
  heads,
  rows,
}: {
  label: string;
  heads: readonly string[];
  rows: readonly FactRow[];
}) {
  return (
    <div className="overflow-x-auto rounded-lg border border-line bg-surface" {...scrollable}>
      <table aria-label={label} className="w-full border-collapse text-sm">
        <thead className="text-muted">
          <tr>
            {heads.map((head) => (
              <th
                key={head}
                scope="col"
                className="h-9 whitespace-nowrap px-3 text-start font-medium text-xs"
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, cells: [name, ...cells] }) => (
            <tr key={id} className="border-line border-t">
              <th scope="row" className="h-10 px-3 py-1.5 text-start font-medium">
                {name}
              </th>
              {cells.map((cell, index) => (
                <td key={heads[index + 1]} className="whitespace-nowrap px-3 tabular-nums">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
