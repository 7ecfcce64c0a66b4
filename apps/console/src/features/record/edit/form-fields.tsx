import { Trans, useLingui } from '@lingui/react/macro';
import { get, useFormState } from 'react-hook-form';
import { contracts, type ResourceName } from '../../../api/contract/contracts.ts';
import { fieldLabel } from '../../fields/field-labels.ts';
import { FieldConflict } from './conflict.tsx';
import { SwitchControl, TextControl } from './field-control.tsx';
import { PartsControl, RowsControl } from './rows-control.tsx';
import type { RecordForm } from './use-record-form.ts';

function ChangedDot() {
  return (
    <span className="absolute -start-3 top-1.5 size-1.5 rounded-full bg-accent forced-color-adjust-none">
      <span className="sr-only">
        <Trans>Changed, not saved</Trans>
      </span>
    </span>
  );
}

const focusFirst = (field: HTMLElement | null) =>
  field?.querySelector<HTMLElement>('input, select, textarea, button')?.focus();

interface FormFieldsProps {
  resource: ResourceName;
  form: RecordForm;
  names: readonly string[];
  isFocused?: boolean;
}

export function FormFields({ resource, form, names, isFocused = false }: FormFieldsProps) {
  const { t, i18n } = useLingui();
  const { errors } = useFormState();
  const { nameParts = [] } = contracts[resource];
  const officeHint = t`Your access is restricted to certain offices and their branches. Choose one of them`;
  return (
    <div className="flex flex-col gap-4">
      {names.map((name, index) => {
        const contract = form.contractOf(name);
        if (contract === undefined) return null;
        const label = fieldLabel(i18n, resource, name);
        const autoFocus = isFocused && index === 0;
        const conflict = form.conflictAt(name);
        const common = { path: name, label, contract };
        const mark = form.changed.includes(name) && <ChangedDot />;
        const question = conflict !== undefined && (
          <FieldConflict resource={resource} form={form} name={name} conflict={conflict} />
        );
        if (!['list', 'records', 'map', 'object'].includes(contract.kind))
          return (
            <div key={name} data-path={name} className="relative">
              {mark}
              {contract.kind === 'switch' ? (
                <SwitchControl path={name} label={label} autoFocus={autoFocus} />
              ) : (
                <TextControl
                  {...common}
                  hint={name === form.officeField ? officeHint : undefined}
                  autoFocus={autoFocus}
                  together={nameParts.includes(name) ? nameParts : []}
                />
              )}
              {question}
            </div>
          );
        const error: unknown = get(errors, `${name}.root.message`);
        return (
          <fieldset
            key={name}
            ref={autoFocus ? focusFirst : null}
            data-path={name}
            className="relative flex min-w-0 flex-col gap-2"
          >
            <legend className="mb-1 font-medium text-sm">{label}</legend>
            {mark}
            {contract.kind === 'object' ? <PartsControl {...common} /> : <RowsControl {...common} />}
            {typeof error === 'string' && (
              <p role="alert" data-problem tabIndex={-1} className="text-danger text-sm">
                {error}
              </p>
            )}
            {question}
          </fieldset>
        );
      })}
    </div>
  );
}
