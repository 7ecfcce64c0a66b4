import { Trans, useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { type SubmitEvent, useId, useState } from 'react';
import { Button, IconButton } from '../../components/button.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Combobox } from '../../components/forms/combobox.tsx';
import { CheckboxField, TextAreaField, TextField } from '../../components/forms/field.tsx';
import { RecordName } from '../../components/record-name.tsx';
import { contracts, type ResourceName } from '../../contract/contracts.ts';
import type { FilterContract } from '../../contract/types.ts';
import { durationText, isDuration } from '../../fields/durations.ts';
import { filterLabel, filterValue } from '../../fields/filter-labels.ts';
import type { ListView } from '../../list/list-view.ts';
import { listValues } from '../../page/search-params.ts';
import { findRecords } from '../../record/find-records.ts';
import { resources } from '../../resources/index.ts';
import { type Ends, endsOf, findRange, hasEnds, paramsOf } from './filter-ranges.ts';
import { RangeEditor, usualEnds } from './range-editor.tsx';
import { rangeLabel } from './range-labels.ts';

/** A time of the API as a control of the browser has it, in the time zone of the browser. */
function localTime(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

const timeOfLocal = (local: string) => (local === '' ? '' : new Date(local).toISOString());

interface EditorProps {
  resource: ResourceName;
  filter: FilterContract;
  label: string;
  values: string[];
  onChange: (values: string[]) => void;
}

/** Choices of which any matches, or one. */
function Choices({ resource, filter, label, values, onChange }: EditorProps) {
  const { i18n } = useLingui();
  const name = useId();
  const isMany = filter.isRepeatable === true;
  return (
    <fieldset>
      <legend className="sr-only">{label}</legend>
      {(filter.choices ?? []).map((choice) => (
        <CheckboxField
          key={choice}
          type={isMany ? 'checkbox' : 'radio'}
          name={name}
          label={filterValue(i18n, resource, filter.name, choice)}
          checked={values.includes(choice)}
          onChange={({ target }) => {
            if (!isMany) return onChange([choice]);
            const others = values.filter((value) => value !== choice);
            onChange(target.checked ? [...others, choice] : others);
          }}
        />
      ))}
    </fieldset>
  );
}

/** Records of which any matches, found by what one types. */
function References({ resource, filter, label, values, onChange }: EditorProps) {
  const { t } = useLingui();
  const referred = filter.refersTo ?? resource;
  return (
    <div className="flex flex-col gap-3">
      {values.length > 0 && (
        <ul aria-label={label} className="flex flex-wrap gap-1">
          {values.map((id) => (
            <li
              key={id}
              className="inline-flex items-center rounded-md border border-line bg-hover ps-2 text-sm"
            >
              <RecordName resource={referred} id={id} />
              <IconButton label={t`Remove`} onClick={() => onChange(values.filter((value) => value !== id))}>
                <X aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <Combobox
        label={t(resources[referred].labels.add)}
        value={null}
        autoFocus
        search={findRecords(referred)}
        onChange={(found) => {
          if (found !== null && !values.includes(found.id)) onChange([...values, found.id]);
        }}
      />
    </div>
  );
}

function Editor(props: EditorProps) {
  const { t, i18n } = useLingui();
  const { filter, label, values, onChange } = props;
  const [first = ''] = values;
  const one = (value: string) => onChange(value === '' ? [] : [value]);
  if (filter.kind === 'choice') return <Choices {...props} />;
  if (filter.kind === 'reference') return <References {...props} />;
  // A duration stays what it is until a date is chosen instead.
  const relative = isDuration(first) ? durationText(i18n, first) : undefined;
  if (filter.kind === 'date')
    return (
      <TextField
        label={label}
        type="date"
        hint={relative}
        value={relative === undefined ? first : ''}
        onChange={(event) => one(event.target.value)}
      />
    );
  if (filter.kind === 'time')
    return (
      <TextField
        label={label}
        type="datetime-local"
        hint={relative ?? t`In the time zone of your browser`}
        defaultValue={localTime(first)}
        onChange={(event) => one(timeOfLocal(event.target.value))}
      />
    );
  return (
    <TextAreaField
      label={label}
      rows={3}
      autoFocus
      hint={t`One per line; a record that has any of them matches.`}
      defaultValue={values.join('\n')}
      onChange={(event) => {
        const lines = event.target.value.split('\n').map((line) => line.trim());
        onChange([...new Set(lines)].filter((line) => line !== ''));
      }}
    />
  );
}

/** Sets one filter of a list. */
export function FilterEditor({ view, name, onClose }: { view: ListView; name: string; onClose: () => void }) {
  const { i18n } = useLingui();
  const formId = useId();
  const { resource, search, change } = view;
  const [values, setValues] = useState(() => listValues(search, name));
  const range = findRange(resource, name);
  const [ends, setEnds] = useState<Ends>(() => {
    if (range === undefined) return {};
    const given = endsOf(range, search);
    return hasEnds(given) ? given : usualEnds(range);
  });
  const filter = contracts[resource].filters.find((one) => one.name === name);
  if (filter === undefined) return null;
  const label = range === undefined ? filterLabel(i18n, resource, name) : rangeLabel(i18n, range);
  const isSet = range === undefined ? search[name] !== undefined : hasEnds(endsOf(range, search));
  const apply = (next: string[], nextEnds: Ends) => {
    onClose();
    const value = next.length > 1 ? next : next[0];
    change(range === undefined ? { [name]: value } : paramsOf(range, nextEnds));
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    apply(values, ends);
  };
  const edit = (one: FilterContract, ownLabel: string, own: string[], onChange: (next: string[]) => void) => (
    <Editor resource={resource} filter={one} label={ownLabel} values={own} onChange={onChange} />
  );
  return (
    <Dialog
      title={label}
      width="small"
      onClose={onClose}
      footer={
        <>
          {isSet && (
            <Button className="me-auto" onClick={() => apply([], {})}>
              <Trans>Remove the filter</Trans>
            </Button>
          )}
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" form={formId} look="primary">
            <Trans>Apply</Trans>
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit}>
        {range === undefined ? (
          edit(filter, label, values, setValues)
        ) : (
          <RangeEditor
            range={range}
            ends={ends}
            onChange={setEnds}
            renderEnd={(end, value, setEnd) =>
              edit(end, filterLabel(i18n, resource, end.name), value === undefined ? [] : [value], ([next]) =>
                setEnd(next),
              )
            }
          />
        )}
      </form>
    </Dialog>
  );
}
