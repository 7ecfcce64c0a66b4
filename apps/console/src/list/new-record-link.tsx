import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useRights } from '../api/caller.ts';
import { buttonClasses } from '../components/button.tsx';
import type { ResourceName } from './queries.ts';

/** Leads to the form of a new record, for those who may create one. The list stays as it is. */
export function NewRecordLink({ resource }: { resource: ResourceName }) {
  const { can } = useRights();
  if (!can(`${resource}:write`)) return null;
  return (
    <Link
      to={resource === 'agents' ? '/agents/new' : '/offices/new'}
      search={true}
      className={buttonClasses('secondary')}
    >
      <Plus aria-hidden />
      {resource === 'agents' ? <Trans>New agent</Trans> : <Trans>New office</Trans>}
    </Link>
  );
}
