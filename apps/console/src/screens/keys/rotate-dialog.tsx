import { Trans, useLingui } from '@lingui/react/macro';
import type { Key, KeyWithSecret } from '@roster/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { roster } from '../../api/client.ts';
import { Detail, Details } from '../../components/details.tsx';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { SecretDialog } from '../../components/dialogs/secret-dialog.tsx';
import { OverlapField, overlapDefault, overlapEnd } from '../../components/forms/overlap-field.tsx';
import { ExactTime } from '../../components/time.tsx';

/** A new secret, and until when the one before it works too. */
interface Rotated {
  renewed: KeyWithSecret;
  previousEndsAt: string;
}

/** Gives a key a new secret, after asking how long the present one shall work beside it; then shows it once. */
export function RotateDialog({ item, onClose }: { item: Key; onClose: () => void }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [overlapSeconds, setOverlap] = useState(overlapDefault);
  const [rotated, setRotated] = useState<Rotated>();
  const { id, name } = item;
  const rotate = useMutation({
    mutationFn: () => roster.keys.rotate.mutate({ id, overlapSeconds }),
    onSuccess: (renewed) => {
      void client.invalidateQueries({ queryKey: ['keys'] });
      setRotated({ renewed, previousEndsAt: overlapEnd(overlapSeconds) });
    },
  });
  if (rotated !== undefined)
    return (
      <SecretDialog
        title={t`The new secret of ${rotated.renewed.name}`}
        secret={rotated.renewed.secret}
        onClose={onClose}
      >
        <SecretEnds {...rotated} />
      </SecretDialog>
    );
  return (
    <FormDialog
      title={t`Rotate ${name}`}
      submitLabel={t`Rotate`}
      isPending={rotate.isPending}
      error={rotate.error}
      onSubmit={() => rotate.mutate()}
      onClose={onClose}
    >
      <p className="text-sm">
        <Trans>
          The key gets a new secret, which is shown once. The current secret keeps working during the overlap,
          so that programs can switch to the new one; it cannot rotate keys meanwhile.
        </Trans>
      </p>
      <OverlapField value={overlapSeconds} onChange={setOverlap} />
      {overlapSeconds === 0 && (
        <p className="text-danger text-sm">
          <Trans>Programs and sessions with the current secret are rejected at once.</Trans>
        </p>
      )}
    </FormDialog>
  );
}

/** Until when the two secrets of a key that was rotated work. */
function SecretEnds({ renewed, previousEndsAt }: Rotated) {
  return (
    <Details>
      <Detail label={<Trans>The new secret works until</Trans>}>
        {renewed.expiresAt === null ? (
          <Trans>it is rotated or the key is revoked</Trans>
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
