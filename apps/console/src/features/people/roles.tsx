import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Grant, PersonStatus, Role } from '@roster/client';
import { OfficeNames } from '../../ui/record-name.tsx';

/** The label of each role, from the least rights to the most. */
export const roleLabels: Record<Role, MessageDescriptor> = {
  viewer: msg`Viewer: can read`,
  editor: msg`Editor: can also change records`,
  manager: msg`Manager: can also run imports, bulk changes, schedules and webhooks`,
  admin: msg`Administrator: can also manage keys and people`,
};

export const roleNames: Record<Role, MessageDescriptor> = {
  viewer: msg`Viewer`,
  editor: msg`Editor`,
  manager: msg({ message: 'Manager', context: 'role' }),
  admin: msg`Administrator`,
};

export const roles = Object.keys(roleLabels) as Role[];

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
