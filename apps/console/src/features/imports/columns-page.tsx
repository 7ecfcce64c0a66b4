import { Trans, useLingui } from '@lingui/react/macro';
import { RosterError } from '@roster/client';
import { Link, Navigate } from '@tanstack/react-router';
import { useStore } from '../../api/store.ts';
import { Callout } from '../../ui/badge.tsx';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { useLeaveWarning } from '../../ui/dialogs/form-dialog.tsx';
import { ErrorBox } from '../../ui/error-text.tsx';
import { Page } from '../../ui/page.tsx';
import { isReadyToCheck, useCheck } from './check-draft.ts';
import { ColumnRow } from './column-row.tsx';
import { type Draft, draftStore, type FilePreview, usePreview } from './draft.ts';
import { LeftOutColumns, Steps } from './import-labels.tsx';
import { PhoneCountryField } from './phone-country-field.tsx';
import { EncodingDoubt, HeaderRow, LackingColumns, MissingFields, SheetNotes } from './preview-notes.tsx';
import { KeptFields, ReadingFields, SourceFields } from './reading-fields.tsx';
import { TaskLayout } from './task-layout.tsx';

interface StepProps {
  draft: Draft;
  preview: FilePreview;
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
  const { check, stop } = useCheck();
  const { resource, format, headerRow, columns, missing, lacking, problems, phones, encodingDoubt } = preview;
  // A preview from before the last choice would send that column as it was.
  const isReady = isReadyToCheck({ draft, preview }) && !isOutdated;
  const isStopped = check.error instanceof RosterError ? false : check.error?.name === 'AbortError';
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) check.mutate();
      }}
    >
      <TaskLayout
        label={t`How the file is read`}
        aside={
          <>
            {phones !== null && <PhoneCountryField draft={draft} phones={phones} />}
            <ReadingFields draft={draft} preview={preview} />
            {problems.map((problem) => (
              <Callout key={problem.code} tone="warning" title={<Problem problem={problem} />} />
            ))}
            {check.isError && !isStopped && <ErrorBox error={check.error} />}
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
            <Link to="/imports" className={buttonClasses('quiet')}>
              <Trans>Choose another file</Trans>
            </Link>
            <p className="text-muted text-xs">
              <Trans>Nothing is saved yet.</Trans>
            </p>
          </>
        }
      >
        {encodingDoubt !== null && <EncodingDoubt doubt={encodingDoubt} />}
        <HeaderRow headerRow={headerRow} />
        <LackingColumns resource={resource} lacking={lacking} />
        <MissingFields resource={resource} missing={missing} />
        <LeftOutColumns columns={columns} />
        {draft.workbook !== undefined && <SheetNotes notes={draft.workbook.notes} />}
        <ul
          aria-label={t`Columns`}
          className="flex flex-col divide-y divide-line-soft rounded-md border border-line bg-surface"
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
        <SourceFields draft={draft} preview={preview} />
        <KeptFields draft={draft} preview={preview} />
      </TaskLayout>
    </form>
  );
}

/** The first step of an import: the columns of the file that was chosen. Without a file, as after a reload, one is chosen first. */
export function ColumnsPage() {
  const draft = useStore(draftStore);
  if (draft === undefined) return <Navigate to="/imports" replace />;
  return (
    <Page title={draft.name} width="table" actions={<Steps current={0} />}>
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
