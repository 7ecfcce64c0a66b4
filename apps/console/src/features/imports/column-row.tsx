import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { searchFields, toIsoDay } from '@roster/import';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { groupsOf } from '../../resources/index.ts';
import { Combobox, type ComboboxOption } from '../../ui/forms/combobox.tsx';
import { optionsOf, SelectField } from '../../ui/forms/select.tsx';
import { choiceLabel } from '../fields/field-labels.ts';
import {
  choicesOfColumn,
  columnLabel,
  importables,
  importColumns,
  isOfItem,
} from '../fields/import-columns.ts';
import { changeDraft, type Draft, type FilePreview } from './draft.ts';
import { useEmptyCellsLabels } from './import-labels.tsx';

type PreviewedColumn = FilePreview['columns'][number];
type Mapping = Omit<Draft['mapping'], 'phoneCountry'>;
type DateFormat = NonNullable<PreviewedColumn['dates']>;

interface ColumnProps {
  resource: ResourceName;
  column: PreviewedColumn;
}

function say<Part extends keyof Mapping>(part: Part, name: string, value: Mapping[Part][string]): void {
  changeDraft(({ mapping }) => ({ mapping: { ...mapping, [part]: { ...mapping[part], [name]: value } } }));
}

/** The fields that a column may set, in the groups of a record's form; first the other ways to name it and its office. */
function fieldOptions(i18n: I18n, resource: ResourceName): ComboboxOption[] {
  const groups = groupsOf(resource);
  const rankOf = (field: string) => {
    const [name = ''] = field.split(/[.[]/);
    return groups.findIndex(({ fields }) => fields.includes(name));
  };
  const options = importColumns(resource).map(({ field, reso }) => {
    const rank = rankOf(field);
    const group = i18n._(groups[rank]?.label ?? msg`Record`);
    return { rank, id: field, label: columnLabel(i18n, resource, field), detail: reso, group };
  });
  return options.toSorted((one, other) => one.rank - other.rank);
}

const folded = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

function FieldChoice({ resource, column: { name, field } }: ColumnProps) {
  const { t, i18n } = useLingui();
  const options = fieldOptions(i18n, resource);
  const known = options.find(({ id }) => id === field);
  const value = field === null ? null : (known ?? { id: field, label: columnLabel(i18n, resource, field) });
  const search = async (text: string) => {
    const wanted = folded(text);
    const byWords = searchFields(text, importables[resource]);
    return options.filter(
      ({ id, label, detail = '', group = '' }) =>
        byWords.includes(id) || [id, label, detail, group].some((one) => folded(one).includes(wanted)),
    );
  };
  return (
    <Combobox
      label={<span className="sr-only">{name}</span>}
      placeholder={t`Don't import`}
      value={value}
      search={search}
      onChange={(option) => say('columns', name, option?.id ?? '')}
    />
  );
}

/** The word for a cell whose meaning no one has said. */
const UNKNOWN = '?';

/** The choices that the texts of a column stand for: those that are not known, and those that someone has said. */
function ChoicesOfTexts({
  resource,
  column: { name, field, values },
  said,
}: ColumnProps & { said: Mapping }) {
  const { t, i18n } = useLingui();
  const asked = (values ?? []).filter(
    ({ text, choice }) => choice === null || said.values[name]?.[text] !== undefined,
  );
  if (asked.length === 0 || field === null) return null;
  const choices = choicesOfColumn(resource, field).map(
    (one) => [one, choiceLabel(i18n, field, one) ?? one] as const,
  );
  return (
    <ul className="grid gap-3 sm:grid-cols-2">
      {asked.map(({ text, count, choice }) => (
        <li key={text}>
          <SelectField
            label={text}
            hint={<Plural value={count} one="In # of the first rows" other="In # of the first rows" />}
            value={choice ?? UNKNOWN}
            onChange={(chosen) => {
              const { [text]: _, ...others } = said.values[name] ?? {};
              say('values', name, chosen === UNKNOWN ? others : { ...others, [text]: chosen });
            }}
            options={[
              [UNKNOWN, t`Unknown: the row has an error`],
              ['', t`None: the field is cleared`],
              ...choices,
            ]}
          />
        </li>
      ))}
    </ul>
  );
}

function SplitNames({ resource, column: { names } }: ColumnProps) {
  const { t, i18n } = useLingui();
  if (names === null || names.length === 0) return null;
  return (
    <ul aria-label={t`How names are split`} className="text-xs">
      {names.map(({ text, doubt, designations, ...parts }) => (
        <li key={text} className="break-words">
          <span className="text-muted">{text} → </span>
          {Object.entries({ ...parts, designations: designations.join(', ') || null })
            .filter(([, part]) => part !== null)
            .map(([field, part]) => `${columnLabel(i18n, resource, field)}: ${part}`)
            .join(' · ')}
          {doubt !== null && <span className="text-warning"> · {t`Please check this name`}</span>}
        </li>
      ))}
    </ul>
  );
}

/** The format of the days of a column, with one of them as it is read. */
function FormatOfDays({ column: { name, dates, dateDoubt, samples } }: ColumnProps) {
  const { t, i18n } = useLingui();
  if (dates === null) return null;
  const formats: [DateFormat | '', string][] = [
    ...(dateDoubt === null ? [] : ([['', t`Choose …`]] satisfies ['', string][])),
    ['day-first', t`Day, month, year`],
    ['month-first', t`Month, day, year`],
    ['year-first', t`Year, month, day`],
    ['iso', t`Year-month-day (2027-12-31)`],
  ];
  const sample = samples.find((text) => !/^\d{4}-/.test(text)) ?? samples[0] ?? '';
  const day = new Date(`${toIsoDay(sample, dates)}T00:00:00Z`);
  const hint =
    dateDoubt === 'ambiguous'
      ? t`These dates can be read two ways. Choose how they are written.`
      : dateDoubt === 'contradictory'
        ? t`Some of these dates are day first and others month first. Dates that don't fit your choice are errors.`
        : Number.isNaN(day.getTime())
          ? t`${sample} isn't a date in this format`
          : t`${sample} is ${i18n.date(day, { dateStyle: 'long', timeZone: 'UTC' })}`;
  return (
    <SelectField
      label={t`Days are written as`}
      {...(sample !== '' && { hint })}
      className="max-w-sm"
      value={dateDoubt === null ? dates : ''}
      onChange={(chosen) => chosen !== '' && say('dates', name, chosen)}
      options={formats}
    />
  );
}

/** The effect of the empty cells of a column, if it is not that of the file. */
function EmptyCellsOfColumn({
  resource,
  column: { name, field, empty },
  draft,
}: ColumnProps & { draft: Draft }) {
  const { t } = useLingui();
  const labels = useEmptyCellsLabels();
  if (field === null || isOfItem(resource, field)) return null;
  const { emptyCells, mapping } = draft;
  const { [name]: own, ...others } = mapping.emptyCells;
  return (
    <SelectField
      label={t`Empty cells`}
      hint={<Plural value={empty} one="# empty cell" other="# empty cells" />}
      className="max-w-sm"
      value={own ?? ''}
      onChange={(chosen) => {
        if (chosen !== '') return say('emptyCells', name, chosen);
        changeDraft(() => ({ mapping: { ...mapping, emptyCells: others } }));
      }}
      options={[
        ['', emptyCells === 'keep' ? t`As for the whole file (keep)` : t`As for the whole file (clear)`],
        ...optionsOf(labels),
      ]}
    />
  );
}

/** One column of a file: what is in it, the field that it sets, and what its words and days mean. */
export function ColumnRow({
  draft,
  hasEmptyCells,
  ...props
}: ColumnProps & { draft: Draft; hasEmptyCells: boolean }) {
  const { name, samples } = props.column;
  return (
    <li className="flex flex-col gap-3 px-3 py-2">
      <div className="grid items-center gap-x-4 gap-y-1 sm:grid-cols-2">
        <div className="min-w-0">
          <p className="break-words font-medium text-sm">{name}</p>
          <p className="truncate text-muted text-xs">
            {samples.length === 0 ? <Trans>empty</Trans> : samples.join(' · ')}
          </p>
        </div>
        <FieldChoice {...props} />
      </div>
      <SplitNames {...props} />
      <ChoicesOfTexts {...props} said={draft.mapping} />
      <FormatOfDays {...props} />
      {hasEmptyCells && <EmptyCellsOfColumn {...props} draft={draft} />}
    </li>
  );
}
