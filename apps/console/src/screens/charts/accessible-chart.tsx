import { Trans, useLingui } from '@lingui/react/macro';
import { ChartColumn, Table2 } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { scrollable } from '../../components/page.tsx';

/** The same values as in a chart, in words and numbers. */
export interface FigureTable {
  /** The names of the columns; the first column says of what the others are. */
  columns: readonly string[];
  rows: readonly { id: string; cells: readonly ReactNode[] }[];
}

function Table({ columns, rows }: FigureTable) {
  return (
    <div {...scrollable} className="max-h-96 overflow-auto">
      <table className="w-full border-collapse text-sm">
        <thead className="sticky top-0 bg-surface">
          <tr>
            {columns.map((column, index) => (
              <th
                key={column}
                scope="col"
                className={`p-2 font-medium text-muted text-xs ${alignment(index)}`}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, cells: [first, ...cells] }) => (
            <tr key={id} className="border-line border-t">
              <th scope="row" className="p-2 text-start font-normal">
                {first}
              </th>
              {cells.map((cell, index) => (
                <td key={columns[index + 1]} className="p-2 text-end tabular-nums">
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

const alignment = (index: number) => (index === 0 ? 'text-start' : 'text-end');

/** A chart with its title, which can be read as a table instead. */
export function Figure({
  title,
  table,
  className = '',
  children,
}: {
  title: string;
  table: FigureTable;
  className?: string;
  children: ReactNode;
}) {
  const { t } = useLingui();
  const id = useId();
  const [isTable, setTable] = useState(false);
  return (
    <section
      aria-labelledby={id}
      className={`flex min-w-0 flex-col gap-3 rounded-xl border border-line p-4 ${className}`}
    >
      <header className="flex items-center gap-2">
        <h2 id={id} className="min-w-0 grow font-semibold">
          {title}
        </h2>
        <Button
          look="quiet"
          aria-label={isTable ? t`${title}: as a chart` : t`${title}: as a table`}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? <ChartColumn aria-hidden /> : <Table2 aria-hidden />}
          {isTable ? <Trans>Chart</Trans> : <Trans>Table</Trans>}
        </Button>
      </header>
      {isTable ? <Table {...table} /> : children}
    </section>
  );
}
