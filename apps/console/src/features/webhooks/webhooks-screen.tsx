import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Webhook } from '@roster/client';
import { useMutation } from '@tanstack/react-query';
import { roster, rosterQuery } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import { Pause, Play, Plus, Send } from '../../icons.tsx';
import { adminScreen } from '../../ui/admin/admin-screen.tsx';
import { createdAt, createdBy, offices, updatedAt } from '../../ui/admin/common-fields.tsx';
import { Badge, Callout } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBox, FirstOf } from '../../ui/details.tsx';
import { RotateDialog } from '../../ui/dialogs/rotate-dialog.tsx';
import { messageOf } from '../../ui/error-message.ts';
import { ExactTime, RelativeTime } from '../../ui/time.tsx';
import { Deliveries } from './deliveries.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { CreateWebhook, EditWebhookDialog } from './webhook-form.tsx';

function TestButton({ item: { id } }: { item: Webhook }) {
  const { t } = useLingui();
  const test = useMutation({ mutationFn: () => roster.webhooks.test.mutate({ id }) });
  const { data: result, error } = test;
  return (
    <>
      <Button disabled={test.isPending} onClick={() => test.mutate()}>
        <Send aria-hidden />
        {test.isPending ? t`Testing…` : t`Test`}
      </Button>
      <div role="status" className="order-last w-full">
        {error !== null && <Callout tone="danger" title={messageOf(error)} />}
        {result !== undefined && !test.isPending && (
          <Callout
            tone={result.error === null ? 'good' : 'danger'}
            title={
              result.error ?? t`The receiver returned ${result.status ?? ''} after ${result.durationMs} ms.`
            }
          >
            {result.body !== null && result.body !== '' && <CodeBox>{result.body}</CodeBox>}
          </Callout>
        )}
      </div>
    </>
  );
}

function RotateWebhookDialog({ item: { id }, onClose }: { item: Webhook; onClose: () => void }) {
  const { t } = useLingui();
  return (
    <RotateDialog
      title={t`Rotate the secret`}
      rotate={(overlapSeconds) => roster.webhooks.rotate.mutate({ id, overlapSeconds })}
      secretTitle={() => t`The new secret of the webhook`}
      ends={({ previousEndsAt }) => (
        <p>
          <Trans>
            Messages are also signed with the previous secret until <ExactTime time={previousEndsAt} />. The
            new secret works until it's rotated.
          </Trans>
        </p>
      )}
      onClose={onClose}
    >
      <Trans>
        Creates a new secret, which is shown once. During the overlap, messages are signed with both secrets
        so you can update the receiver.
      </Trans>
    </RotateDialog>
  );
}

interface WebhookHealth {
  id: 'paused' | 'disabled' | 'failing' | 'waiting' | 'slow' | 'healthy';
  label: MessageDescriptor;
  tone: 'good' | 'warning' | 'danger' | 'neutral';
  /** Since when, or until when it waits. */
  time: string | null;
}

/** The health of a webhook: what keeps it from delivering comes first. */
function healthOf(webhook: Webhook, now = Date.now()): WebhookHealth {
  const { status, statusReason, statusChangedAt, failingSince, pausedUntil, slowSince } = webhook;
  if (status === 'disabled') {
    return statusReason === null
      ? { id: 'paused', label: msg`Paused`, tone: 'neutral', time: statusChangedAt }
      : { id: 'disabled', label: msg`Disabled by the service`, tone: 'danger', time: statusChangedAt };
  }
  if (failingSince !== null)
    return { id: 'failing', label: msg`Failing`, tone: 'danger', time: failingSince };
  if (pausedUntil !== null && Date.parse(pausedUntil) > now)
    return { id: 'waiting', label: msg`Waiting for the receiver`, tone: 'warning', time: pausedUntil };
  if (slowSince !== null) return { id: 'slow', label: msg`Slow`, tone: 'warning', time: slowSince };
  return { id: 'healthy', label: msg`Healthy`, tone: 'good', time: null };
}

/** While nothing tells that the health of a webhook has changed, it is asked again: the list, and the one that is open. */
const LIST_REFETCH_MS = 15_000;
const REFETCH_MS = 5_000;

const isActive = ({ status }: Webhook) => status === 'active';
const all = <Trans>All</Trans>;

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
      value: (webhook, i18n) => {
        const { label, tone, time } = healthOf(webhook);
        return (
          <>
            <span className="flex flex-wrap items-center gap-2">
              <Badge tone={tone}>{i18n._(label)}</Badge>
              {time !== null && <RelativeTime time={time} />}
            </span>
            {webhook.statusReason !== null && <p>{webhook.statusReason}</p>}
          </>
        );
      },
      cell: (webhook, i18n) => {
        const { label, tone } = healthOf(webhook);
        return <Badge tone={tone}>{i18n._(label)}</Badge>;
      },
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
