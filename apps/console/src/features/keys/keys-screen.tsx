import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Key, KeyQuery } from '@roster/client';
import { Link } from '@tanstack/react-router';
import { useRights } from '../../api/caller.ts';
import { roster, rosterQuery } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import { KeyRound, Plus } from '../../icons.tsx';
import { scopeLabels } from '../../resources/scope-labels.ts';
import { adminScreen } from '../../ui/admin/admin-screen.tsx';
import { createdAt, createdBy, offices, updatedAt } from '../../ui/admin/common-fields.tsx';
import { Badge } from '../../ui/badge.tsx';
import { buttonClasses } from '../../ui/button.tsx';
import { ExactTime, NearDay, RelativeTime } from '../../ui/time.tsx';
import { localDayOf } from '../fields/local-time.ts';
import { stateOfKey } from './expiry.ts';
import { CreateKey, EditKeyDialog } from './key-form.tsx';
import { permissionsText } from './permissions.ts';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';

const never = <Trans>Never</Trans>;
const mutedNever = <span className="text-muted">{never}</span>;
const isInUse = ({ revokedAt }: Key) => revokedAt === null;

const endClasses = {
  active: 'text-muted',
  expiring: 'text-soon',
  expired: 'text-danger',
  revoked: 'text-muted',
};

/** Says that the key is no longer accepted. */
function EndedBadge({ item }: { item: Key }) {
  const { t } = useLingui();
  const { id, label } = stateOfKey(item);
  if (id === 'expired') return <Badge tone="danger">{t(label)}</Badge>;
  return id === 'revoked' && <Badge>{t(label)}</Badge>;
}

function ReferenceLink() {
  return (
    <a className={buttonClasses()} href="/docs">
      <Trans>API reference</Trans>
    </a>
  );
}

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
    title: msg`API keys`,
    empty: msg`No matching keys`,
    one: msg`Key`,
  },
  defaultSort: '-createdAt',
  useList: (sort) => usePages('keys', 'list', { sort: sort as NonNullable<KeyQuery['sort']>, limit: 200 }),
  itemQuery: (id) => rosterQuery('keys', 'get', { id }),
  titleOf: ({ name }) => name,
  name: {
    label: msg`Name`,
    sort: 'name',
    disc: () => (
      <span
        aria-hidden
        className="grid size-7 shrink-0 place-items-center rounded-sm bg-inactive-surface text-muted"
      >
        <KeyRound className="size-3.5" />
      </span>
    ),
    badge: (key) => <EndedBadge item={key} />,
    more: ({ hint }) => (
      <p className="text-muted text-xs">
        <code>{hint}…</code>
      </p>
    ),
  },
  fields: [
    {
      id: 'state',
      label: msg`State`,
      value: (key, i18n) => {
        const { label, tone } = stateOfKey(key);
        return <Badge tone={tone}>{i18n._(label)}</Badge>;
      },
    },
    {
      id: 'hint',
      label: msg`Starts with`,
      value: ({ hint }) => <code className="text-xs">{hint}…</code>,
    },
    {
      id: 'scopes',
      label: msg`Permissions`,
      column: 'always',
      value: ({ scopes }, i18n) => (
        <ul>
          {scopes.map((scope) => (
            <li key={scope}>
              {i18n._(scopeLabels[scope])} <code className="text-muted text-xs">{scope}</code>
            </li>
          ))}
        </ul>
      ),
      cell: ({ scopes }, i18n) => permissionsText(i18n, scopes),
    },
    offices,
    {
      id: 'expiresAt',
      label: msg`Ends`,
      column: 'medium',
      value: ({ expiresAt: time }) => (time === null ? never : <ExactTime time={time} />),
      cell: (key) =>
        key.expiresAt === null ? (
          mutedNever
        ) : (
          <span className={endClasses[stateOfKey(key).id]}>
            <NearDay day={localDayOf(key.expiresAt)} />
          </span>
        ),
    },
    {
      id: 'lastUsedAt',
      label: msg`Last used`,
      column: 'wide',
      value: ({ lastUsedAt: time }) => (time === null ? never : <RelativeTime time={time} />),
      cell: ({ lastUsedAt: time }) =>
        time === null ? (
          mutedNever
        ) : (
          <span className="text-muted">
            <RelativeTime time={time} />
          </span>
        ),
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
  finder: {
    tabs: [
      { id: 'all', label: msg`All`, has: isInUse },
      {
        id: 'mine',
        label: msg`Mine`,
        has: (key, { id }) => isInUse(key) && key.createdBy?.id === id,
        isCounted: false,
      },
      { id: 'revoked', label: msg`Revoked`, has: (key) => !isInUse(key) },
    ],
    searchLabel: msg`Search API keys`,
    textOf: ({ name, hint, createdBy: by }) => `${name} ${hint} ${by?.name ?? ''}`,
  },
  MoreTools: ReferenceLink,
  create: { label: msg`New key`, icon: Plus, Dialog: CreateKey },
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
