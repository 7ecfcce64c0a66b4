import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Person } from '@roster/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { roster, rosterQuery } from '../../api/client.ts';
import { X } from '../../icons.tsx';
import { Link } from '../../more-icons.tsx';
import { useViewState } from '../../ui/browser/view-state.ts';
import { IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/form-dialog.tsx';
import { useNewLink, useSignInMethods } from './invitation.tsx';

const DAY_MS = 86_400_000;

/** The name of who invited a person, and how long the link works. */
export function InvitedBy({ person }: { person: Person }) {
  const { t } = useLingui();
  const methods = useSignInMethods();
  const { data } = useQuery({
    ...rosterQuery('invitations', 'list', { isOpen: true, sort: '-createdAt', limit: 200 }),
    enabled: methods?.provider === false,
  });
  const open = data?.items.find((one) => one.person.id === person.id);
  const by = (open ?? person).createdBy?.name;
  const days = open && Math.ceil((new Date(open.expiresAt).getTime() - Date.now()) / DAY_MS);
  return (
    <p className="text-muted text-xs">
      {by === undefined ? t`Invited` : t`Invited by ${by}`}
      {days !== undefined && `, ${t`${plural(days, { one: '# day left', other: '# days left' })}`}`}
    </p>
  );
}

/** Over the end of a row, while the mouse or the focus is there. */
export function InvitationTools({ person }: { person: Person }) {
  const { t } = useLingui();
  const methods = useSignInMethods();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [search] = useViewState();
  const { id } = useParams({ strict: false });
  const { create, dialog } = useNewLink(person);
  const [isAsking, setAsking] = useState(false);
  const withdraw = async () => {
    await roster.people.delete.mutate({ id: person.id });
    if (id === person.id) await navigate({ to: '/people', search });
    for (const name of ['invitations', 'people']) void client.invalidateQueries({ queryKey: [name] });
  };
  return (
    <span className="absolute inset-y-0 end-0 flex items-center gap-1 bg-hover px-2 opacity-0 focus-within:opacity-100 group-hover/row:opacity-100 pointer-coarse:bg-transparent pointer-coarse:opacity-100">
      {methods?.provider === false && (
        <IconButton
          size="small"
          label={t`Create a new link`}
          disabled={create.isPending}
          onClick={() => create.mutate(false)}
        >
          <Link aria-hidden />
        </IconButton>
      )}
      <IconButton size="small" label={t`Withdraw the invitation`} onClick={() => setAsking(true)}>
        <X aria-hidden />
      </IconButton>
      {dialog}
      {isAsking && (
        <ConfirmDialog
          title={t`Withdraw the invitation of ${person.name}?`}
          confirmLabel={t`Withdraw`}
          onConfirm={withdraw}
          onClose={() => setAsking(false)}
        >
          <p>
            <Trans>The person can't sign in, and is removed from the list. You can invite them again.</Trans>
          </p>
        </ConfirmDialog>
      )}
    </span>
  );
}
