import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { Button, classNames } from '../../components/button.tsx';
import { ErrorBox } from '../../components/error-text.tsx';
import { scrollable } from '../../components/page.tsx';
import { readFaulty } from '../../import/journal.ts';
import { reportName, reportOf, save } from '../../import/report.ts';
import type { FaultyRow, ImportDocument } from '../../import/types.ts';

const PAGE_ROWS = 50;

/** The faulty rows in pages, in the order of the file. `version` changes when there are more. */
function useFaulty(id: string, version: number) {
  return useInfiniteQuery({
    queryKey: ['import', id, 'faulty', version],
    queryFn: ({ pageParam }) => readFaulty(id, pageParam, PAGE_ROWS),
    initialPageParam: 0,
    getNextPageParam: (page) => (page.length < PAGE_ROWS ? undefined : page.at(-1)?.row),
    staleTime: Number.POSITIVE_INFINITY,
    // Another check finds other rows: what the page has left is forgotten.
    gcTime: 0,
  });
}

/** One faulty row: its number in the file, what is wrong, and its cells, of which the faulty ones are marked. */
function FaultyLine({ row, headers }: { row: FaultyRow; headers: readonly string[] }) {
  const { t } = useLingui();
  const wrong = new Set(row.errors.map(({ column }) => column));
  const cells = headers
    .map((header, index) => ({ header, cell: row.cells[index] ?? '' }))
    .filter(({ header, cell }) => wrong.has(header) || cell !== '');
  return (
    <li className="flex flex-col gap-2 border-line border-t px-3 py-3 text-sm first:border-t-0">
      <p className="font-semibold">
        <Trans>Row {row.row}</Trans>
      </p>
      <ul>
        {row.errors.map(({ column, code, message }) => (
          <li key={`${column} ${code} ${message}`} className="text-danger">
            {column !== '' && <strong className="font-semibold">{column} </strong>}
            {message}
          </li>
        ))}
      </ul>
      {cells.length > 0 && (
        <section aria-label={t`Cells of row ${row.row}`} {...scrollable} className="overflow-x-auto">
          <dl className="flex gap-px text-xs">
            {cells.map(({ header, cell }) => (
              <div
                key={header}
                className={classNames(
                  'max-w-52 shrink-0 border px-2 py-1',
                  wrong.has(header) ? 'border-danger bg-danger-surface text-danger' : 'border-line',
                )}
              >
                <dt className={classNames('truncate', !wrong.has(header) && 'text-muted')}>{header}</dt>
                <dd className="truncate">{cell === '' ? t`empty` : cell}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </li>
  );
}

/** The rows that were rejected, and their report. */
export function FaultyRows({
  document,
  count,
  version,
}: {
  document: ImportDocument;
  count: number;
  version: number;
}) {
  const faulty = useFaulty(document.id, version);
  const download = useMutation({
    mutationFn: async () => save(await reportOf(document), reportName(document.fileName)),
  });
  if (count === 0) return null;
  return (
    <section aria-labelledby="faulty-rows" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <h2 id="faulty-rows" className="grow font-semibold">
          <Plural value={count} one="# row with an error" other="# rows with errors" />
        </h2>
        <Button disabled={download.isPending} onClick={() => download.mutate()}>
          <Download aria-hidden />
          <Trans>Download these rows</Trans>
        </Button>
      </div>
      <p className="max-w-prose text-muted text-sm">
        <Trans>
          The download has the rows as they are in your file, with what is wrong in the first column. Correct
          them there, and drop that file here again.
        </Trans>
      </p>
      {download.isError && <ErrorBox error={download.error} />}
      {faulty.isError && <ErrorBox error={faulty.error} />}
      <ul className="rounded-lg border border-line bg-surface">
        {faulty.data?.pages.flat().map((row) => (
          <FaultyLine key={row.row} row={row} headers={document.inspection.headers} />
        ))}
      </ul>
      {faulty.hasNextPage && (
        <Button className="self-start" onClick={() => void faulty.fetchNextPage()}>
          <Trans>Show more</Trans>
        </Button>
      )}
    </section>
  );
}
