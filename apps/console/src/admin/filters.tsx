import { useLingui } from '@lingui/react/macro';
import { Combobox } from '../components/forms/combobox.tsx';
import { SelectField } from '../components/forms/field.tsx';
import { searchOffices } from '../components/forms/offices-field.tsx';
import { useParameter } from '../page/view-state.ts';
import { useRecordName } from '../resources/referred-records.ts';
import type { AdminFilter } from './definition.ts';

/** A filter of a list as a choice, in the URL. */
export function ChoiceFilter({ name, label, none, choices }: AdminFilter) {
  const { t } = useLingui();
  const [value, setValue] = useParameter(name);
  return (
    <SelectField
      label={t(label)}
      className="w-full max-w-52"
      value={value}
      onChange={(event) => setValue(event.target.value)}
    >
      <option value="">{none === undefined ? t`All` : t(none)}</option>
      {Object.entries(choices).map(([choice, message]) => (
        <option key={choice} value={choice}>
          {t(message)}
        </option>
      ))}
    </SelectField>
  );
}

/** A filter of a list by an office (`officeId` in the URL), found by what one types. */
export function OfficeFilter({ label }: { label: string }) {
  const [id, setOffice] = useParameter('officeId');
  const name = useRecordName(id === '' ? undefined : 'offices', id);
  return (
    <Combobox
      label={label}
      value={id === '' ? null : { id, label: name ?? id }}
      search={searchOffices}
      onChange={(office) => setOffice(office?.id)}
    />
  );
}
