import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { searchFields } from '@roster/import';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { ArrowRight } from '../../more-icons.tsx';
import { groupsOf } from '../../resources/index.ts';
import { classNames } from '../../ui/button.tsx';
import { folded } from '../../ui/folded.ts';
import { Combobox, type ComboboxOption } from '../../ui/forms/combobox.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
import { choiceLabel } from '../fields/field-labels.ts';
import { choicesOfColumn, columnLabel, importables, importColumns } from '../fields/import-columns.ts';
import { type Draft, type FilePreview, say } from './draft.ts';

export interface ColumnProps {
  resource: ResourceName;
  column: FilePreview['columns'][number];
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

/** The field that a column sets. */
export function FieldChoice({
  resource,
  column: { name, field },
  onDecide,
  placeholder,
  className,
  ...look
}: ColumnProps & {
  onDecide: (name: string) => void;
  placeholder?: string;
  autoFocus?: boolean;
  className: string;
}) {
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
      placeholder={placeholder ?? t`Don't import`}
      isQuiet={placeholder === undefined}
      value={value}
      search={search}
      onChange={(option) => {
        onDecide(name);
        say('columns', name, option?.id ?? '');
      }}
      {...look}
      className={`gap-0! ${className}`}
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
}: ColumnProps & { said: Draft['mapping'] }) {
  const { t, i18n } = useLingui();
  const asked = (values ?? []).filter(
    ({ text, choice }) => choice === null || said.values[name]?.[text] !== undefined,
  );
  if (asked.length === 0 || field === null) return null;
  const choices = choicesOfColumn(resource, field).map(
    (one) => [one, choiceLabel(i18n, field, one) ?? one] as const,
  );
  return (
    <ul className="grid gap-3 pt-1 pb-3 sm:grid-cols-2">
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
    <ul aria-label={t`How names are split`} className="pt-1 pb-2 text-xs">
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

/** A few of the texts of a column. */
export function Samples({
  column: { samples },
  className,
}: Pick<ColumnProps, 'column'> & { className: string }) {
  const { t } = useLingui();
  return (
    <ul aria-label={t`First values`} className={classNames('text-muted tabular-nums', className)}>
      {samples.length === 0 ? (
        <li>
          <Trans>empty</Trans>
        </li>
      ) : (
        samples.map((text) => (
          <li key={text} className="min-w-0 truncate">
            {text}
          </li>
        ))
      )}
    </ul>
  );
}

const cells = '@2xl:grid-cols-[6.5rem_minmax(0,1fr)_2rem_11.25rem]';

/** The columns of a file, each with its first values, the field that it sets, and what its words mean. */
export function ColumnList({
  label,
  resource,
  columns,
  draft,
  last,
  onDecide,
}: Pick<ColumnProps, 'resource'> & {
  label: string;
  columns: FilePreview['columns'];
  draft: Draft;
  /** The column that was decided about last: it may have come from somewhere else, and has the focus. */
  last: string | undefined;
  onDecide: (name: string) => void;
}) {
  return (
    <div className="@container overflow-clip rounded-md border border-line bg-surface">
      <div
        aria-hidden
        className={classNames(
          'hidden h-8 items-center border-line border-b bg-sunken px-3 font-medium text-muted text-xs @2xl:grid',
          cells,
        )}
      >
        <span>
          <Trans>In the file</Trans>
        </span>
        <span>
          <Trans>First values</Trans>
        </span>
        <span className="col-start-4 ps-3">
          <Trans>Field</Trans>
        </span>
      </div>
      <ul aria-label={label} className="divide-y divide-line-soft">
        {columns.map((column) => {
          const props = { resource, column };
          return (
            <li key={column.name} className="px-3">
              <div className={classNames('grid min-h-10 grid-cols-2 items-center gap-y-1 py-1', cells)}>
                <span className="min-w-0 break-words pe-2 font-medium text-sm">{column.name}</span>
                <Samples
                  column={column}
                  className="grid grid-cols-3 gap-x-3 text-xs max-@2xl:order-last max-@2xl:col-span-2"
                />
                <ArrowRight
                  aria-hidden
                  className="hidden size-3.5 justify-self-center text-muted @2xl:block rtl:rotate-180"
                />
                <FieldChoice
                  {...props}
                  autoFocus={column.name === last}
                  className="@2xl:ms-1 @2xl:-me-1"
                  onDecide={onDecide}
                />
              </div>
              <SplitNames {...props} />
              <ChoicesOfTexts {...props} said={draft.mapping} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}
