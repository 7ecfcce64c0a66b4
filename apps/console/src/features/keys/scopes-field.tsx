import { useLingui } from '@lingui/react/macro';
import type { Scope } from '@roster/client';
import { useId } from 'react';
import { useRights } from '../../api/caller.ts';
import { allScopes, scopeLabels } from '../../resources/scope-labels.ts';
import { CheckboxField } from '../../ui/forms/field.tsx';

/**
 * The scopes of a key. Only those that the caller has are offered: nobody gives what they do not have. Those that the key has
 * already are shown as well.
 */
export function ScopesField({
  value,
  before,
  error,
  onChange,
}: {
  value: readonly Scope[];
  before: readonly Scope[];
  error: string | undefined;
  onChange: (value: Scope[]) => void;
}) {
  const { t } = useLingui();
  const { can } = useRights();
  const id = useId();
  const offered = allScopes.filter((scope) => can(scope) || before.includes(scope));
  const toggle = (scope: Scope, isChosen: boolean) =>
    onChange(allScopes.filter((one) => (one === scope ? isChosen : value.includes(one))));
  return (
    <fieldset aria-describedby={error === undefined ? `${id}-hint` : `${id}-error`} className="min-w-0">
      <legend className="mb-1 font-medium text-sm">
        {t`Scopes`}
        <span aria-hidden className="text-danger">
          {' *'}
        </span>
      </legend>
      <div className="grid gap-x-4 sm:grid-cols-2">
        {offered.map((scope) => (
          <CheckboxField
            key={scope}
            checked={value.includes(scope)}
            onChange={(event) => toggle(scope, event.target.checked)}
            label={
              <>
                {t(scopeLabels[scope])} <code className="text-muted text-xs">{scope}</code>
              </>
            }
          />
        ))}
      </div>
      <p id={`${id}-hint`} className="text-muted text-xs">
        {t`You can grant scopes that you have.`}
      </p>
      <p id={`${id}-error`} role="alert" className={error === undefined ? 'hidden' : 'text-danger text-sm'}>
        {error}
      </p>
    </fieldset>
  );
}
