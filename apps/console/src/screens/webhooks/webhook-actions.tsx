import { Trans, useLingui } from '@lingui/react/macro';
import type { Webhook, WebhookWithSecret } from '@roster/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Pause, Play, Send } from 'lucide-react';
import { useState } from 'react';
import { roster } from '../../api/client.ts';
import { Callout } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { CodeBox } from '../../components/details.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { SecretDialog } from '../../components/dialogs/secret-dialog.tsx';
import { messageOf } from '../../components/error-text.tsx';
import { OverlapField, overlapDefault, overlapEnd } from '../../components/forms/overlap-field.tsx';
import { Menu } from '../../components/menu.tsx';
import { notify } from '../../components/notices.tsx';
import { ExactTime } from '../../components/time.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { EditWebhookDialog } from './webhook-form.tsx';

interface Rotated {
  webhook: WebhookWithSecret;
  previousEndsAt: string;
}

function RotateWebhookDialog({
  id,
  onRotated,
  onClose,
}: {
  id: string;
  onRotated: (rotated: Rotated) => void;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const [overlapSeconds, setOverlap] = useState(overlapDefault);
  const rotate = useMutation({
    mutationFn: () => roster.webhooks.rotate.mutate({ id, overlapSeconds }),
    onSuccess: (webhook) => onRotated({ webhook, previousEndsAt: overlapEnd(overlapSeconds) }),
  });
  return (
    <FormDialog
      title={t`Rotate the secret`}
      submitLabel={t`Rotate`}
      isPending={rotate.isPending}
      error={rotate.error}
      onSubmit={() => rotate.mutate()}
      onClose={onClose}
    >
      <p className="text-sm">
        <Trans>
          The webhook gets a new secret, which is shown once. During the overlap messages are signed with
          both, so that the receiver can change to the new one.
        </Trans>
      </p>
      <OverlapField value={overlapSeconds} onChange={setOverlap} />
    </FormDialog>
  );
}

/** Sends one message at once and says what the receiver answered. */
function TestButton({ id }: { id: string }) {
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
              result.error ?? t`The receiver answered ${result.status ?? ''} after ${result.durationMs} ms.`
            }
          >
            {result.body !== null && result.body !== '' && <CodeBox>{result.body}</CodeBox>}
          </Callout>
        )}
      </div>
    </>
  );
}

function PauseButton({ item }: { item: Webhook }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const isActive = item.status === 'active';
  const change = useMutation({
    mutationFn: () =>
      roster.webhooks.update.mutate({ id: item.id, status: isActive ? 'disabled' : 'active' }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  const onError = (error: Error) => notify({ tone: 'danger', text: messageOf(error) });
  return (
    <Button disabled={change.isPending} onClick={() => change.mutate(undefined, { onError })}>
      {isActive ? <Pause aria-hidden /> : <Play aria-hidden />}
      {isActive ? t`Pause` : t`Resume`}
    </Button>
  );
}

type Open = 'edit' | 'rotate' | 'replay' | 'delete' | undefined;

/** The actions on a webhook. */
export function WebhookActions({ item }: { item: Webhook }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open>();
  const [rotated, setRotated] = useState<Rotated>();
  const { id } = item;
  const close = () => setOpen(undefined);
  const remove = async () => {
    await roster.webhooks.delete.mutate({ id });
    await navigate({ to: '/webhooks' });
    client.removeQueries({ queryKey: ['webhooks', 'get', { id }] });
    void client.invalidateQueries({ queryKey: ['webhooks', 'list'] });
  };
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={() => setOpen('edit')}>{t`Change`}</Button>
      <TestButton id={id} />
      <PauseButton item={item} />
      <Menu
        label={t`More`}
        trigger={t`More`}
        items={[
          { id: 'replay', label: t`Replay …`, onSelect: () => setOpen('replay') },
          { id: 'rotate', label: t`Rotate the secret …`, onSelect: () => setOpen('rotate') },
          { id: 'delete', label: t`Delete …`, isDanger: true, onSelect: () => setOpen('delete') },
        ]}
      />
      {open === 'edit' && <EditWebhookDialog item={item} onClose={close} />}
      {open === 'replay' && <ReplayDialog item={item} onClose={close} />}
      {open === 'rotate' && (
        <RotateWebhookDialog
          id={id}
          onClose={close}
          onRotated={(next) => {
            close();
            setRotated(next);
          }}
        />
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={t`Delete this webhook?`}
          confirmLabel={t`Delete`}
          onConfirm={remove}
          onClose={close}
        >
          <p className="break-all">{item.url}</p>
          <p>
            <Trans>
              Its secrets and its deliveries are deleted with it. This cannot be undone; a paused webhook
              keeps its position instead.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
      {rotated !== undefined && (
        <SecretDialog
          title={t`The new secret of the webhook`}
          secret={rotated.webhook.secret}
          onClose={() => setRotated(undefined)}
        >
          <p>
            <Trans>
              The previous secret signs too until <ExactTime time={rotated.previousEndsAt} />. The new one
              signs until it is rotated.
            </Trans>
          </p>
        </SecretDialog>
      )}
    </div>
  );
}
