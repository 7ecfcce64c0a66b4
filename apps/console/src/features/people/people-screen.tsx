import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Person, PersonQuery } from '@roster/client';
import { Suspense } from 'react';
import { useRights } from '../../api/caller.ts';
import { roster, rosterQuery } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import { Mail, UserPlus } from '../../more-icons.tsx';
import { adminScreen } from '../../ui/admin/admin-screen.tsx';
import { createdAt, createdBy, updatedAt } from '../../ui/admin/common-fields.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { lazyComponent } from '../../ui/browser/lazy-components.ts';
import { Part } from '../../ui/details.tsx';
import { OfficeNames } from '../../ui/record-name.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { canSignInByEmail, SignInWay, useSignInMethods } from './invitation.tsx';
import { InvitePeople } from './invite-form.tsx';
import { InvitationTools, InvitedBy } from './invited-row.tsx';
import { EditPersonDialog } from './person-form.tsx';
import { Grants, roleNames, statusLabels, statusTones } from './roles.tsx';

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

function Disc({ person: { id, name, status } }: { person: Person }) {
  if (status !== 'invited') return <Avatar name={name} id={id} isInactive={status === 'inactive'} />;
  return (
    <span
      aria-hidden
      className="grid size-7 shrink-0 place-items-center rounded-full border border-control border-dashed text-muted"
    >
      <Mail className="size-3.5" />
    </span>
  );
}

function Badges({ person }: { person: Person }) {
  const { caller } = useRights();
  const methods = useSignInMethods();
  const needsLink =
    person.signInWay === 'none' &&
    isActive(person) &&
    methods !== undefined &&
    !canSignInByEmail(person, methods);
  return (
    <>
      {person.id === caller.id && (
        <Badge>
          <Trans context="badge">You</Trans>
        </Badge>
      )}
      {needsLink && (
        <Badge tone="warning">
          <Trans>Needs a sign-in link</Trans>
        </Badge>
      )}
    </>
  );
}

const isActive = ({ status }: Person) => status !== 'inactive';

export const { List: PeoplePage, Panel: PersonPanel } = adminScreen<Person>({
  resource: 'people',
  path: '/people',
  labels: {
    title: msg`People`,
    empty: msg`No matching people`,
    one: msg`Person`,
  },
  defaultSort: 'name',
  useList: (sort) =>
    usePages('people', 'list', { sort: sort as NonNullable<PersonQuery['sort']>, limit: 200 }),
  itemQuery: (id) => rosterQuery('people', 'get', { id }),
  titleOf: ({ name }) => name,
  name: {
    label: msg`Name`,
    sort: 'name',
    disc: (person) => <Disc person={person} />,
    badge: (person) => <Badges person={person} />,
    more: (person) => (
      <>
        {person.name !== person.email && <p className="break-all text-muted text-xs">{person.email}</p>}
        {person.status === 'invited' && person.signInWay !== 'none' && <InvitedBy person={person} />}
      </>
    ),
  },
  fields: [
    {
      id: 'status',
      label: msg`State`,
      value: ({ status }, i18n) => <Badge tone={statusTones[status]}>{i18n._(statusLabels[status])}</Badge>,
    },
    { id: 'email', label: msg`Email`, value: ({ email }) => <span className="break-all">{email}</span> },
    {
      id: 'grants',
      label: msg`Access`,
      value: ({ grants }) => <Grants grants={grants} max={100} />,
    },
    {
      id: 'role',
      label: msg`Role`,
      column: 'always',
      cell: ({ grants }, i18n) => (
        <ul>
          {grants.map((grant) => (
            <li key={JSON.stringify(grant)}>{i18n._(roleNames[grant.role])}</li>
          ))}
        </ul>
      ),
    },
    {
      id: 'offices',
      label: msg`Offices`,
      column: 'medium',
      cell: ({ grants }) => (
        <ul className="text-muted">
          {grants.map((grant) => (
            <li key={JSON.stringify(grant)}>
              <OfficeNames ids={grant.officeIds} max={1} />
            </li>
          ))}
        </ul>
      ),
    },
    {
      id: 'lastSignedInAt',
      label: msg`Last sign-in`,
      column: 'broad',
      value: ({ lastSignedInAt: time }) =>
        time === null ? <Trans>Never</Trans> : <RelativeTime time={time} />,
      cell: (person) => {
        const { lastSignedInAt: time, status } = person;
        return (
          <span className="text-muted">
            {time !== null && <RelativeTime time={time} />}
            {time === null && (status === 'invited' ? <Trans>Not yet</Trans> : <Trans>Never</Trans>)}
            {status === 'invited' && <InvitationTools person={person} />}
          </span>
        );
      },
    },
    createdAt(msg`Invited`),
    createdBy(msg`Invited by`),
    updatedAt,
  ],
  finder: {
    tabs: [
      { id: 'all', label: msg`All`, has: isActive },
      { id: 'invited', label: msg`Invited`, has: ({ status }) => status === 'invited' },
      { id: 'deactivated', label: msg`Deactivated`, has: (person) => !isActive(person) },
    ],
    searchLabel: msg`Search people`,
    textOf: ({ name, email }) => `${name} ${email}`,
  },
  create: { label: msg`Invite people`, icon: UserPlus, Dialog: InvitePeople, isPanel: true },
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
