import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useRights } from '../../api/caller.ts';
import { buttonClasses } from '../../components/button.tsx';
import type { ResourceName } from '../../contract/contracts.ts';
import { useShortcuts } from '../../page/shortcuts.ts';

/** Leads to the form of a new record, for those who may create one; also by the key `n`. The list stays as it is. */
export function NewRecordLink({ resource }: { resource: ResourceName }) {
  const { can } = useRights();
  const navigate = useNavigate();
  const to = resource === 'agents' ? '/agents/new' : '/offices/new';
  const label = resource === 'agents' ? msg`New agent` : msg`New office`;
  const canCreate = can(`${resource}:write`);
  useShortcuts(
    canCreate ? [{ keys: 'n', label, group: 'list', run: () => void navigate({ to, search: true }) }] : [],
  );
  if (!canCreate) return null;
  return (
    <Link to={to} search={true} className={buttonClasses('secondary')}>
      <Plus aria-hidden />
      {resource === 'agents' ? <Trans>New agent</Trans> : <Trans>New office</Trans>}
    </Link>
  );
}
