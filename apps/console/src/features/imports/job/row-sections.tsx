import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Import } from '@roster/client';
import { type ReactNode, useId } from 'react';
import type { Inputs } from '../../../api/client.ts';
import { usePages } from '../../../api/use-pages.ts';
import { Button, classNames } from '../../../ui/button.tsx';
import { ErrorBox } from '../../../ui/error-text.tsx';
import { CheckboxField } from '../../../ui/forms/field.tsx';
import { scrollable } from '../../../ui/page.tsx';
import { RecordLink } from '../../../ui/record-name.tsx';
import { listText } from '../../fields/field-labels.ts';
import { columnLabel } from '../../fields/import-columns.ts';
import { ChangedFields } from '../../record/changed-fields.tsx';
import type { ImportRow } from './fault-words.ts';

const PAGE_SIZE = 25;

interface RowsProps {
  file: Import;
  query: Pick<Inputs['imports']['rows'], 'outcome' | 'warnings' | 'looksLike'>;
  children: (row: ImportRow) => ReactNode;
}

/** Some rows of an import in the order of the file, a page at a time. */
export function Rows({ file: { id }, query, children }: RowsProps) {
  const pages = usePages('imports', 'rows', { id, limit: PAGE_SIZE, ...query });
  return (
    <>
      {pages.error !== null && <ErrorBox error={pages.error} onRetry={pages.retry} />}
      <ul className="divide-y divide-line rounded-md border border-line bg-surface text-sm empty:hidden">
        {pages.rows?.map((row) => (
          <li key={row.row} className="flex flex-col gap-1 px-3 py-2">
            {children(row)}
          </li>
        ))}
      </ul>
      {pages.hasMore && (
        <Button className="self-start" disabled={pages.isLoadingMore} onClick={pages.loadMore}>
          <Trans>Show more</Trans>
        </Button>
      )}
    </>
  );
}

