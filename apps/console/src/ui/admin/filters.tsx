import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { findRecords } from '../../resources/find-records.ts';
import { useRecordName } from '../../resources/referred-records.ts';
import { firstValue, useParameter, useViewState } from '../browser/view-state.ts';
import { Button } from '../button.tsx';
import { Combobox } from '../forms/combobox.tsx';
import { SelectField } from '../forms/select.tsx';
import type { AdminFilter } from './definition.ts';

export function ChoiceFilter({ name, label, none, choices }: AdminFilter) {
  const { t } = useLingui();
  const [value, setValue] = useParameter(name);
  const labelled = Object.entries(choices).map(([choice, message]) => [choice, t(message)] as const);
  return (
    <SelectField
      label={t(label)}
      className="w-full max-w-52"
      value={value}
      onChange={(chosen) => setValue(chosen)}
      options={[['', none === undefined ? t`All` : t(none)], ...labelled]}
    />
  );
}

export function OfficeFilter({ label }: { label: string }) {
  const [id, setOffice] = useParameter('officeId');
  const name = useRecordName(id === '' ? undefined : 'offices', id);
  return (
    <Combobox
      label={label}
      value={id === '' ? null : { id, label: name ?? id }}
      search={findRecords('offices')}
      onChange={(office) => setOffice(office?.id)}
    />
  );
}

interface FilterBarProps {
  names: readonly string[];
  children: ReactNode;
}

export function FilterBar({ names, children }: FilterBarProps) {
  const [search, changeView] = useViewState();
  const isFiltered = names.some((name) => (firstValue(search[name]) ?? '') !== '');
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(10rem,100%),1fr))] items-start gap-3">
      {children}
      {isFiltered && (
        <Button
          look="quiet"
          className="self-end justify-self-start"
          onClick={() => changeView(Object.fromEntries(names.map((name) => [name, undefined])))}
        >
          <Trans>Clear the filters</Trans>
        </Button>
      )}
    </div>
  );
}

interface OneRecordProps {
  parameter: string;
  resource: ResourceName | undefined;
  text: (name: string) => ReactNode;
}

export function OneRecordFilter({ parameter, resource, text }: OneRecordProps) {
  const [id, setId] = useParameter(parameter);
  const name = useRecordName(id === '' ? undefined : resource, id) ?? id;
  if (id === '') return null;
  return (
    <p className="col-span-full flex flex-wrap items-center gap-2 text-sm">
      {text(name)}
      <Button onClick={() => setId(undefined)}>
        <Trans>Show all</Trans>
      </Button>
    </p>
  );
}
