import { Trans, useLingui } from '@lingui/react/macro';
import type { Webhook } from '@roster/client';
import { roster } from '../../api/client.ts';
import { RotateDialog } from '../../ui/dialogs/rotate-dialog.tsx';
import { ExactTime } from '../../ui/time.tsx';

export function RotateWebhookDialog({ item: { id }, onClose }: { item: Webhook; onClose: () => void }) {
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
