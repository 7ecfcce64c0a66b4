import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { classNames } from '../../../ui/button.tsx';
import { fieldLabel } from '../../fields/field-labels.ts';
import { SwitchControl, TextControl } from './field-control.tsx';
import { type ErrorAt, ListControl, PartsControl } from './rows-control.tsx';
import type { RecordForm } from './use-record-form.ts';
import type { FormValue, Parts, Row } from './values/form-values.ts';
import type { Check } from './values/problems.ts';

export function useCheckText(resource: ResourceName): (check: Check) => string {
  const { t, i18n } = useLingui();
  return (check) => {
    if (check.code === 'required') {
      if (check.unless === undefined) return t`is required`;
      const other = fieldLabel(i18n, resource, check.unless);
      return t`is required unless “${other}” is set`;
    }
    const { max } = check;
    return check.code === 'too_long'
      ? t`must have at most ${plural(max, { one: '# character', other: '# characters' })}`
      : t`must have at most ${plural(max, { one: '# item', other: '# items' })}`;
  };
}

function useErrorAt(resource: ResourceName, { problems: { checks, atFields } }: RecordForm): ErrorAt {
  const textOf = useCheckText(resource);
  return (path) => {
    const check = checks.find((one) => one.path === path);
    return check === undefined ? atFields.find((one) => one.path === path)?.text : textOf(check);
  };
}

const markOf = (isChanged: boolean) => (isChanged ? '-ms-3 border-accent border-s-2 ps-2.5' : '');

function ChangedMark({ isChanged }: { isChanged: boolean }) {
  if (!isChanged) return null;
  return (
    <p className="text-accent text-xs">
      <Trans>Changed, not saved</Trans>
    </p>
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
  const errorAt = useErrorAt(resource, form);
  const officeHint = t`Your access is restricted to certain offices and their branches. Choose one of them`;
  return (
    <div className="flex flex-col gap-4">
      {names.map((name, index) => {
        const contract = form.contractOf(name);
        if (contract === undefined) return null;
        const label = fieldLabel(i18n, resource, name);
        const value = form.fieldValue(name);
        const set = (next: FormValue) => form.setValue(name, next);
        const autoFocus = isFocused && index === 0;
        const isChanged = form.changed.includes(name);
        if (typeof value === 'string')
          return (
            <div key={name} data-path={name} className={markOf(isChanged)}>
              <ChangedMark isChanged={isChanged} />
              <TextControl
                path={name}
                label={label}
                contract={contract}
                value={value}
                error={errorAt(name)}
                hint={name === form.officeField ? officeHint : undefined}
                autoFocus={autoFocus}
                onChange={set}
              />
            </div>
          );
        if (typeof value === 'boolean')
          return (
            <SwitchControl key={name} label={label} value={value} autoFocus={autoFocus} onChange={set} />
          );
        const error = errorAt(name);
        return (
          <fieldset
            key={name}
            ref={autoFocus ? focusFirst : null}
            data-path={name}
            className={classNames('flex min-w-0 flex-col gap-2', markOf(isChanged))}
          >
            <legend className="mb-1 font-medium text-sm">{label}</legend>
            <ChangedMark isChanged={isChanged} />
            {Array.isArray(value) ? (
              <ListControl
                path={name}
                label={label}
                contract={contract}
                rows={value as readonly Row<unknown>[]}
                errorAt={errorAt}
                onChange={set}
              />
            ) : (
              <PartsControl
                path={name}
                contract={contract}
                value={value as Parts}
                errorAt={errorAt}
                onChange={set}
              />
            )}
            {error !== undefined && (
              <p role="alert" className="text-danger text-sm">
                {error}
              </p>
            )}
          </fieldset>
        );
      })}
    </div>
  );
}
