import { Trans, useLingui } from '@lingui/react/macro';
import type { Key, KeyQuery, KeyWithSecret } from '@roster/client';
import { Link, useParams } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { usePages } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ViewFrame } from '../../components/detail-panel.tsx';
import { FirstOf } from '../../components/details.tsx';
import { SecretDialog } from '../../components/dialogs/secret-dialog.tsx';
import { type Column, PagedTable, rowLinkClasses } from '../../components/paged-table.tsx';
import { OfficeNames } from '../../components/record-name.tsx';
import { RelativeTime } from '../../components/time.tsx';
import { firstValue, useViewState } from '../../page/view-state.ts';
import { NewKeyDialog } from './key-form.tsx';
import { stateOfKey } from './scope-labels.ts';

const DEFAULT_SORT = '-createdAt';

function useColumns(): Column<Key>[] {
  const { t } = useLingui();
  const [search] = useViewState();
  const open = { ...search, create: undefined };
  return [
    {
      id: 'name',
      label: t`Name`,
      sort: 'name',
      cell: ({ id, name }) => (
        <Link to="/keys/$id" params={{ id }} search={open} className={rowLinkClasses}>
          {name}
        </Link>
      ),
    },
    {
      id: 'state',
      label: t`State`,
      cell: (key) => {
        const { label, tone } = stateOfKey(key);
        return <Badge tone={tone}>{t(label)}</Badge>;
      },
    },
    {
      id: 'hint',
      label: t`Prefix`,
      width: 'medium',
      cell: ({ hint }) => <code className="text-xs">{hint}…</code>,
    },
    {
      id: 'scopes',
      label: t`Scopes`,
      width: 'widest',
      cell: ({ scopes }) => <FirstOf items={scopes} />,
    },
    {
      id: 'offices',
      label: t`Offices`,
      width: 'wide',
      cell: ({ officeIds }) => <OfficeNames ids={officeIds} max={1} />,
    },
    {
      id: 'createdBy',
      label: t`Created by`,
      width: 'widest',
      cell: ({ createdBy }) => createdBy?.name ?? '–',
    },
    {
      id: 'createdAt',
      label: t({ message: 'Created', context: 'time' }),
      sort: 'createdAt',
      width: 'widest',
      cell: ({ createdAt }) => <RelativeTime time={createdAt} />,
    },
    {
      id: 'lastUsedAt',
      label: t`Last use`,
      width: 'medium',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? t`Never` : <RelativeTime time={lastUsedAt} />),
    },
    {
      id: 'expiresAt',
      label: t`Expires`,
      width: 'wide',
      cell: ({ expiresAt }) => (expiresAt === null ? t`Never` : <RelativeTime time={expiresAt} />),
    },
  ];
}

/** The keys of the service, with one of them beside the list. */
export function KeysPage() {
  const { t } = useLingui();
  const [search, changeView] = useViewState();
  const { id } = useParams({ strict: false });
  const [created, setCreated] = useState<KeyWithSecret>();
  const sort = (firstValue(search.sort) ?? DEFAULT_SORT) as NonNullable<KeyQuery['sort']>;
  const pages = usePages('keys', 'list', { sort });
  const close = () => changeView({ create: undefined });
  return (
    <ViewFrame
      title={t`Keys`}
      description={t`A key lets a program call the service, with its scopes and no more.`}
      actions={
        <Button look="primary" onClick={() => changeView({ create: 'true' })}>
          <Plus aria-hidden />
          <Trans>Create a key</Trans>
        </Button>
      }
    >
      <PagedTable
        label={t`Keys`}
        pages={pages}
        columns={useColumns()}
        defaultSort={DEFAULT_SORT}
        selectedId={id}
        empty={<Trans>There is no key that you may see.</Trans>}
      />
      {search.create === 'true' && (
        <NewKeyDialog
          onClose={close}
          onCreated={(key) => {
            close();
            setCreated(key);
          }}
        />
      )}
      {created !== undefined && (
        <SecretDialog
          title={t`The secret of ${created.name}`}
          secret={created.secret}
          onClose={() => setCreated(undefined)}
        >
          <p>
            <Trans>Programs send it with every request:</Trans>{' '}
            <code className="break-all">Authorization: Bearer {created.hint}…</code>
          </p>
        </SecretDialog>
      )}
    </ViewFrame>
  );
}
