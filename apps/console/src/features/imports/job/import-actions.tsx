import { Trans, useLingui } from '@lingui/react/macro';
import { allRecords, type Import, type ImportWrite } from '@roster/client';
import { errorHeaders, isErrorHeader } from '@roster/import';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { type Inputs, roster } from '../../../api/client.ts';
import { useStore } from '../../../api/store.ts';
import { Download, Undo2 } from '../../../more-icons.tsx';
import { lazyComponent } from '../../../ui/browser/lazy-components.ts';
import { Button, type ButtonProps, buttonClasses } from '../../../ui/button.tsx';
import { ErrorBox } from '../../../ui/error-text.tsx';
import { Opening } from '../../../ui/popups/held-keys.ts';
import { download } from '../../directory/export/export-file.ts';
import { draftStore } from '../draft.ts';
import { csvRow, ndjsonRow } from './downloaded-rows.ts';
import { type ImportRow, useFaultWords } from './fault-words.ts';

const UndoJobDialog = lazyComponent(() => import('../../record/undo-job-dialog.tsx'), 'UndoJobDialog');

/** The rows in a call: the limit of the service. */
const PAGE_SIZE = 200;

/** The mark at the beginning by which a spreadsheet knows UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** All rows of an import, or some, in the order of the file. */
function rowsOf(query: Inputs['imports']['rows']): AsyncGenerator<ImportRow> {
  return allRecords((cursor, signal) =>
    roster.imports.rows.query({ ...query, limit: PAGE_SIZE, cursor }, { signal }),
  );
}

/**
 * The rows of an import that have errors as a file of its own format, with the errors in the first column, to be corrected and imported.
 *
 * @param words the name of that column, and a function that words what is wrong with a row
 */
async function errorRowsFile(
  file: Import,
  { header, wordsOf }: { header: string; wordsOf: (row: ImportRow) => string },
): Promise<Blob> {
  const { id, format, delimiter, columns } = file;
  const isCsv = format === 'csv';
  // A file that was corrected has the column already.
  const isKept = (place: number) => !isErrorHeader(columns[place]?.name ?? '');
  const names = columns.map(({ name }) => name).filter((_, place) => isKept(place));
  const parts = isCsv ? [BYTE_ORDER_MARK, csvRow([header, ...names], delimiter)] : [];
  for await (const row of rowsOf({ id, outcome: ['error'] })) {
    const { cells } = row;
    const kept = cells.filter((_, place) => isKept(place));
    // A row with too few or too many cells keeps those it has; the error comes first, where it is always in its column.
    const words = wordsOf(row);
    parts.push(isCsv ? csvRow([words, ...kept], delimiter) : ndjsonRow(cells[0] ?? '', [header, words]));
  }
  return new Blob(parts, { type: isCsv ? 'text/csv;charset=utf-8' : 'application/x-ndjson' });
}

/** Makes a CSV file of what became of each row of an import, and which record it matched by what. */
async function matchesFile({ id, delimiter }: Import): Promise<Blob> {
  const parts = [BYTE_ORDER_MARK, csvRow(['row', 'outcome', 'matchedBy', 'id'], delimiter)];
  for await (const { row, outcome, matchedBy, recordId } of rowsOf({ id }))
    parts.push(csvRow([String(row), outcome ?? '', matchedBy ?? '', recordId ?? ''], delimiter));
  return new Blob(parts, { type: 'text/csv;charset=utf-8' });
}

/** The name of a file that is made of an import: `agents.csv` and `agents.xlsx` have the errors `agents-errors.csv`. */
function downloadName({ name, format }: Import, what: string, extension: string = format): string {
  const [base, given] = /^(.*?)(?:\.([^.]*))?$/.exec(name ?? 'import')?.slice(1) ?? [];
  const end = given?.toLowerCase() === 'xlsx' ? format : given;
  return `${base}-${what}.${extension === format ? (end ?? format) : extension}`;
}

