import { Trans, useLingui } from '@lingui/react/macro';
import type { Key, KeyWithSecret } from '@roster/client';
import { useQueryClient } from '@tanstack/react-query';
import { roster } from '../../api/client.ts';
import { Detail, Details } from '../../ui/details.tsx';
import { RotateDialog, type Rotated } from '../../ui/dialogs/rotate-dialog.tsx';
import { ExactTime } from '../../ui/time.tsx';

export function RotateKeyDialog({ item: { id, name }, onClose }: { item: Key; onClose: () => void }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const rotate = async (overlapSeconds: number) => {
    const renewed = await roster.keys.rotate.mutate({ id, overlapSeconds });
    void client.invalidateQueries({ queryKey: ['keys'] });
    return renewed;
  };
  return (
    <RotateDialog
      title={t`Rotate ${name}`}
      warning={<Trans>Programs and sessions that use the current secret are rejected immediately.</Trans>}
      rotate={rotate}
      secretTitle={(renewed) => t`The new secret of ${renewed.name}`}
      ends={(rotated) => <SecretEnds {...rotated} />}
      onClose={onClose}
    >
      <Trans>
        Creates a new secret, which is shown once. The current secret keeps working during the overlap, so you
        can update your programs, but it can't rotate keys.
      </Trans>
    </RotateDialog>
  );
}

function SecretEnds({ renewed, previousEndsAt }: Rotated<KeyWithSecret>) {
  return (
    <Details>
      <Detail label={<Trans>The new secret works until</Trans>}>
        {renewed.expiresAt === null ? (
          <Trans>until the key is rotated or revoked</Trans>
        ) : (
          <ExactTime time={renewed.expiresAt} />
        )}
      </Detail>
      <Detail label={<Trans>The previous secret works until</Trans>}>
        <ExactTime time={previousEndsAt} />
      </Detail>
    </Details>
  );
}
