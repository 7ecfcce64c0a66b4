import { Trans, useLingui } from '@lingui/react/macro';
import type { Webhook, WebhookQuery, WebhookWithSecret } from '@roster/client';
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
import { NewWebhookDialog } from './webhook-form.tsx';
import { healthOf } from './webhook-health.ts';

const DEFAULT_SORT = '-createdAt';

function useColumns(): Column<Webhook>[] {
  const { t } = useLingui();
  const [search] = useViewState();
  const open = { sort: search.sort };
  return [
    {
      id: 'url',
      label: t`URL`,
      sort: 'url',
      cell: ({ id, url, description }) => (
        <>
          <Link to="/webhooks/$id" params={{ id }} search={open} className={rowLinkClasses}>
            <span className="break-all">{url}</span>
          </Link>
          {description !== null && <p className="text-muted text-xs">{description}</p>}
        </>
      ),
    },
    {
      id: 'health',
      label: t`Health`,
      cell: (webhook) => {
        const { label, tone } = healthOf(webhook);
        return <Badge tone={tone}>{t(label)}</Badge>;
      },
    },
    {
      id: 'types',
      label: t`Events`,
      width: 'wide',
      cell: ({ types }) => (types === null ? t`All` : <FirstOf items={types} max={1} />),
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
  ];
}

/** While nothing tells that the health of a webhook has changed, it is asked again. */
const REFETCH_MS = 15_000;

/** The webhooks with their health, and one of them beside the list. */
export function WebhooksPage() {
  const { t } = useLingui();
  const [search, changeView] = useViewState();
  const { id } = useParams({ strict: false });
  const [created, setCreated] = useState<WebhookWithSecret>();
  const sort = (firstValue(search.sort) ?? DEFAULT_SORT) as NonNullable<WebhookQuery['sort']>;
  const pages = usePages('webhooks', 'list', { sort }, { refetchMs: REFETCH_MS });
  const close = () => changeView({ create: undefined });
  return (
    <ViewFrame
      title={t`Webhooks`}
      description={t`A webhook sends every change, or some kinds of changes, to a URL.`}
      actions={
        <Button look="primary" onClick={() => changeView({ create: 'true' })}>
          <Plus aria-hidden />
          <Trans>Create a webhook</Trans>
        </Button>
      }
    >
      <PagedTable
        label={t`Webhooks`}
        pages={pages}
        columns={useColumns()}
        defaultSort={DEFAULT_SORT}
        selectedId={id}
        empty={<Trans>There is no webhook that you may see.</Trans>}
      />
      {search.create === 'true' && (
        <NewWebhookDialog
          onClose={close}
          onCreated={(webhook) => {
            close();
            setCreated(webhook);
          }}
        />
      )}
      {created !== undefined && (
        <SecretDialog
          title={t`The secret of the webhook`}
          secret={created.secret}
          onClose={() => setCreated(undefined)}
        >
          <p>
            <Trans>
              The receiver verifies with it that messages come from this service, by the rules of Standard
              Webhooks.
            </Trans>
          </p>
        </SecretDialog>
      )}
    </ViewFrame>
  );
}
