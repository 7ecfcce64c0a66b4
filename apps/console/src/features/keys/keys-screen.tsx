import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Key, KeyQuery } from '@roster/client';
import { Link } from '@tanstack/react-router';
import { useRights } from '../../api/caller.ts';
import { roster, rosterQuery } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import { Plus } from '../../icons.tsx';
import { scopeLabels } from '../../resources/scope-labels.ts';
import { adminScreen } from '../../ui/admin/admin-screen.tsx';
import { createdAt, createdBy, offices, updatedAt } from '../../ui/admin/common-fields.tsx';
import { Badge } from '../../ui/badge.tsx';
import { buttonClasses } from '../../ui/button.tsx';
import { FirstOf } from '../../ui/details.tsx';
import { ExactTime, RelativeTime } from '../../ui/time.tsx';
import { stateOfKey } from './expiry.ts';
import { CreateKey, EditKeyDialog } from './key-form.tsx';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';

const never = <Trans>Never</Trans>;
const isInUse = ({ revokedAt }: Key) => revokedAt === null;

function SessionsLink({ item }: { item: Key }) {
  const { can } = useRights();
  if (!can('people:manage')) return null;
  return (
    <Link to="/sessions" search={{ keyId: item.id }} className={buttonClasses('quiet')}>
      <Trans>Its sessions</Trans>
    </Link>
  );
}

export const { List: KeysPage, Panel: KeyPanel } = adminScreen<Key>({
  resource: 'keys',
  path: '/keys',
  labels: {
    title: msg`Keys`,
    description: msg`A key lets a program use the service within the key's scopes.`,
    empty: msg`No keys yet`,
    one: msg`Key`,
  },
  defaultSort: '-createdAt',
  useList: (sort) => usePages('keys', 'list', { sort: sort as NonNullable<KeyQuery['sort']> }),
  itemQuery: (id) => rosterQuery('keys', 'get', { id }),
  titleOf: ({ name }) => name,
  name: { label: msg`Name`, sort: 'name' },
  fields: [
    {
      id: 'state',
      label: msg`State`,
      column: 'always',
      value: (key, i18n) => {
        const { label, tone } = stateOfKey(key);
        return <Badge tone={tone}>{i18n._(label)}</Badge>;
      },
    },
    {
      id: 'hint',
      label: msg`Prefix`,
      column: 'medium',
      value: ({ hint }) => <code className="text-xs">{hint}…</code>,
    },
    {
      id: 'scopes',
      label: msg`Scopes`,
      column: 'widest',
      value: ({ scopes }, i18n) => (
        <ul>
          {scopes.map((scope) => (
            <li key={scope}>
              {i18n._(scopeLabels[scope])} <code className="text-muted text-xs">{scope}</code>
            </li>
          ))}
        </ul>
      ),
      cell: ({ scopes }) => <FirstOf items={scopes} />,
    },
    offices,
    {
      id: 'lastUsedAt',
      label: msg`Last use`,
      column: 'medium',
      value: ({ lastUsedAt: time }) => (time === null ? never : <RelativeTime time={time} />),
    },
    {
      id: 'expiresAt',
      label: msg`Expires`,
      column: 'wide',
      value: ({ expiresAt: time }) => (time === null ? never : <ExactTime time={time} />),
      cell: ({ expiresAt: time }) => (time === null ? never : <RelativeTime time={time} />),
    },
    {
      id: 'revokedAt',
      label: msg`Revoked`,
      value: ({ revokedAt: time }) => time && <ExactTime time={time} />,
    },
    createdAt(),
    createdBy(),
    updatedAt,
    { id: 'id', label: msg`ID`, value: ({ id }) => <code className="text-xs">{id}</code> },
  ],
  create: { label: msg`Create a key`, icon: Plus, Dialog: CreateKey },
  actions: [
    { id: 'edit', label: msg`Change`, isOffered: isInUse, Dialog: EditKeyDialog },
    { id: 'rotate', label: msg`Rotate`, isOffered: isInUse, Dialog: RotateKeyDialog },
    {
      id: 'revoke',
      label: msg`Revoke`,
      isDanger: true,
      isOffered: isInUse,
      run: ({ id }) => roster.keys.revoke.mutate({ id }),
      question: {
        title: (item) => msg`Revoke ${item.name}?`,
        confirm: msg`Revoke permanently`,
        text: (item) => (
          <>
            <p>
              <Trans>
                Programs that use this key are rejected within a second, and its sessions end. This can't be
                undone.
              </Trans>
            </p>
            <p className="font-medium">
              {item.lastUsedAt === null ? (
                <Trans>The key was never used.</Trans>
              ) : (
                <Trans>
                  The key was last used <RelativeTime time={item.lastUsedAt} isStop={false} /> (
                  <ExactTime time={item.lastUsedAt} />
                  ).
                </Trans>
              )}
            </p>
          </>
        ),
      },
    },
  ],
  MoreActions: SessionsLink,
});
