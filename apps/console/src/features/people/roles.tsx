import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Grant, PersonStatus, Role, Scope } from '@roster/client';
import { useId } from 'react';
import { allScopes } from '../../resources/scope-labels.ts';
import { classNames } from '../../ui/button.tsx';
import { OfficeNames } from '../../ui/record-name.tsx';

/** From the least rights to the most. */
export const roleNames: Record<Role, MessageDescriptor> = {
  viewer: msg`Reader`,
  editor: msg`Editor`,
  manager: msg({ message: 'Manager', context: 'role' }),
  admin: msg`Administrator`,
};

/** Rights that each role adds to the one before it. */
const roleDetails: Record<Role, MessageDescriptor> = {
  viewer: msg`Looks up offices, agents and teams`,
  editor: msg`Also creates, changes and deactivates them`,
  manager: msg`Also imports, merges and changes in bulk`,
  admin: msg`Also manages access and keys`,
};

export const roles = Object.keys(roleNames) as Role[];

const viewer = allScopes.filter((scope) => scope.endsWith(':read'));
const editor = allScopes.filter((scope) => /:(?:read|write)$/.test(scope));
const manager = allScopes.filter((scope) => editor.includes(scope) || scope === 'webhooks:manage');

export const scopesOfRole: Record<Role, readonly Scope[]> = { viewer, editor, manager, admin: allScopes };

/** The role that has just these scopes. */
export function roleOf(scopes: readonly Scope[]): Role | undefined {
  return roles.find(
    (role) =>
      scopesOfRole[role].length === scopes.length &&
      scopes.every((scope) => scopesOfRole[role].includes(scope)),
  );
}

export const statusLabels: Record<PersonStatus, MessageDescriptor> = {
  invited: msg`Invited`,
  active: msg`Active`,
  inactive: msg`Inactive`,
};

export const statusTones = { invited: 'neutral', active: 'neutral', inactive: 'warning' } as const;

export function Grants({ grants, max = 1 }: { grants: readonly Grant[]; max?: number }) {
  const { t } = useLingui();
  return (
    <ul>
      {grants.map(({ role, officeIds }) => (
        <li key={JSON.stringify([role, officeIds])}>
          {t(roleNames[role])}{' '}
          <span className="text-muted text-xs">
            <OfficeNames ids={officeIds} max={max} />
          </span>
        </li>
      ))}
    </ul>
  );
}

const ROLE_LIST = 'grid divide-y divide-line overflow-hidden rounded-md border border-line-strong';

interface RoleFieldProps {
  label: string;
  value: Role | undefined;
  offered?: readonly Role[];
  /** Whether each role is a row instead of a card. */
  isList?: boolean;
  /** Rights that a role adds, where they differ from those for people. */
  details?: Partial<Record<Role, MessageDescriptor>>;
  error?: string | undefined;
  onChange: (role: Role) => void;
}

/** The roles as cards, each with what it adds to the one before. */
export function RoleField(props: RoleFieldProps) {
  const { label, value, offered = roles, isList = false, details, error, onChange } = props;
  const { t } = useLingui();
  const id = useId();
  return (
    <fieldset aria-describedby={error === undefined ? undefined : `${id}-error`} className="min-w-0">
      <legend className="mb-1.5 font-medium text-sm">{label}</legend>
      <div className={isList ? ROLE_LIST : 'grid gap-2 sm:grid-cols-2'}>
        {offered.map((role) => (
          <label
            key={role}
            className={classNames(
              'grid items-start text-sm',
              isList
                ? 'grid-cols-[auto_minmax(0,1fr)] gap-x-2 px-3 py-2.5 sm:grid-cols-[auto_6.5rem_minmax(0,1fr)]'
                : 'grid-cols-[minmax(0,1fr)_auto] rounded-md border p-3',
              !isList && (role === value ? 'border-accent' : 'border-control'),
              role === value && 'bg-selected',
            )}
          >
            <span className="font-medium">{t(roleNames[role])}</span>
            <input
              type="radio"
              name={id}
              checked={role === value}
              className={isList ? 'order-first' : undefined}
              onChange={() => onChange(role)}
            />
            <span className={classNames(isList ? 'max-sm:col-start-2' : 'col-span-2', 'text-muted text-xs')}>
              {t(details?.[role] ?? roleDetails[role])}
            </span>
          </label>
        ))}
      </div>
      <p
        id={`${id}-error`}
        role="alert"
        className={error === undefined ? 'hidden' : 'pt-1 text-danger text-xs'}
      >
        {error}
      </p>
    </fieldset>
  );
}