/** The cells of a row that say anything, those with faults marked. */
export function Cells({ file: { columns }, row }: { file: Import; row: ImportRow }) {
  const { t } = useLingui();
  const wrong = new Set(row.errors.map(({ column }) => column));
  const named = columns.map(({ name }, index) => ({ name, cell: row.cells[index] ?? '' }));
  // Those with faults come first, where they are seen without scrolling.
  const shown = [
    ...named.filter(({ name }) => wrong.has(name)),
    ...named.filter(({ name, cell }) => !wrong.has(name) && cell !== ''),
  ];
  if (shown.length === 0) return null;
  return (
    <section aria-label={t`Cells of row ${row.row}`} {...scrollable} className="overflow-x-auto">
      <dl className="flex gap-px text-xs">
        {shown.map(({ name, cell }) => (
          <div
            key={name}
            className={classNames(
              'max-w-52 shrink-0 border px-2 py-1',
              wrong.has(name) ? 'border-danger bg-danger-surface text-danger' : 'border-line',
            )}
          >
            <dt className={classNames('truncate', !wrong.has(name) && 'text-muted')}>{name}</dt>
            <dd className="truncate">{cell === '' ? t`empty` : cell}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function RowTitle({ row }: { row: ImportRow }) {
  return (
    <p className="font-medium">
      <Trans>Row {row.row}</Trans>
    </p>
  );
}

/** A row that changes a record: which one, and each field from what to what. */
function ChangedRow({ file: { resource }, row }: { file: Import; row: ImportRow }) {
  return (
    <>
      <p className="font-medium">
        <Trans>Row {row.row}</Trans>
        {row.recordId !== null && (
          <>
            {' · '}
            <RecordLink resource={resource} id={row.recordId} />
          </>
        )}
      </p>
      <ChangedFields resource={resource} changes={row.changes} />
    </>
  );
}

export type WarningKind = ImportRow['warnings'][number];

interface WarningProps {
  file: Import;
  kind: WarningKind;
  isAccepted: boolean;
  onAccept: (isAccepted: boolean) => void;
}

/** The rows with one kind of warning, which are left out unless someone accepts it. */
export function WarningRows({ file, kind, isAccepted, onAccept }: WarningProps) {
  const { t, i18n } = useLingui();
  const id = useId();
  const count = file.findings?.[kind] ?? 0;
  const cleared = listText(
    i18n,
    Object.entries(file.findings?.clearedFields ?? {}).map(
      ([field, records]) => `${columnLabel(i18n, file.resource, field)} (${i18n.number(records)})`,
    ),
  );
  const about = {
    renames: {
      title: <Plural value={count} one="# row renames a person" other="# rows rename people" />,
      text: t`These rows match an existing person only by email address, and would change their name. They're skipped unless you accept the warning.`,
      accept: t`Allow renames`,
    },
    clears: {
      title: (
        <Plural value={count} one="# row clears fields of a record" other="# rows clear fields of records" />
      ),
      text: t`Empty cells in your file would clear these fields: ${cleared}. The rows are skipped unless you accept the warning.`,
      accept: t`Allow clearing`,
    },
    damaged: {
      title: <Plural value={count} one="# row has a destroyed value" other="# rows have destroyed values" />,
      text: t`A spreadsheet has replaced values, such as 1.2E+11 for a long number or #REF! for a formula. Correct the file, or the rows are skipped unless you accept the warning.`,
      accept: t`Import these values`,
    },
    guessed: {
      title: (
        <Plural
          value={count}
          one="# row has a value that can be read in several ways"
          other="# rows have values that can be read in several ways"
        />
      ),
      text: t`Such as a company or two people in a name, or a year of two digits. They're skipped unless you accept the warning.`,
      accept: t`Import as read`,
    },
    notRecord: {
      title: (
        <Plural
          value={count}
          one="# row looks like a total or a title"
          other="# rows look like totals or titles"
        />
      ),
      text: t`They're skipped unless you accept the warning.`,
      accept: t`Import these rows`,
    },
    moves: {
      title: (
        <Plural
          value={count}
          one="# row moves a record to a different office"
          other="# rows move records to different offices"
        />
      ),
      text: t`This affects many rows. Check the office column. They're skipped unless you accept the warning.`,
      accept: t`Allow moving`,
    },
    deactivations: {
      title: <Plural value={count} one="# row deactivates a record" other="# rows deactivate records" />,
      text: t`This affects many rows. Check the status column. They're skipped unless you accept the warning.`,
      accept: t`Allow deactivating`,
    },
  }[kind];
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3 rounded-md bg-soon-surface p-4">
      <div>
        <h2 id={id} className="font-semibold text-soon">
          {about.title}
        </h2>
        <p className="text-sm">{about.text}</p>
      </div>
      <Rows file={file} query={{ warnings: [kind] }}>
        {(row) => <ChangedRow file={file} row={row} />}
      </Rows>
      <CheckboxField
        label={about.accept}
        checked={isAccepted}
        onChange={({ target }) => onAccept(target.checked)}
      />
    </section>
  );
}

/** The records that would change, and those that would be new, folded until someone asks for them. */
export function GoodRows({ file }: { file: Import }) {
  const { created, updated } = file;
  return (
    <>
      {updated > 0 && (
        <details open className="text-sm">
          <summary className="min-h-9 py-2 font-semibold text-base">
            <Plural value={updated} one="# changed record" other="# changed records" />
          </summary>
          <div className="flex flex-col gap-3">
            <Rows file={file} query={{ outcome: ['updated'] }}>
              {(row) => <ChangedRow file={file} row={row} />}
            </Rows>
          </div>
        </details>
      )}
      {created > 0 && (
        <details className="text-sm">
          <summary className="min-h-9 py-2 font-semibold text-base">
            <Plural value={created} one="# new record" other="# new records" />
          </summary>
          <div className="flex flex-col gap-3">
            <Rows file={file} query={{ outcome: ['created'] }}>
              {(row) => (
                <>
                  <RowTitle row={row} />
                  <Cells file={file} row={row} />
                </>
              )}
            </Rows>
          </div>
        </details>
      )}
    </>
  );
}
