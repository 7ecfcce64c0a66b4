import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Person, PersonQuery, PersonStatus } from '@roster/client';
import { Suspense } from 'react';
import { roster, rosterQuery } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import { UserPlus } from '../../icons.tsx';
import { adminScreen } from '../../ui/admin/admin-screen.tsx';
import { createdAt, createdBy, updatedAt } from '../../ui/admin/common-fields.tsx';
import { Badge } from '../../ui/badge.tsx';
import { lazyComponent } from '../../ui/browser/lazy-components.ts';
import { firstValue } from '../../ui/browser/view-state.ts';
import { Part } from '../../ui/details.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { SignInWay } from './invitation.tsx';
import { EditPersonDialog, InvitePerson } from './person-form.tsx';
import { Grants, statusLabels, statusTones } from './roles.tsx';

const PasskeyList = lazyComponent(() => import('./sessions/passkey-list.tsx'), 'PasskeyList');
const SessionTable = lazyComponent(() => import('./sessions/sessions-screen.tsx'), 'SessionTable');

function SignedIn({ item: { id, signInWay } }: { item: Person }) {
  const sessions = usePages('sessions', 'list', { personId: id });
  return (
    <>
      {signInWay === 'passkey' && (
        <Part title={<Trans>Passkeys</Trans>}>
          <Suspense>
            <PasskeyList personId={id} />
          </Suspense>
        </Part>
      )}
      <Part title={<Trans>Sessions</Trans>}>
        <Suspense>
          <SessionTable pages={sessions} />
        </Suspense>
      </Part>
    </>
  );
}

const isActive = ({ status }: Person) => status !== 'inactive';

export const { List: PeoplePage, Panel: PersonPanel } = adminScreen<Person>({
  resource: 'people',
  path: '/people',
  labels: {
    title: msg`People`,
    description: msg`People who can sign in, and their access.`,
    empty: msg`No matching people`,
    one: msg`Person`,
  },
  defaultSort: 'name',
  useList: (sort, search) => {
    const status = firstValue(search.status);
    return usePages('people', 'list', {
      sort: sort as NonNullable<PersonQuery['sort']>,
      ...(status !== undefined && { status: status as PersonStatus }),
    });
  },
  itemQuery: (id) => rosterQuery('people', 'get', { id }),
  titleOf: ({ name }) => name,
  name: {
    label: msg`Name`,
    sort: 'name',
    more: ({ email }) => <p className="break-all text-muted text-xs">{email}</p>,
  },
  fields: [
    {
      id: 'status',
      label: msg`State`,
      column: 'always',
      value: ({ status }, i18n) => <Badge tone={statusTones[status]}>{i18n._(statusLabels[status])}</Badge>,
      cell: (person, i18n) => (
        <>
          <Badge tone={statusTones[person.status]}>{i18n._(statusLabels[person.status])}</Badge>
          {person.signInWay === 'none' && isActive(person) && (
            <p className="text-muted text-xs">
              <Trans>Needs a sign-in link</Trans>
            </p>
          )}
        </>
      ),
    },
    { id: 'email', label: msg`Email`, value: ({ email }) => <span className="break-all">{email}</span> },
    {
      id: 'grants',
      label: msg`Access`,
      column: 'medium',
      value: ({ grants }) => <Grants grants={grants} max={100} />,
      cell: ({ grants }) => <Grants grants={grants} />,
    },
    {
      id: 'lastSignedInAt',
      label: msg`Last sign-in`,
      column: 'wide',
      value: ({ lastSignedInAt: time }) =>
        time === null ? <Trans>Never</Trans> : <RelativeTime time={time} />,
    },
    createdAt(msg`Invited`),
    createdBy(msg`Invited by`),
    updatedAt,
  ],
  filters: [{ name: 'status', label: msg`State`, choices: statusLabels }],
  create: { label: msg`Invite a person`, icon: UserPlus, Dialog: InvitePerson },
  actions: [
    { id: 'edit', label: msg`Change`, Dialog: EditPersonDialog },
    {
      id: 'reactivate',
      label: msg`Reactivate`,
      isOffered: (person) => !isActive(person),
      run: ({ id }) => roster.people.reactivate.mutate({ id }),
    },
    {
      id: 'deactivate',
      label: msg`Deactivate`,
      isDanger: true,
      isOffered: isActive,
      run: ({ id }) => roster.people.deactivate.mutate({ id }),
      question: {
        title: ({ name }) => msg`Deactivate ${name}?`,
        confirm: msg`Deactivate`,
        text: () => (
          <p>
            <Trans>
              The person can no longer sign in, and their sessions end within a second. Their access returns
              if you reactivate them.
            </Trans>
          </p>
        ),
      },
    },
    {
      id: 'sessions',
      label: msg`End all sessions …`,
      isDanger: true,
      isInMenu: true,
      run: ({ id }) => roster.people.revokeSessions.mutate({ id }),
      question: {
        title: ({ name }) => msg`End all sessions of ${name}?`,
        confirm: msg`End all sessions`,
        text: () => (
          <p>
            <Trans>The person is signed out everywhere within a second, and can sign in again.</Trans>
          </p>
        ),
      },
    },
    {
      id: 'delete',
      label: msg`Delete …`,
      isDanger: true,
      isInMenu: true,
      isRemoval: true,
      run: ({ id }) => roster.people.delete.mutate({ id }),
      question: {
        title: ({ name }) => msg`Delete ${name}?`,
        confirm: msg`Delete permanently`,
        text: () => (
          <p>
            <Trans>
              This ends the person's sessions and removes their name from the history. It can't be undone. To
              keep the name, deactivate the person instead.
            </Trans>
          </p>
        ),
      },
    },
  ],
  Before: SignInWay,
  After: SignedIn,
  isWide: true,
});
