import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useId, useState } from 'react';
import { ChartColumn, Table2 } from '../../../icons.tsx';
import { Button } from '../../../ui/button.tsx';
import { type Values, ValueTable } from '../../../ui/value-table.tsx';

export function Figure({
  title,
  table,
  className = '',
  children,
}: {
  title: string;
  table: Values;
  className?: string;
  children: ReactNode;
}) {
  const { t } = useLingui();
  const id = useId();
  const [isTable, setTable] = useState(false);
  return (
    <section
      aria-labelledby={id}
      className={`flex min-w-0 flex-col gap-3 rounded-lg border border-line p-4 ${className}`}
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
      {isTable ? <ValueTable isNumeric {...table} /> : children}
    </section>
  );
}
