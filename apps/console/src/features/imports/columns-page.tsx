import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { RosterError } from '@roster/client';
import { Link, Navigate } from '@tanstack/react-router';
import { useState } from 'react';
import { contracts } from '../../api/contract/contracts.ts';
import { useStore } from '../../api/store.ts';
import { Callout } from '../../ui/badge.tsx';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { useLeaveWarning } from '../../ui/dialogs/form-dialog.tsx';
import { ErrorBox } from '../../ui/error-text.tsx';
import { Fold } from '../../ui/fold.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { TaskLayout } from '../../ui/task-layout.tsx';
import { isReadyToCheck, useCheck } from './check-draft.ts';
import { ColumnList } from './column-list.tsx';
import { type Decision, DecisionBlock, decisionsOf } from './decisions.tsx';
import { type Draft, draftStore, type FilePreview, usePreview } from './draft.ts';
import { ImportsLink, Steps } from './import-labels.tsx';
import { PhoneCountryField } from './phone-country-field.tsx';
import { EncodingDoubt, HeaderRow, MissingFields, SheetNotes } from './preview-notes.tsx';
import { FileFold, SheetField } from './reading-fields.tsx';
import { DateFormatFields, EmptyCellsFields } from './value-fields.tsx';

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
  const { problems, phones } = preview;
  const decisions = decisionsOf(draft, preview);
  const undecided = decisions.flatMap(({ column }) => (column.field === null ? column.name : []));
  const names = undecided.join(', ');
  // A preview from before the last choice would send that column as it was.
  const isReady = isReadyToCheck({ draft, preview }) && !isOutdated;
  const isStopped = check.error instanceof RosterError ? false : check.error?.name === 'AbortError';
  return (
    <form
      className="flex grow flex-col"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) check.mutate();
      }}
    >
      <TaskLayout
        label={t`How values are read`}
        aside={
          <>
            {draft.workbook !== undefined && draft.workbook.sheets.length > 1 && (
              <SheetField name={draft.name} workbook={draft.workbook} />
            )}
            {phones !== null && <PhoneCountryField draft={draft} phones={phones} />}
            <EmptyCellsFields draft={draft} preview={preview} />
            <DateFormatFields preview={preview} />
            {problems.map((problem) => (
              <Callout key={problem.code} tone="warning" title={<Problem problem={problem} />} />
            ))}
            {check.isError && !isStopped && <ErrorBox error={check.error} />}
            <div className="flex flex-col gap-2">
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
              <p className="pt-1 text-muted text-xs">
                <Trans>Nothing is saved yet.</Trans>{' '}
                {undecided.length > 0 && (
                  <Plural
                    value={undecided.length}
                    one={`Until you decide, ${names} is left out.`}
                    other={`Until you decide, ${names} are left out.`}
                  />
                )}
              </p>
            </div>
          </>
        }
      >
        <FileNotes draft={draft} preview={preview} />
        <Columns draft={draft} preview={preview} decisions={decisions} />
      </TaskLayout>
    </form>
  );
}

/** Whatever is odd about the file; nothing if nothing is. */
function FileNotes({ draft, preview: { headerRow, resource, missing, encodingDoubt } }: StepProps) {
  return (
    <div className="flex flex-col gap-3 empty:hidden">
      {encodingDoubt !== null && <EncodingDoubt doubt={encodingDoubt} />}
      <HeaderRow headerRow={headerRow} />
      <MissingFields resource={resource} missing={missing} />
      {draft.workbook !== undefined && <SheetNotes notes={draft.workbook.notes} />}
    </div>
  );
}

/** The columns of the file: those to decide about, those that set a field, and those that don't. */
function Columns({ draft, preview, decisions }: StepProps & { decisions: readonly Decision[] }) {
  const { t } = useLingui();
  const [last, onDecide] = useState<string>();
  const { resource, columns, missing } = preview;
  const asked = new Set(decisions.map(({ column }) => column));
  const known = columns.filter(({ field }) => field !== null);
  const left = columns.filter((column) => column.field === null && !asked.has(column));
  const list = { resource, draft, last, onDecide };
  const fields = new Set(known.map(({ field }) => field));
  // A part of the name that no column sets is likely to be in one that is left out.
  const isNamed = fields.has('wholeName') || contracts[resource].nameParts?.every((part) => fields.has(part));
  return (
    <>
      {decisions.length > 0 && (
        <Section
          title={
            <Plural
              value={decisions.length}
              one="# column needs a decision"
              other="# columns need a decision"
            />
          }
          note={<Plural value={columns.length} one="# column" other="# columns" />}
        >
          <ul className="rounded-md border border-line bg-surface">
            {decisions.map((decision) => (
              <DecisionBlock
                key={decision.column.name}
                resource={resource}
                decision={decision}
                onDecide={onDecide}
              />
            ))}
          </ul>
        </Section>
      )}
      <Section
        title={<Plural value={known.length} one="# column is recognised" other="# columns are recognised" />}
      >
        {known.length > 0 && <ColumnList label={t`Columns`} columns={known} {...list} />}
        <div>
          {left.length > 0 && (
            <Fold
              title={<Plural value={left.length} one="# column is left out" other="# columns are left out" />}
              note={left.map(({ name }) => name).join(', ')}
              isOpenFirst={!isNamed || missing.length > 0}
            >
              <ColumnList label={t`Columns that are left out`} columns={left} {...list} />
            </Fold>
          )}
          <FileFold draft={draft} preview={preview} />
        </div>
      </Section>
    </>
  );
}

/** The first step of an import: the columns of the file that was chosen. Without a file, as after a reload, one is chosen first. */
export function ColumnsPage() {
  const draft = useStore(draftStore);
  if (draft === undefined) return <Navigate to="/imports" replace />;
  return (
    <Page above={<ImportsLink />} title={draft.name} width="full" actions={<Steps current={0} />}>
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
