import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRights } from '../../api/caller.ts';
import { useViewState } from '../browser/view-state.ts';
import { Button } from '../button.tsx';
import { ConfirmDialog } from '../dialogs/form-dialog.tsx';
import { notifyError } from '../error-text.tsx';
import { Menu } from '../popups/menu.tsx';
import type { AdminAction, AdminTable, TablePath } from './definition.ts';

type Part<Item> = Pick<AdminTable<Item>, 'resource' | 'actions'> & { path?: TablePath };

/** Does an action; afterwards everything that is shown of the resource is read again. */
function useRun<Item extends { id: string }>({ resource, path }: Part<Item>, item: Item) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [search] = useViewState();
  return async ({ run, isRemoval }: AdminAction<Item>) => {
    await run?.(item);
    if (isRemoval && path !== undefined) {
      await navigate({ to: path, search });
      client.removeQueries({ queryKey: [resource, 'get', { id: item.id }] });
    }
    void client.invalidateQueries({ queryKey: [resource] });
    // The action may end the current session.
    void client.invalidateQueries({ queryKey: ['sessions'] });
  };
}

export function AdminActions<Item extends { id: string }>({
  screen,
  item,
}: {
  screen: Part<Item>;
  item: Item;
}) {
  const { t, i18n } = useLingui();
  const rights = useRights();
  const [openId, setOpen] = useState<string>();
  const run = useRun(screen, item);
  const mutation = useMutation({
    mutationFn: run,
    onError: notifyError,
  });
  const offered = screen.actions.filter(({ isOffered }) => isOffered?.(item, rights) !== false);
  const textOf = (label: AdminAction<Item>['label']) => t(typeof label === 'function' ? label(item) : label);
  const labelOf = ({ label }: AdminAction<Item>) => textOf(label);
  const start = (action: AdminAction<Item>) =>
    action.question === undefined && action.Dialog === undefined
      ? mutation.mutate(action)
      : setOpen(action.id);
  const inMenu = offered.filter(({ isInMenu }) => isInMenu);
  const open = offered.find(({ id }) => id === openId);
  const close = () => setOpen(undefined);
  return (
    <>
      {offered
        .filter((action) => !action.isInMenu)
        .map((action) => (
          <Button
            key={action.id}
            disabled={mutation.isPending}
            look={action.isDanger ? 'destructive' : 'secondary'}
            onClick={() => start(action)}
          >
            {action.icon?.(item)}
            {labelOf(action)}
          </Button>
        ))}
      {inMenu.length > 0 && (
        <Menu
          label={t`More`}
          trigger={t`More`}
          items={inMenu.map((action) => ({
            id: action.id,
            label: labelOf(action),
            isDanger: action.isDanger === true,
            onSelect: () => start(action),
          }))}
        />
      )}
      {open?.Dialog !== undefined && <open.Dialog item={item} onClose={close} />}
      {open?.question !== undefined && (
        <ConfirmDialog
          title={t(open.question.title(item))}
          confirmLabel={textOf(open.question.confirm)}
          onConfirm={() => run(open)}
          onClose={close}
        >
          {open.question.text(item, i18n)}
        </ConfirmDialog>
      )}
    </>
  );
}
