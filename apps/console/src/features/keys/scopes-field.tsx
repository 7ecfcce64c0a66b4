import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Scope } from '@roster/client';
import { useId } from 'react';
import { useRights } from '../../api/caller.ts';
import { ChevronRight } from '../../icons.tsx';
import { allScopes, scopeLabels } from '../../resources/scope-labels.ts';
import { CheckboxField } from '../../ui/forms/field.tsx';
import { RoleField, roleOf, roles, scopesOfRole } from '../people/roles.tsx';

/** A key may import and change in bulk whatever it may change. */
const details = {
  editor: msg`Also creates, imports, changes and deactivates them`,
  manager: msg`Also manages webhooks`,
};

/**
 * The scopes of a key: those of a role, or single ones. Only those that the caller has are offered: nobody gives what they do not have.
 * Those that the key has already are shown as well.
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
  const offeredRoles = roles.filter((role) => scopesOfRole[role].every((scope) => offered.includes(scope)));
  const role = roleOf(value);
  const toggle = (scope: Scope, isChosen: boolean) =>
    onChange(allScopes.filter((one) => (one === scope ? isChosen : value.includes(one))));
  return (
    <div className="flex flex-col gap-2">
      {offeredRoles.length > 0 && (
        <RoleField
          label={t`Permissions`}
          value={role}
          offered={offeredRoles}
          details={details}
          onChange={(chosen) => onChange([...scopesOfRole[chosen]])}
        />
      )}
      <details open={role === undefined || undefined}>
        <summary className="flex min-h-8 items-center gap-2 text-sm max-sm:min-h-11">
          <ChevronRight aria-hidden className="size-4 in-open:rotate-90 rtl:not-in-open:rotate-180" />
          <span className="font-medium">
            <Trans>Custom</Trans>
          </span>
          <span className="text-muted">
            <Trans>Choose single permissions</Trans>
          </span>
        </summary>
        <fieldset aria-label={t`Single permissions`} aria-describedby={`${id}-hint`} className="min-w-0">
          <div className="grid gap-x-4 sm:grid-cols-2">
            {offered.map((scope) => (
              <CheckboxField
                key={scope}
                checked={value.includes(scope)}
                onChange={(event) => toggle(scope, event.target.checked)}
                label={t(scopeLabels[scope])}
                detail={<code>{scope}</code>}
              />
            ))}
          </div>
          <p id={`${id}-hint`} className="text-muted text-xs">
            {t`You can only give permissions you have.`}
          </p>
        </fieldset>
      </details>
      <p role="alert" className={error === undefined ? 'hidden' : 'text-danger text-sm'}>
        {error}
      </p>
    </div>
  );
}
