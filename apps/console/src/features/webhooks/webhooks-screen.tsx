import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Webhook } from '@roster/client';
import { roster, rosterQuery } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import { Plus } from '../../icons.tsx';
import { Pause, Play } from '../../more-icons.tsx';
import { adminScreen } from '../../ui/admin/admin-screen.tsx';
import { createdAt, createdBy, offices, updatedAt } from '../../ui/admin/common-fields.tsx';
import { Badge } from '../../ui/badge.tsx';
import { FirstOf } from '../../ui/details.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { Deliveries } from './deliveries.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { RotateWebhookDialog } from './rotate-webhook-dialog.tsx';
import { TestButton } from './test-button.tsx';
import { CreateWebhook, EditWebhookDialog } from './webhook-form.tsx';
import { useHealth } from './webhook-health.ts';

/** While nothing tells that the health of a webhook has changed, it is asked again: the list, and the one that is open. */
const LIST_REFETCH_MS = 15_000;
const REFETCH_MS = 5_000;

const isActive = ({ status }: Webhook) => status === 'active';
const all = <Trans>All</Trans>;

function Health({ webhook, hasTime = false }: { webhook: Webhook; hasTime?: boolean }) {
  const { t } = useLingui();
  const { label, tone, time } = useHealth(webhook);
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Badge tone={tone}>{t(label)}</Badge>
      {hasTime && time !== null && <RelativeTime time={time} />}
    </span>
  );
}

export const { List: WebhooksPage, Panel: WebhookPanel } = adminScreen<Webhook>({
  resource: 'webhooks',
  path: '/webhooks',
  labels: {
    title: msg`Webhooks`,
    description: msg`A webhook sends all changes, or certain types of changes, to a URL.`,
    empty: msg`No webhooks yet`,
    one: msg`Webhook`,
  },
  defaultSort: '-createdAt',
  useList: (sort) => usePages('webhooks', 'list', { sort }, { refetchMs: LIST_REFETCH_MS }),
  itemQuery: (id) => ({ ...rosterQuery('webhooks', 'get', { id }), refetchInterval: REFETCH_MS }),
  isWide: true,
  titleOf: ({ url }) => url,
  name: {
    label: msg`URL`,
    sort: 'url',
    link: ({ url }) => <span className="break-all">{url}</span>,
    more: ({ description }) => description !== null && <p className="text-muted text-xs">{description}</p>,
  },
  fields: [
    {
      id: 'health',
      label: msg`Health`,
      column: 'always',
      value: (webhook) => (
        <>
          <Health webhook={webhook} hasTime />
          {webhook.statusReason !== null && <p>{webhook.statusReason}</p>}
        </>
      ),
      cell: (webhook) => <Health webhook={webhook} />,
    },
    { id: 'description', label: msg`Description`, value: ({ description }) => description },
    {
      id: 'types',
      label: msg`Events`,
      column: 'wide',
      value: ({ types }) => (types === null ? all : <span className="text-xs">{types.join(', ')}</span>),
      cell: ({ types }) => (types === null ? all : <FirstOf items={types} max={1} />),
    },
    offices,
    { id: 'readTo', label: msg`Read to position`, value: ({ readTo }) => readTo },
    createdAt(),
    createdBy(),
    updatedAt,
  ],
  create: { label: msg`Create a webhook`, icon: Plus, Dialog: CreateWebhook },
  actions: [
    { id: 'edit', label: msg`Change`, Dialog: EditWebhookDialog },
    {
      id: 'pause',
      label: (item) => (isActive(item) ? msg`Pause` : msg`Resume`),
      icon: (item) => (isActive(item) ? <Pause aria-hidden /> : <Play aria-hidden />),
      run: (item) =>
        roster.webhooks.update.mutate({ id: item.id, status: isActive(item) ? 'disabled' : 'active' }),
    },
    { id: 'replay', label: msg`Replay …`, isInMenu: true, Dialog: ReplayDialog },
    { id: 'rotate', label: msg`Rotate the secret …`, isInMenu: true, Dialog: RotateWebhookDialog },
    {
      id: 'delete',
      label: msg`Delete …`,
      isDanger: true,
      isInMenu: true,
      isRemoval: true,
      run: ({ id }) => roster.webhooks.delete.mutate({ id }),
      question: {
        title: () => msg`Delete this webhook?`,
        confirm: msg`Delete`,
        text: ({ url }) => (
          <>
            <p className="break-all">{url}</p>
            <p>
              <Trans>
                This also deletes its secrets and deliveries, and can't be undone. To keep its position, pause
                the webhook instead.
              </Trans>
            </p>
          </>
        ),
      },
    },
  ],
  MoreActions: TestButton,
  After: Deliveries,
});
