import { useLingui } from '@lingui/react/macro';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRights } from '../../../api/caller.ts';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { resources } from '../../../resources/index.ts';
import { useShortcuts } from '../../../ui/browser/shortcuts.ts';
import { buttonClasses } from '../../../ui/button.tsx';
import { Plus } from '../../../ui/icons.tsx';

export function NewRecordLink({ resource }: { resource: ResourceName }) {
  const { can } = useRights();
  const navigate = useNavigate();
  const { t } = useLingui();
  const to = `/${resource}/new` as const;
  const label = resources[resource].labels.create;
  const canCreate = can(`${resource}:write`);
  useShortcuts(
    canCreate ? [{ keys: 'n', label, group: 'list', run: () => void navigate({ to, search: true }) }] : [],
  );
  if (!canCreate) return null;
  return (
    <Link to={to} search={true} className={buttonClasses('secondary')}>
      <Plus aria-hidden />
      {t(label)}
    </Link>
  );
}
