import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Import } from '@roster/client';
import { countryName } from '@roster/import';
import { Link } from '@tanstack/react-router';
import { Check } from '../../more-icons.tsx';
import { resources } from '../../resources/index.ts';
import { classNames } from '../../ui/button.tsx';
import { CountList } from '../../ui/progress.tsx';
import type { FilePreview } from './draft.ts';

const steps = [msg`Columns`, msg`Check`, msg({ message: 'Import', context: 'step' })];

/** The way from an import to all of them. */
export function ImportsLink() {
  const { t } = useLingui();
  return (
    <Link to="/imports" aria-label={t`All imports`} className="hover:text-text">
      <Trans>Imports</Trans>
    </Link>
  );
}

/** The three steps of every import, with the present one. */
export function Steps({ current }: { current: 0 | 1 | 2 }) {
  const { t } = useLingui();
  return (
    <ol aria-label={t`Steps`} className="flex flex-wrap gap-x-5 gap-y-1 font-medium text-sm">
      {steps.map((label, index) => (
        <li
          key={label.id}
          aria-current={index === current ? 'step' : undefined}
          className={classNames('flex items-center gap-1.5', index !== current && 'text-muted')}
        >
          <span
            aria-hidden
            className={classNames(
              'grid size-5 place-items-center rounded-full text-xs',
              index === current && 'bg-text text-surface',
              index > current && 'bg-hover',
            )}
          >
            {index < current ? <Check className="size-3.5" /> : index + 1}
          </span>
          {t(label)}
        </li>
      ))}
    </ol>
  );
}

export function useDelimiterLabels(): Readonly<Record<FilePreview['delimiter'], string>> {
  const { t } = useLingui();
  return { ',': t`Comma (,)`, ';': t`Semicolon (;)`, '\t': t`Tab`, '|': t`Vertical bar (|)` };
}

/** The columns of a file that set no field, counted and named; nothing if all of them do. */
export function LeftOutColumns({ columns }: Pick<Import, 'columns'>) {
  const left = columns.filter(({ field }) => field === null);
  if (left.length === 0) return null;
  const [count, all] = [left.length, columns.length];
  const names = left.map(({ name }) => name).join(', ');
  return (
    <p className="text-muted text-sm">
      <Plural
        value={count}
        one={`# of ${all} columns is ignored: ${names}`}
        other={`# of ${all} columns are ignored: ${names}`}
      />
    </p>
  );
}

/** The words of the button that uses a column for a field that others need. */
export function UseAs({ field, label }: { field: string; label: string }) {
  if (field === 'licenses[0].number') return <Trans>Use as licence number</Trans>;
  return <Trans>Use as: {label}</Trans>;
}

type Counts = Pick<Import, 'created' | 'updated' | 'unchanged' | 'errors' | 'warnings'>;

/** The number of rows by their expected outcome, also as a bar. */
export function Forecast({ created, updated, unchanged, errors, warnings }: Counts) {
  const { t, i18n } = useLingui();
  const counts = [
    { label: t({ message: 'Created', context: 'count' }), count: created, fill: 'bg-live' },
    { label: t({ message: 'Changed', context: 'count' }), count: updated, fill: 'bg-live/50' },
    { label: t`Unchanged`, count: unchanged, fill: 'bg-line-strong' },
    ...(warnings > 0 ? [{ label: t`With warnings`, count: warnings, fill: 'bg-soon-fill' }] : []),
    { label: t`Not imported`, count: errors, fill: 'bg-danger-fill' },
  ];
  return (
    <>
      <div aria-hidden className="flex h-2 gap-0.5 overflow-hidden rounded-full forced-color-adjust-none">
        {counts.map(({ label, count, fill }) => (
          <i key={label} className={classNames(fill, count === 0 && 'hidden')} style={{ flexGrow: count }} />
        ))}
      </div>
      <dl className="flex flex-col gap-2 text-sm">
        {counts.map(({ label, count, fill }) => (
          <div key={label} className="flex items-center gap-2">
            <dt className="flex grow items-center gap-2">
              <i aria-hidden className={classNames('size-2 rounded-[2px] forced-color-adjust-none', fill)} />
              {label}
            </dt>
            <dd
              className={classNames('tabular-nums', fill === 'bg-danger-fill' && count > 0 && 'text-danger')}
            >
              {i18n.number(count)}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** The countries by which phone numbers without a country code are read. */
export function PhoneCountries({ findings }: { findings: NonNullable<Import['findings']> }) {
  const { i18n } = useLingui();
  const found = findings.phoneCountries.map(({ country, rows }) => {
    const name = countryName(country, i18n.locale);
    return findings.phoneCountries.length > 1 ? `${name} (${i18n.number(rows)})` : name;
  });
  if (found.length === 0) return null;
  return (
    <p className="text-sm">
      <Trans>Phone numbers without a country code are from: {found.join(', ')}</Trans>
    </p>
  );
}

export function WrittenCounts({ written }: { written: Import }) {
  const { t } = useLingui();
  const { created, updated, unchanged, errors, skipped, total, processed } = written;
  const left = total - processed;
  return (
    <CountList
      counts={[
        { label: t({ message: 'Created', context: 'count' }), count: created },
        { label: t({ message: 'Changed', context: 'count' }), count: updated },
        { label: t`Unchanged`, count: unchanged },
        { label: t`With errors`, count: errors },
        ...(skipped > 0 ? [{ label: t`Skipped`, count: skipped }] : []),
        ...(left > 0 ? [{ label: t`Not written yet`, count: left }] : []),
      ]}
    />
  );
}

type ReadFile = Pick<FilePreview, 'resource' | 'format' | 'encoding' | 'delimiter'> & {
  columns: readonly unknown[];
};

/** The records of a file, its format, and how it is read. */
export function FileLine({ file: { resource, format, encoding, delimiter, columns } }: { file: ReadFile }) {
  const { t } = useLingui();
  const delimiters = useDelimiterLabels();
  return (
    <>
      {t(resources[resource].labels.many)} ·{' '}
      {format === 'csv' ? (
        <>
          CSV · {encoding} · {delimiters[delimiter]} ·{' '}
          <Plural value={columns.length} one="# column" other="# columns" />
        </>
      ) : (
        <Trans>NDJSON · {encoding}</Trans>
      )}
    </>
  );
}
