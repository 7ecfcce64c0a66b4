import { Trans, useLingui } from '@lingui/react/macro';
import type { Session, SessionMethod, SessionQuery } from '@roster/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useRights } from '../api/caller.ts';
import { roster } from '../api/client.ts';
import { signOut } from '../api/session-end.ts';
import { usePages } from '../api/use-pages.ts';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/dialogs/confirm-dialog.tsx';
import { type Column, PagedTable } from '../components/paged-table.tsx';
import { ExactTime, RelativeTime } from '../components/time.tsx';
import { clientName } from '../page/client-name.ts';

function useMethodLabels(): Record<SessionMethod, string> {
  const { t } = useLingui();
  return { oidc: t`Identity provider`, link: t`Link`, key: t`Key`, passkey: t`Passkey` };
}

function useColumns(onEnd: (session: Session) => void): Column<Session>[] {
  const { t } = useLingui();
  const { caller } = useRights();
  const methods = useMethodLabels();
  const isThis = ({ id }: Session) => caller.session?.id === id;
  return [
    {
      id: 'client',
      label: t`Signed in with`,
      cell: (session) => (
        <span className="flex flex-wrap items-center gap-2" title={session.client ?? undefined}>
          <span className="break-words">{session.client === null ? '–' : clientName(session.client)}</span>
          {isThis(session) && <Badge tone="good">{t`This one`}</Badge>}
        </span>
      ),
    },
    { id: 'method', label: t`By`, width: 'medium', cell: ({ method }) => methods[method] },
    {
      id: 'createdAt',
      label: t`Since`,
      sort: 'createdAt',
      width: 'wide',
      cell: ({ createdAt }) => <RelativeTime time={createdAt} />,
    },
    {
      id: 'lastUsedAt',
      label: t`Last use`,
      cell: ({ lastUsedAt }) => <RelativeTime time={lastUsedAt} />,
    },
    {
      id: 'expiresAt',
      label: t`Ends`,
      width: 'wide',
      cell: ({ expiresAt }) => <ExactTime time={expiresAt} />,
    },
    {
      id: 'end',
      label: t`Action`,
      cell: (session) => (
        <Button onClick={() => (isThis(session) ? void signOut() : onEnd(session))}>
          {isThis(session) ? t`Sign out` : t`End`}
        </Button>
      ),
    },
  ];
}

type Owner = Pick<SessionQuery, 'personId' | 'keyId'>;

/** The sessions of a person or of a key that have not ended; of who is signed in unless another one is named. */
export function SessionList({ owner, sort }: { owner: Owner; sort?: SessionQuery['sort'] }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [ending, setEnding] = useState<Session>();
  const pages = usePages('sessions', 'list', { ...owner, ...(sort !== undefined && { sort }) });
  const end = async (id: string) => {
    await roster.sessions.revoke.mutate({ id });
    await client.invalidateQueries({ queryKey: ['sessions', 'list'] });
  };
  return (
    <>
      <PagedTable
        label={t`Sessions`}
        pages={pages}
        columns={useColumns(setEnding)}
        defaultSort="-createdAt"
        empty={<Trans>There are no sessions.</Trans>}
      />
      {ending !== undefined && (
        <ConfirmDialog
          title={t`End this session?`}
          confirmLabel={t`End the session`}
          onConfirm={() => end(ending.id)}
          onClose={() => setEnding(undefined)}
        >
          <p>{ending.client === null ? '–' : clientName(ending.client)}</p>
          <p>
            <Trans>
              It was last used <RelativeTime time={ending.lastUsedAt} />. Its pages are signed out within a
              second; signing in again is possible.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
