import { Trans, useLingui } from '@lingui/react/macro';
import type { Grant } from '@roster/client';
import { useId, useRef } from 'react';
import { useRights } from '../../api/caller.ts';
import { Plus } from '../../icons.tsx';
import { Trash2 } from '../../more-icons.tsx';
import { Button, classNames, IconButton } from '../../ui/button.tsx';
import type { FormErrors } from '../../ui/dialogs/form-errors.ts';
import { OfficesField } from '../../ui/forms/offices-field.tsx';
import { RoleField } from './roles.tsx';

/** A grant in a form, with a key of its own as long as the form is open. */
export interface DraftGrant extends Grant {
  key: number;
}

const GRANTS_MAX = 20;

export function draftGrants(grants: readonly Grant[]): DraftGrant[] {
  return grants.map((grant, key) => ({ ...grant, key }));
}

export function grantsOf(drafts: readonly DraftGrant[]): Grant[] {
  return drafts.map(({ role, officeIds }) => ({ role, officeIds }));
}

export function GrantsField({
  value,
  errors,
  onChange,
}: {
  value: readonly DraftGrant[];
  errors: FormErrors;
  onChange: (value: DraftGrant[]) => void;
}) {
  const { t } = useLingui();
  const id = useId();
  const adder = useRef<HTMLButtonElement>(null);
  const isLimited = !useRights().canEverywhere('people:manage');
  const error = errors.at('grants');
  const change = (key: number, changed: Partial<Grant>) =>
    onChange(value.map((grant) => (grant.key === key ? { ...grant, ...changed } : grant)));
  const remove = (key: number) => {
    onChange(value.filter((grant) => grant.key !== key));
    // The button that had the focus goes away.
    adder.current?.focus();
  };
  const add = () => {
    const key = Math.max(-1, ...value.map((grant) => grant.key)) + 1;
    onChange([...value, { key, role: 'viewer', officeIds: isLimited ? [] : null }]);
  };
  return (
    <fieldset aria-describedby={error === undefined ? undefined : `${id}-error`} className="min-w-0">
      <legend className="sr-only">
        <Trans>Access</Trans>
      </legend>
      <ol className="flex flex-col gap-3">
        {value.map(({ key, role, officeIds }, index) => (
          <li
            key={key}
            className={classNames(
              'flex items-start gap-1',
              value.length > 1 && 'rounded-md border border-line p-3',
            )}
          >
            <div className="grid min-w-0 grow grid-cols-[minmax(0,1fr)] gap-4">
              <RoleField
                label={t`Role`}
                isList
                value={role}
                error={errors.within(`grants/${index}/role`)}
                onChange={(chosen) => change(key, { role: chosen })}
              />
              <OfficesField
                label={t`Offices`}
                isAllOffered={!isLimited}
                value={officeIds}
                error={errors.within(`grants/${index}/officeIds`)}
                onChange={(changed) => change(key, { officeIds: changed })}
              />
            </div>
            {value.length > 1 && (
              <IconButton label={t`Remove grant ${index + 1}`} onClick={() => remove(key)}>
                <Trash2 aria-hidden />
              </IconButton>
            )}
          </li>
        ))}
      </ol>
      <p
        id={`${id}-error`}
        role="alert"
        className={error === undefined ? 'hidden' : 'pt-1 text-danger text-sm'}
      >
        {error}
      </p>
      <Button
        ref={adder}
        look="quiet"
        className="mt-1"
        aria-disabled={value.length >= GRANTS_MAX}
        onClick={() => value.length < GRANTS_MAX && add()}
      >
        <Plus aria-hidden />
        <Trans>Add access</Trans>
      </Button>
    </fieldset>
  );
}
