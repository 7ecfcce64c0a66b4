import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useRights } from '../../../api/caller.ts';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { Ellipsis, Pencil, UsersRound } from '../../../icons.tsx';
import { CircleCheck, CircleOff, MoveRight, Trash2 } from '../../../more-icons.tsx';
import { resources } from '../../../resources/index.ts';
import type { DirectoryRecord } from '../../../resources/record.ts';
import { Menu } from '../../../ui/popups/menu.tsx';
import type { MenuItem } from '../../../ui/popups/menu-popup.tsx';
import { TransferDialog } from './agents/transfer-dialog.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { TransferAgentsDialog } from './offices/transfer-agents-dialog.tsx';
import { StatusDialog } from './status-dialog.tsx';

type Action = 'deactivate' | 'reactivate' | 'transfer' | 'transferAgents' | 'delete';

interface RecordActionsProps {
  resource: ResourceName;
  record: DirectoryRecord;
  /** Undefined if there is a button for it. */
  onEdit: (() => void) | undefined;
}

export function RecordActions({ resource, record, onEdit }: RecordActionsProps) {
  const { t } = useLingui();
  const { can, canManage } = useRights();
  const [action, setAction] = useState<Action>();
  const { actions = [] } = resources[resource];
  const isActive = record.status === 'active';
  const items: (MenuItem | false)[] = [
    onEdit !== undefined && {
      id: 'edit',
      label: t`Edit`,
      icon: <Pencil aria-hidden />,
      onSelect: onEdit,
    },
    isActive && {
      id: 'deactivate',
      label: t`Deactivate …`,
      icon: <CircleOff aria-hidden />,
      isDanger: true,
      onSelect: () => setAction('deactivate'),
    },
    !isActive && {
      id: 'reactivate',
      label: t`Reactivate …`,
      icon: <CircleCheck aria-hidden />,
      onSelect: () => setAction('reactivate'),
    },
    actions.includes('transfer') && {
      id: 'transfer',
      label: t`Transfer …`,
      icon: <MoveRight aria-hidden className="rtl:rotate-180" />,
      onSelect: () => setAction('transfer'),
    },
    actions.includes('transferAgents') &&
      can('agents:write') &&
      canManage('offices:write') && {
        id: 'transfer-agents',
        label: t`Transfer all agents …`,
        icon: <UsersRound aria-hidden />,
        onSelect: () => setAction('transferAgents'),
      },
    {
      id: 'delete',
      label: t`Delete …`,
      icon: <Trash2 aria-hidden />,
      isDanger: true,
      onSelect: () => setAction('delete'),
    },
  ];
  const dialog = { resource, record, onClose: () => setAction(undefined) };
  return (
    <>
      <Menu
        look="quiet"
        label={t`More actions`}
        className="min-w-9 px-0 max-sm:min-w-11 max-sm:[&_svg]:size-5 max-sm:[&_svg]:text-text"
        trigger={<Ellipsis aria-hidden />}
        items={items.filter((item) => item !== false)}
      />
      {(action === 'deactivate' || action === 'reactivate') && <StatusDialog change={action} {...dialog} />}
      {action === 'transfer' && <TransferDialog {...dialog} />}
      {action === 'transferAgents' && <TransferAgentsDialog {...dialog} />}
      {action === 'delete' && <DeleteDialog {...dialog} />}
    </>
  );
}
