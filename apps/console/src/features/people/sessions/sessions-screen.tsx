import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Session, SessionMethod, SessionQuery } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useRights } from '../../../api/caller.ts';
import { roster, rosterQuery } from '../../../api/client.ts';
import { signOut } from '../../../api/session-end.ts';
import { usePages } from '../../../api/use-pages.ts';
import { adminTable } from '../../../ui/admin/admin-screen.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { clientName } from '../../../ui/browser/client-name.ts';
import { firstValue, useViewState } from '../../../ui/browser/view-state.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/forms/select.tsx';
import { hint } from '../../../ui/page.tsx';
import { ExactTime, RelativeTime } from '../../../ui/time.tsx';

/** As many people as one page of their list has. */
const PEOPLE_MAX = 200;

const methodLabels: Record<SessionMethod, ReturnType<typeof msg>> = {
  oidc: msg`Identity provider`,
  link: msg`Link`,
  key: msg`Key`,
  passkey: msg`Passkey`,
  email: msg`Link by email`,
};

const nameOf = ({ client }: Session) => (client === null ? '–' : clientName(client));

function Client({ session }: { session: Session }) {
  const { caller } = useRights();
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span className="relative break-words" {...(session.client !== null && hint(session.client))}>
        {nameOf(session)}
      </span>
      {caller.session?.id === session.id && (
        <Badge tone="good">
          <Trans>This session</Trans>
        </Badge>
      )}
    </span>
  );
}

function KeyOwner({ id }: { id: string }) {
  const [, changeView] = useViewState();
  const { can } = useRights();
  const { data } = useQuery({ ...rosterQuery('keys', 'get', { id }), enabled: can('keys:manage') });
  const name = data?.name ?? id;
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm">
      <Trans>The sessions that were signed in with the key {name}</Trans>
      <Button look="quiet" onClick={() => changeView({ keyId: undefined })}>
        <Trans>Show mine</Trans>
      </Button>
    </p>
  );
}

function PersonField({ personId }: { personId: string | undefined }) {
  const { t } = useLingui();
  const [, changeView] = useViewState();
  const { caller } = useRights();
  const people = usePages('people', 'list', { sort: 'name', limit: PEOPLE_MAX });
  const others = people.rows?.filter(({ id }) => id !== caller.id) ?? [];
  const isKnown = personId === undefined || others.some(({ id }) => id === personId);
  return (
    <div className="flex flex-wrap items-end gap-2">
      <SelectField
        label={t`Sessions of`}
        className="w-full max-w-xs"
        value={personId ?? ''}
        onChange={(chosen) => changeView({ personId: chosen, keyId: undefined })}
        options={[
          ['', t`Mine`],
          ...(isKnown ? [] : [[personId, personId] as const]),
          ...others.map(({ id, name, email }) => [id, `${name} (${email})`] as const),
        ]}
      />
      {people.hasMore && (
        <Button disabled={people.isLoadingMore} onClick={people.loadMore}>
          <Trans>More people</Trans>
        </Button>
      )}
    </div>
  );
}

function Owner() {
  const [search] = useViewState();
  const { can } = useRights();
  const keyId = firstValue(search.keyId);
  if (keyId !== undefined) return <KeyOwner id={keyId} />;
  return can('people:manage') ? <PersonField personId={firstValue(search.personId)} /> : null;
}

export const { List: SessionsPage, Table: SessionTable } = adminTable<Session>({
  resource: 'sessions',
  labels: {
    title: msg`Sessions`,
    description: msg`Active sessions. End any session you don't recognise.`,
    empty: msg`No sessions.`,
  },
  defaultSort: '-createdAt',
  useList: (sort, search) => {
    const [personId, keyId] = [firstValue(search.personId), firstValue(search.keyId)];
    return usePages('sessions', 'list', {
      sort: sort as NonNullable<SessionQuery['sort']>,
      ...(personId !== undefined && { personId }),
      ...(keyId !== undefined && { keyId }),
    });
  },
  titleOf: nameOf,
  name: { label: msg`Signed in with`, link: (session) => <Client session={session} /> },
  fields: [
    {
      id: 'method',
      label: msg`By`,
      column: 'medium',
      value: ({ method }, i18n) => i18n._(methodLabels[method]),
    },
    {
      id: 'createdAt',
      label: msg`Since`,
      column: 'wide',
      sort: 'createdAt',
      value: ({ createdAt }) => <RelativeTime time={createdAt} />,
    },
    {
      id: 'lastUsedAt',
      label: msg`Last use`,
      column: 'always',
      value: ({ lastUsedAt }) => <RelativeTime time={lastUsedAt} />,
    },
    {
      id: 'expiresAt',
      label: msg`Ends`,
      column: 'wide',
      value: ({ expiresAt }) => <ExactTime time={expiresAt} />,
    },
  ],
  Filters: Owner,
  actions: [
    {
      id: 'sign-out',
      label: msg`Sign out`,
      isOffered: ({ id }, { caller }) => caller.session?.id === id,
      run: signOut,
    },
    {
      id: 'end',
      label: msg`End`,
      isDanger: true,
      isOffered: ({ id }, { caller }) => caller.session?.id !== id,
      run: ({ id }) => roster.sessions.revoke.mutate({ id }),
      question: {
        title: () => msg`End this session?`,
        confirm: msg`End the session`,
        text: (session) => (
          <>
            <p>{nameOf(session)}</p>
            <p>
              <Trans>
                The session was last used <RelativeTime time={session.lastUsedAt} />. Its pages are signed out
                within a second. You can sign in again.
              </Trans>
            </p>
          </>
        ),
      },
    },
  ],
});
