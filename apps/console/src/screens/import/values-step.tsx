import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { toIsoDay } from '@roster/import';
import { Button } from '../../components/button.tsx';
import { SelectField } from '../../components/forms/field.tsx';
import { choiceLabel } from '../../fields/field-labels.ts';
import { changeMapping } from '../../import/begin-import.ts';
import { updateImport } from '../../import/documents.ts';
import { choicesOf } from '../../import/importables.ts';
import { rememberMapping } from '../../import/mapping.ts';
import { checkImport } from '../../import/run-import.ts';
import type { DateFormat, ImportDocument, SurveyedColumn } from '../../import/types.ts';
import { openColumns } from '../../import/values.ts';
import { columnLabel } from './column-labels.ts';

interface ColumnProps {
  document: ImportDocument;
  column: SurveyedColumn;
}

/** What each value of a column of choices stands for. */
function ChoiceColumn({ document, column: { header, field, values } }: ColumnProps) {
  const { t, i18n } = useLingui();
  const { resource, mapping } = document;
  return (
    <ul className="grid gap-3 sm:grid-cols-2">
      {values.map(([value, count]) => (
        <li key={value}>
          <SelectField
            label={value}
            hint={<Plural value={count} one="# row" other="# rows" />}
            value={mapping.values[header]?.[value] ?? ''}
            onChange={({ target: { value: choice } }) =>
              void changeMapping(document, (before) => ({
                ...before,
                values: { ...before.values, [header]: { ...before.values[header], [value]: choice } },
              }))
            }
          >
            <option value="">{t`Nothing: the field is cleared`}</option>
            {(choicesOf(resource, field) ?? []).map((choice) => (
              <option key={choice} value={choice}>
                {choiceLabel(i18n, field, choice)}
              </option>
            ))}
          </SelectField>
        </li>
      ))}
    </ul>
  );
}

/** How the dates of a column are written. */
function DateColumn({ document, column: { header, values } }: ColumnProps) {
  const { t, i18n } = useLingui();
  const format = document.mapping.dateFormats[header] ?? 'iso';
  const formats: [DateFormat, string][] = [
    ['day-first', t`Day, month, year`],
    ['month-first', t`Month, day, year`],
    ['year-first', t`Year, month, day`],
    ['iso', t`As they are (2027-12-31)`],
  ];
  const [sample = ''] = values[0] ?? [];
  const day = new Date(`${toIsoDay(sample, format)}T00:00:00Z`);
  const shown = Number.isNaN(day.getTime())
    ? t`${sample} is no day in this format`
    : t`${sample} is ${i18n.date(day, { dateStyle: 'long', timeZone: 'UTC' })}`;
  return (
    <SelectField
      label={t`Dates are written`}
      hint={shown}
      className="max-w-sm"
      value={format}
      onChange={({ target: { value } }) =>
        void changeMapping(document, (before) => ({
          ...before,
          dateFormats: { ...before.dateFormats, [header]: value as DateFormat },
        }))
      }
    >
      {formats.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
  );
}

/** The values that need a look: words for choices that are not known, and how dates are written. */
export function ValuesStep({ document }: { document: ImportDocument }) {
  const { i18n } = useLingui();
  const { id, resource, mapping, survey, inspection } = document;
  // What was open stays shown after it was answered.
  const open = survey.filter(
    (column) => column.kind === 'choice' || openColumns(resource, mapping, [column]).length > 0,
  );
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        rememberMapping(resource, inspection.headers, mapping);
        void checkImport(document);
      }}
    >
      {open.map((column) => (
        <fieldset key={column.header} className="flex flex-col gap-3">
          <legend className="mb-2 font-semibold">
            {column.header}{' '}
            <span className="font-normal text-muted">{columnLabel(i18n, resource, column.field)}</span>
          </legend>
          {column.kind === 'choice' ? (
            <ChoiceColumn document={document} column={column} />
          ) : (
            <DateColumn document={document} column={column} />
          )}
          {column.isCut && (
            <p className="text-muted text-sm">
              <Trans>
                There are more values; those that are not known are errors of their rows in the check.
              </Trans>
            </p>
          )}
        </fieldset>
      ))}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void updateImport(id, () => ({ stage: 'columns' }))}>
          <Trans>Back</Trans>
        </Button>
        <Button look="primary" type="submit">
          <Trans>Check all rows</Trans>
        </Button>
      </div>
    </form>
  );
}
