import { Trans, useLingui } from '@lingui/react/macro';
import { get, useFormState } from 'react-hook-form';
import { contracts, isOneLine, type ResourceName } from '../../../api/contract/contracts.ts';
import { fieldLabel } from '../../fields/field-labels.ts';
import { FieldConflict } from './conflict.tsx';
import { SwitchControl, TextControl } from './field-control.tsx';
import { PartsControl, RowsControl } from './rows-control.tsx';
import type { RecordForm } from './use-record-form.ts';

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
        const isChanged = form.changed.includes(name);
        const mark = isChanged && (
          <p className="sr-only">
            <Trans>Changed, not saved</Trans>
          </p>
        );
        const question = conflict !== undefined && (
          <FieldConflict resource={resource} form={form} name={name} conflict={conflict} />
        );
        if (isOneLine(contract.kind) || contract.kind === 'long-text')
          return (
            <div key={name} data-path={name} data-changed={isChanged || undefined}>
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
            data-changed={isChanged || undefined}
            className="flex min-w-0 flex-col gap-2"
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
