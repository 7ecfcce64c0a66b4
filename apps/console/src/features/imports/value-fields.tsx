import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { toIsoDay } from '@roster/import';
import { Fold } from '../../ui/fold.tsx';
import { Choice } from '../../ui/forms/choice.tsx';
import { optionsOf, SelectField } from '../../ui/forms/select.tsx';
import { isOfItem } from '../fields/import-columns.ts';
import { changeDraft, type Draft, type FilePreview, say } from './draft.ts';

type PreviewedColumn = FilePreview['columns'][number];
type DateFormat = NonNullable<PreviewedColumn['dates']>;

/** The format of the days of a column; each choice with one of them as it reads it. */
function DateFormatField({
  label,
  column: { name, dates, dateDoubt, samples },
}: {
  label: string;
  column: PreviewedColumn;
}) {
  const { t, i18n } = useLingui();
  const sample = samples.find((text) => !/^\d{4}-/.test(text)) ?? samples[0] ?? '';
  const read = (format: DateFormat) => {
    const day = new Date(`${toIsoDay(sample, format)}T00:00:00Z`);
    return Number.isNaN(day.getTime()) ? undefined : i18n.date(day, { dateStyle: 'medium', timeZone: 'UTC' });
  };
  const formats = (
    [
      ['day-first', t`Day, month, year`],
      ['month-first', t`Month, day, year`],
      ['year-first', t`Year, month, day`],
      ['iso', t`Year-month-day (2027-12-31)`],
    ] satisfies [DateFormat, string][]
  ).map(([format, text]) => [format, text, read(format)] as const);
  const hint =
    dateDoubt === 'ambiguous'
      ? t`These dates can be read two ways. Choose how they are written.`
      : dateDoubt === 'contradictory'
        ? t`Some of these dates are day first and others month first. Dates that don't fit your choice are errors.`
        : dates !== null && sample !== '' && read(dates) === undefined
          ? t`${sample} isn't a date in this format`
          : undefined;
  return (
    <SelectField
      label={label}
      hint={hint}
      value={dateDoubt === null ? (dates ?? '') : ''}
      onChange={(chosen) => chosen !== '' && say('dates', name, chosen)}
      options={[...(dateDoubt === null ? [] : ([['', t`Choose …`]] satisfies ['', string][])), ...formats]}
    />
  );
}

/** The formats of the days of all columns that have any. */
export function DateFormatFields({ preview }: { preview: FilePreview }) {
  const { t } = useLingui();
  const columns = preview.columns.filter(({ dates }) => dates !== null);
  return columns.map((column) => (
    <DateFormatField
      key={column.name}
      label={columns.length === 1 ? t`Dates` : t`Dates: ${column.name}`}
      column={column}
    />
  ));
}

/** The effect of empty cells: that of the whole file, and of each column that has any. */
export function EmptyCellsFields({
  draft: { emptyCells, mapping },
  preview,
}: {
  draft: Draft;
  preview: FilePreview;
}) {
  const { t } = useLingui();
  if (preview.format !== 'csv') return null;
  const labels = { keep: t`Keep what the record has`, clear: t`Clear what the record has` };
  const columns = preview.columns.filter(
    ({ field, empty }) => empty > 0 && field !== null && !isOfItem(preview.resource, field),
  );
  const count = columns.reduce((sum, { empty }) => sum + empty, 0);
  return (
    <div className="flex flex-col gap-1">
      <Choice
        label={t`Empty cells`}
        value={emptyCells}
        options={[
          { value: 'keep', label: labels.keep },
          { value: 'clear', label: labels.clear },
        ]}
        onChange={(chosen) => changeDraft(() => ({ emptyCells: chosen }))}
      />
      {count > 0 && (
        <>
          <p className="text-muted text-xs">
            <Plural
              value={count}
              one="# cell is empty in the first rows."
              other="# cells are empty in the first rows."
            />
          </p>
          <Fold title={<Trans>By column</Trans>} isOpenFirst={Object.keys(mapping.emptyCells).length > 0}>
            <div className="flex flex-col gap-3">
              {columns.map(({ name, empty }) => (
                <SelectField
                  key={name}
                  label={name}
                  hint={<Plural value={empty} one="# empty cell" other="# empty cells" />}
                  value={mapping.emptyCells[name] ?? ''}
                  onChange={(chosen) => {
                    if (chosen !== '') return say('emptyCells', name, chosen);
                    const { [name]: _, ...others } = mapping.emptyCells;
                    changeDraft(() => ({ mapping: { ...mapping, emptyCells: others } }));
                  }}
                  options={[['', t`As in the whole file`], ...optionsOf(labels)]}
                />
              ))}
            </div>
          </Fold>
        </>
      )}
    </div>
  );
}
