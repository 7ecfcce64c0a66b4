import { Trans, useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { type SubmitEvent, useId, useState } from 'react';
import { Button, IconButton } from '../components/button.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Combobox } from '../components/forms/combobox.tsx';
import { CheckboxField, TextAreaField, TextField } from '../components/forms/field.tsx';
import { RecordName } from '../components/record-name.tsx';
import { contracts, type ResourceName } from '../contract/contracts.ts';
import type { FilterContract } from '../contract/types.ts';
import { filterLabel, filterValue } from '../fields/filter-labels.ts';
import type { ListView } from '../list/list-view.ts';
import { listValues } from '../page/search-params.ts';
import { findRecords } from '../record/find-records.ts';
import { resources } from '../resources/index.ts';

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
  const { t } = useLingui();
  const { filter, label, values, onChange } = props;
  const [first = ''] = values;
  const one = (value: string) => onChange(value === '' ? [] : [value]);
  if (filter.kind === 'choice') return <Choices {...props} />;
  if (filter.kind === 'reference') return <References {...props} />;
  if (filter.kind === 'date')
    return (
      <TextField
        label={label}
        type="date"
        autoFocus
        value={first}
        onChange={(event) => one(event.target.value)}
      />
    );
  if (filter.kind === 'time')
    return (
      <TextField
        label={label}
        type="datetime-local"
        autoFocus
        hint={t`In the time zone of your browser`}
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
  const filter = contracts[resource].filters.find((one) => one.name === name);
  if (filter === undefined) return null;
  const label = filterLabel(i18n, resource, name);
  const apply = (next: string[]) => {
    onClose();
    change({ [name]: next.length === 0 ? undefined : next.length === 1 ? next[0] : next });
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    apply(values);
  };
  return (
    <Dialog
      title={label}
      width="small"
      onClose={onClose}
      footer={
        <>
          {search[name] !== undefined && (
            <Button className="me-auto" onClick={() => apply([])}>
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
        <Editor resource={resource} filter={filter} label={label} values={values} onChange={setValues} />
      </form>
    </Dialog>
  );
}
