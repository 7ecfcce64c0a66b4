import { Trans, useLingui } from '@lingui/react/macro';
import { RosterError, type UploadInput, uploadImport } from '@roster/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { observedFetch } from '../../api/connection.ts';
import { useStore } from '../../api/store.ts';
import { Callout } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { useLeaveWarning } from '../../ui/dialogs/form-dialog.tsx';
import { ErrorBox } from '../../ui/error-text.tsx';
import { Page } from '../../ui/page.tsx';
import { ColumnRow } from './column-row.tsx';
import { changeDraft, type Draft, draftStore, type FilePreview, usePreview } from './draft.ts';
import { LeftOutColumns, Steps } from './import-labels.tsx';
import { keepMapping } from './kept-mappings.ts';
import { BY_OFFICE, PhoneCountryField, phoneCountryOf } from './phone-country-field.tsx';
import { EncodingDoubt, HeaderRow, LackingColumns, MissingFields, SheetNotes } from './preview-notes.tsx';
import { KeptFields, ReadingFields, SourceFields } from './reading-fields.tsx';

interface StepProps {
  draft: Draft;
  preview: FilePreview;
}

/** The input that sends a draft to be checked, with what each column is taken for. */
function uploadInput({ draft, preview }: StepProps): UploadInput {
  const { name, options, mapping, emptyCells, sourceName, keyColumn } = draft;
  const isCsv = preview.format === 'csv';
  const { resource, format, delimiter, columns } = preview;
  const dates = columns.flatMap((column) => (column.dates === null ? [] : [[column.name, column.dates]]));
  return {
    resource,
    mode: 'check',
    name,
    format,
    // Not what was found out by the beginning: the rest of the file may have another encoding.
    encoding: options.encoding,
    delimiter,
    mapping: {
      columns: Object.fromEntries(columns.map((column) => [column.name, column.field ?? ''])),
      values: mapping.values,
      dates: Object.fromEntries(dates) as Draft['mapping']['dates'],
      ...(isCsv && { emptyCells: mapping.emptyCells }),
      // Not what was found out by the beginning: later rows may be of offices in other countries.
      ...(mapping.phoneCountry &&
        mapping.phoneCountry !== BY_OFFICE && { phoneCountry: mapping.phoneCountry }),
    },
    ...(isCsv && { emptyCells }),
    ...(sourceName.trim() !== '' && { sourceName: sourceName.trim() }),
    ...(keyColumn !== '' && { keyColumn }),
  };
}

/** Sends a draft to the service, which checks it, and shows its import. */
function useCheck({ draft, preview }: StepProps) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const controller = useRef<AbortController>(undefined);
  const check = useMutation({
    mutationFn: async () => {
      const { resource, columns } = preview;
      const { mapping, emptyCells, sourceName, keyColumn, keptAs } = draft;
      const names = columns.map(({ name }) => name);
      keepMapping({
        resource,
        columns: names,
        keptAs: keptAs.trim(),
        mapping: { ...mapping, ...(uploadInput({ draft, preview }).mapping as Partial<Draft['mapping']>) },
        emptyCells,
        sourceName,
        keyColumn,
      });
      controller.current = new AbortController();
      return uploadImport(uploadInput({ draft, preview }), draft.file, {
        url: window.location.origin,
        fetch: observedFetch,
        signal: controller.current.signal,
      });
    },
    onSuccess: (sent) => {
      client.setQueryData(['imports', 'get', { id: sent.id }], sent);
      void client.invalidateQueries({ queryKey: ['imports', 'list'] });
      changeDraft(() => ({ importId: sent.id, isChanged: false }));
      return navigate({ to: '/imports/$id', params: { id: sent.id } });
    },
  });
  return { check, stop: () => controller.current?.abort() };
}

function Problem({ problem: { code, columns } }: { problem: FilePreview['problems'][number] }) {
  const [first, second] = columns;
  if (code === 'no_columns')
    return <Trans>No columns are selected. Choose a field for at least one column.</Trans>;
  return (
    <Trans>
      The columns {first} and {second} set the same field. Ignore one of them.
    </Trans>
  );
}

/** The columns of a file that was chosen: how they are read, what each means, and the button that checks all rows. */
function ColumnsStep({ draft, preview, isOutdated }: StepProps & { isOutdated: boolean }) {
  const { t } = useLingui();
  const { check, stop } = useCheck({ draft, preview });
  const { resource, format, headerRow, columns, missing, lacking, problems, phones, encodingDoubt } = preview;
  const isDateOpen = columns.some(({ dateDoubt }) => dateDoubt !== null);
  const isCountryOpen = phones !== null && phoneCountryOf(draft, phones) === undefined;
  // A preview from before the last choice would send that column as it was.
  const isEncodingOpen = encodingDoubt !== null;
  const isReady = problems.length === 0 && !isCountryOpen && !isDateOpen && !isEncodingOpen && !isOutdated;
  const isStopped = check.error instanceof RosterError ? false : check.error?.name === 'AbortError';
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) check.mutate();
      }}
    >
      <ReadingFields draft={draft} preview={preview} />
      {encodingDoubt !== null && <EncodingDoubt doubt={encodingDoubt} />}
      <HeaderRow headerRow={headerRow} />
      <LeftOutColumns columns={columns} />
      {draft.workbook !== undefined && <SheetNotes notes={draft.workbook.notes} />}
      <LackingColumns resource={resource} lacking={lacking} />
      <MissingFields resource={resource} missing={missing} />
      <ul
        aria-label={t`Columns`}
        className="flex flex-col divide-y divide-line rounded-md border border-line bg-surface"
      >
        {columns.map((column) => (
          <ColumnRow
            key={column.name}
            resource={resource}
            column={column}
            draft={draft}
            hasEmptyCells={format === 'csv' && column.empty > 0}
          />
        ))}
      </ul>
      {phones !== null && <PhoneCountryField draft={draft} phones={phones} />}
      <SourceFields draft={draft} preview={preview} />
      <KeptFields draft={draft} preview={preview} />
      {problems.map((problem) => (
        <Callout key={problem.code} tone="warning" title={<Problem problem={problem} />} />
      ))}
      {check.isError && !isStopped && <ErrorBox error={check.error} />}
      <div className="flex flex-wrap items-center gap-2">
        <Button look="primary" type="submit" disabled={!isReady || check.isPending}>
          <Trans>Check all rows</Trans>
        </Button>
        {check.isPending && (
          <>
            <p role="status" className="text-muted text-sm">
              <Trans>The file is being sent …</Trans>
            </p>
            <Button onClick={stop}>
              <Trans>Cancel</Trans>
            </Button>
          </>
        )}
      </div>
    </form>
  );
}

/** The first step of an import: the columns of the file that was chosen. Without a file, as after a reload, one is chosen first. */
export function ColumnsPage() {
  const { t } = useLingui();
  const draft = useStore(draftStore);
  if (draft === undefined) return <Navigate to="/imports" replace />;
  return (
    <Page title={draft.name} width="text" intro={t`You'll see a preview before anything is saved.`}>
      <Steps current={0} />
      <DraftStep key={draft.number} draft={draft} />
    </Page>
  );
}

function DraftStep({ draft }: { draft: Draft }) {
  const { data: preview, error, isError, isPlaceholderData } = usePreview(draft);
  // The browser does not keep the file over a reload, and so not what it means.
  useLeaveWarning(draft.isChanged);
  return (
    <>
      {isError && <ErrorBox error={error} />}
      {preview !== undefined && (
        <ColumnsStep draft={draft} preview={preview} isOutdated={isPlaceholderData} />
      )}
    </>
  );
}