/** A change of an import, whose response is shown at once. */
function useImportChange<Input>(id: string, change: (input: Input) => Promise<Import>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (changed) => {
      client.setQueryData(['imports', 'get', { id }], changed);
      void client.invalidateQueries({ queryKey: ['imports', 'list'] });
    },
  });
}

/** Lets an import go on that was interrupted: a check as a check. */
export function useResume(id: string) {
  return useImportChange(id, () => roster.imports.resume.mutate({ id }));
}

export function useWrite(id: string) {
  return useImportChange(id, (input: Omit<ImportWrite, 'id'>) =>
    roster.imports.write.mutate({ id, ...input }),
  );
}

export function CancelButton({ id }: { id: string }) {
  const cancel = useImportChange(id, () => roster.imports.cancel.mutate({ id }));
  return (
    <>
      <Button className="self-start" disabled={cancel.isPending} onClick={() => cancel.mutate(undefined)}>
        <Trans>Cancel</Trans>
      </Button>
      {cancel.isError && <ErrorBox error={cancel.error} />}
    </>
  );
}

/** The way back to the columns, which needs the file: another page, or a reload of this one, has it not. */
export function BackToColumns({ id }: { id: string }) {
  const draft = useStore(draftStore);
  if (draft?.importId === id)
    return (
      <Link to="/imports/new" className={buttonClasses('quiet')}>
        <Trans>Back to the columns</Trans>
      </Link>
    );
  return (
    <Link to="/imports" className={buttonClasses('quiet')}>
      <Trans>Choose a corrected file</Trans>
    </Link>
  );
}

/** The button that undoes an import, after it has said what that would do. */
export function UndoButton({ current }: { current: Import }) {
  const { t } = useLingui();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)}>
        <Undo2 aria-hidden />
        <Trans>Undo all</Trans>
      </Button>
      <Suspense fallback={<Opening />}>
        {isAsking && (
          <UndoJobDialog
            job={current}
            title={t`Undo this import?`}
            undo={(input) => roster.imports.undo.mutate(input)}
            changed={['imports']}
            onClose={() => setAsking(false)}
          >
            <Trans>
              This deletes the new records and restores the previous values of the others. Values changed
              since are kept and listed.
            </Trans>
          </UndoJobDialog>
        )}
      </Suspense>
    </>
  );
}

interface DownloadButtonProps extends Pick<ButtonProps, 'look' | 'className' | 'children'> {
  name: string;
  makeFile: () => Promise<Blob>;
}

/** A button that makes a file and lets the browser save it. */
function DownloadButton({ name, makeFile, children, ...props }: DownloadButtonProps) {
  const saving = useMutation({ mutationFn: async () => download(await makeFile(), name) });
  return (
    <>
      <Button disabled={saving.isPending} onClick={() => saving.mutate()} {...props}>
        <Download aria-hidden />
        {children}
      </Button>
      {saving.isError && <ErrorBox error={saving.error} />}
    </>
  );
}

export function ErrorRowsDownload({ file }: { file: Import }) {
  const { i18n } = useLingui();
  const header = i18n.locale === 'pt' ? errorHeaders.pt : errorHeaders.en;
  const wordsOf = useFaultWords(file);
  const allWordsOf = (row: ImportRow) => row.errors.map((fault) => wordsOf(row, fault)).join('; ');
  return (
    <DownloadButton
      look="quiet"
      name={downloadName(file, 'errors')}
      makeFile={() => errorRowsFile(file, { header, wordsOf: allWordsOf })}
    >
      <Trans>Download these rows</Trans>
    </DownloadButton>
  );
}

/** The button that saves which record each row matched, and by what. */
export function MatchesDownload({ file }: { file: Import }) {
  const name = downloadName(file, 'matches', 'csv');
  return (
    <DownloadButton
      look="quiet"
      className="-ms-2.5 h-auto! min-h-8 self-start whitespace-normal! text-start"
      name={name}
      makeFile={() => matchesFile(file)}
    >
      <Trans>Download how rows were matched</Trans>
    </DownloadButton>
  );
}
