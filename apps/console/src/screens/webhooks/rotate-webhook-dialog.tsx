import { Trans, useLingui } from '@lingui/react/macro';
import type { Webhook, WebhookWithSecret } from '@roster/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { roster } from '../../api/client.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { SecretDialog } from '../../components/dialogs/secret-dialog.tsx';
import { OverlapField, overlapDefault, overlapEnd } from '../../components/forms/overlap-field.tsx';
import { ExactTime } from '../../components/time.tsx';

interface Rotated {
  webhook: WebhookWithSecret;
  previousEndsAt: string;
}

/** Gives a webhook a new secret, and then shows it once. */
export function RotateWebhookDialog({ item: { id }, onClose }: { item: Webhook; onClose: () => void }) {
  const { t } = useLingui();
  const [overlapSeconds, setOverlap] = useState(overlapDefault);
  const [rotated, setRotated] = useState<Rotated>();
  const rotate = useMutation({
    mutationFn: () => roster.webhooks.rotate.mutate({ id, overlapSeconds }),
    onSuccess: (webhook) => setRotated({ webhook, previousEndsAt: overlapEnd(overlapSeconds) }),
  });
  if (rotated !== undefined)
    return (
      <SecretDialog
        title={t`The new secret of the webhook`}
        secret={rotated.webhook.secret}
        onClose={onClose}
      >
        <p>
          <Trans>
            The previous secret signs too until <ExactTime time={rotated.previousEndsAt} />. The new one signs
            until it is rotated.
          </Trans>
        </p>
      </SecretDialog>
    );
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
