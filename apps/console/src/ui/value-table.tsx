import type { ReactNode } from 'react';
import { classNames } from './button.tsx';
import { scrollable } from './page.tsx';

export interface Values {
  /** The names of the columns; the first column says of what the others are. */
  heads: readonly string[];
  rows: readonly { id: string; cells: readonly ReactNode[] }[];
}

interface ValueTableProps extends Values {
  label?: string;
  /** Whether the values are numbers, and so many that the table scrolls under its heads. */
  isNumeric?: boolean;
}

export function ValueTable({ label, heads, rows, isNumeric = false }: ValueTableProps) {
  const alignment = (index: number) => (isNumeric && index > 0 ? 'text-end' : 'text-start');
  return (
    <div
      className={classNames(
        'overflow-auto bg-surface',
        isNumeric ? 'max-h-96' : 'rounded-md border border-line',
      )}
      {...scrollable}
    >
      <table aria-label={label} className="w-full border-collapse text-sm">
        <thead className="sticky top-0 bg-surface text-muted">
          <tr>
            {heads.map((head, index) => (
              <th
                key={head}
                scope="col"
                className={classNames('h-9 whitespace-nowrap px-3 font-medium text-xs', alignment(index))}
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
                <td
                  key={heads[index + 1]}
                  className={classNames('whitespace-nowrap px-3 tabular-nums', alignment(index + 1))}
                >
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
