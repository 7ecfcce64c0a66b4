import { Trans, useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { contracts, type ResourceName } from '../../../../api/contract/contracts.ts';
import type { FilterContract } from '../../../../api/contract/types.ts';
import { resources } from '../../../../resources/index.ts';
import { listValues } from '../../../../ui/browser/search-params.ts';
import { Button } from '../../../../ui/button.tsx';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { DateField } from '../../../../ui/forms/date-field.tsx';
import { CheckboxField, TextAreaField, TextField } from '../../../../ui/forms/field.tsx';
import { RecordsField } from '../../../../ui/forms/records-field.tsx';
import { durationText, isDuration } from '../../../fields/durations.ts';
import { filterLabel, filterValue } from '../../../fields/filter-labels.ts';
import { localTimeOf } from '../../../fields/local-time.ts';
import type { ListView } from '../../list/list-view.ts';
import { type Ends, endsOf, findRange, hasEnds, paramsOf } from './filter-ranges.ts';
import { RangeEditor, usualEnds } from './range-editor.tsx';
import { rangeLabel } from './range-labels.ts';

const timeOfLocal = (local: string) => (local === '' ? '' : new Date(local).toISOString());

interface EditorProps {
  resource: ResourceName;
  filter: FilterContract;
  label: string;
  values: string[];
  onChange: (values: string[]) => void;
}

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

function References({ resource, filter, label, values, onChange }: EditorProps) {
  const { t } = useLingui();
  const referred = filter.refersTo ?? resource;
  return (
    <RecordsField
      resource={referred}
      label={label}
      addLabel={t(resources[referred].labels.add)}
      removeLabel={t`Remove`}
      ids={values}
      autoFocus
      onChange={onChange}
    />
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
      <DateField label={label} hint={relative} value={relative === undefined ? first : ''} onChange={one} />
    );
  if (filter.kind === 'time')
    return (
      <TextField
        label={label}
        type="datetime-local"
        hint={relative ?? t`In the time zone of your browser`}
        defaultValue={localTimeOf(first)}
        onChange={(event) => one(timeOfLocal(event.target.value))}
      />
    );
  return (
    <TextAreaField
      label={label}
      rows={3}
      autoFocus
      hint={t`One value per line. Matches records with any of them.`}
      defaultValue={values.join('\n')}
      onChange={(event) => {
        const lines = event.target.value.split('\n').map((line) => line.trim());
        onChange([...new Set(lines)].filter((line) => line !== ''));
      }}
    />
  );
}

export function FilterEditor({ view, name, onClose }: { view: ListView; name: string; onClose: () => void }) {
  const { i18n } = useLingui();
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
  const edit = (one: FilterContract, ownLabel: string, own: string[], onChange: (next: string[]) => void) => (
    <Editor resource={resource} filter={one} label={ownLabel} values={own} onChange={onChange} />
  );
  return (
    <FormDialog
      title={label}
      submitLabel={<Trans>Apply</Trans>}
      isValidated
      isPending={false}
      error={null}
      footerStart={
        isSet && (
          <Button onClick={() => apply([], {})}>
            <Trans>Remove the filter</Trans>
          </Button>
        )
      }
      onSubmit={() => apply(values, ends)}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}
