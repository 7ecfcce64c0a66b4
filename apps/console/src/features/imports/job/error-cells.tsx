import { Trans, useLingui } from '@lingui/react/macro';
import type { Import } from '@roster/client';
import { type KeyboardEvent, useState } from 'react';
import { usePages } from '../../../api/use-pages.ts';
import { Check } from '../../../more-icons.tsx';
import { Button, classNames } from '../../../ui/button.tsx';
import { ErrorBox } from '../../../ui/error-text.tsx';
import { scrollable } from '../../../ui/page.tsx';
import type { ImportRow } from './fault-words.ts';

const PAGE_SIZE = 5;
/** The columns beside the one with the error, by which a person knows the row. */
const OTHERS_MAX = 3;

interface ErrorCellsProps {
  file: Import;
  /** The column with the error, in the words of the page. */
  label: string;
  error: { column: string; code: string; value: string };
  /** Corrects the cell of one row; undefined where nothing can be corrected. */
  onCorrect: ((row: number, text: string) => void) | undefined;
}

/** Moves the focus to the cell below: one corrects a column downwards. */
function focusNext(input: HTMLInputElement): void {
  input.closest('tr')?.nextElementSibling?.querySelector('input')?.focus();
}

function CorrectedCell({
  label,
  row: { row },
  value,
  onCorrect,
}: {
  label: string;
  row: ImportRow;
  value: string;
  onCorrect: (row: number, text: string) => void;
}) {
  const { t } = useLingui();
  const [sent, setSent] = useState(value);
  const send = (input: HTMLInputElement) => {
    if (input.value === sent) return;
    setSent(input.value);
    onCorrect(row, input.value);
  };
  return (
    <span className="flex items-center gap-1">
      <input
        aria-label={t`${label}, row ${row}`}
        defaultValue={value}
        autoComplete="off"
        className={classNames(
          'h-8 w-full min-w-40 px-2 max-sm:h-11',
          sent === value ? 'bg-danger-surface text-danger' : 'bg-surface',
        )}
        onBlur={({ currentTarget }) => send(currentTarget)}
        onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
          if (event.key !== 'Enter') return;
          send(event.currentTarget);
          focusNext(event.currentTarget);
        }}
      />
      {sent !== value && <Check aria-hidden className="me-2 size-4 shrink-0 text-accent" />}
    </span>
  );
}

/** The rows whose cell has one text and one error, each with a field that corrects it. */
export function ErrorCells({ file: { id, columns }, label, error, onCorrect }: ErrorCellsProps) {
  const { t } = useLingui();
  const { column, code, value } = error;
  const query = { errorColumn: column, errorCode: code, ...(column !== '' && { errorValue: value }) };
  const pages = usePages('imports', 'rows', { id, limit: PAGE_SIZE, ...query });
  const others = columns
    .map(({ name, field }, place) => ({ name, field, place }))
    .filter(({ name, field }) => field !== null && name !== column)
    .slice(0, OTHERS_MAX);
  return (
    <>
      {pages.error !== null && <ErrorBox error={pages.error} onRetry={pages.retry} />}
      <section aria-label={t`Rows: ${label}`} {...scrollable} className="overflow-x-auto">
        <table className="w-full rounded-sm border border-line text-sm">
          <thead className="bg-sunken text-muted text-xs">
            <tr>
              <th scope="col" className="px-2 py-1.5 text-end font-normal">
                <Trans>Row</Trans>
              </th>
              <th scope="col" className="px-2 py-1.5 text-start font-normal">
                {label}
              </th>
              {others.map(({ name }) => (
                <th key={name} scope="col" className="px-2 py-1.5 text-start font-normal">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line-soft">
            {pages.rows?.map((row) => (
              <tr key={row.row}>
                <td className="w-12 px-2 text-end text-muted tabular-nums">{row.row}</td>
                <td className={onCorrect === undefined ? 'px-2 py-1.5 text-danger' : 'border-line border-x'}>
                  {onCorrect === undefined ? (
                    value || t`empty`
                  ) : (
                    <CorrectedCell label={label} row={row} value={value} onCorrect={onCorrect} />
                  )}
                </td>
                {others.map(({ name, place }) => (
                  <td key={name} className="max-w-52 truncate px-2 py-1.5">
                    {row.cells[place]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {pages.hasMore && (
        <Button
          look="quiet"
          size="small"
          className="self-start"
          disabled={pages.isLoadingMore}
          onClick={pages.loadMore}
        >
          <Trans>Show more rows</Trans>
        </Button>
      )}
    </>
  );
}
