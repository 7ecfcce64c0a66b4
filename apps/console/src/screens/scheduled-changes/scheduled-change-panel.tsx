import { Trans, useLingui } from '@lingui/react/macro';
import type { ScheduledChange } from '@roster/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useRights } from '../../api/caller.ts';
import { roster, rosterQuery } from '../../api/client.ts';
import { Badge, Callout } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { DetailPanel } from '../../components/detail-panel.tsx';
import { Detail, Details } from '../../components/details.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { RecordLink, RecordName } from '../../components/record-name.tsx';
import { ExactTime, RelativeTime } from '../../components/time.tsx';
import { changeLabels, statusLabels, statusTones } from './state-labels.ts';

function ChangeDetails({ item }: { item: ScheduledChange }) {
  const { t } = useLingui();
  return (
    <Details>
      <Detail label={t`State`}>
        <Badge tone={statusTones[item.status]}>{t(statusLabels[item.status])}</Badge>
      </Detail>
      <Detail label={t`Record`}>
        <RecordLink resource={item.resource} id={item.subject} />
      </Detail>
      <Detail label={t`Change`}>{t(changeLabels[item.change])}</Detail>
      {item.officeId !== null && (
        <Detail label={t`To the office`}>
          <RecordLink resource="offices" id={item.officeId} />
        </Detail>
      )}
      {item.cascade && (
        <Detail label={t`With it`}>
          <Trans>its active agents</Trans>
        </Detail>
      )}
      <Detail label={t`When`}>
        <ExactTime time={item.effectiveAt} /> (<RelativeTime time={item.effectiveAt} />)
      </Detail>
      <Detail label={t`Reason`}>{item.reason}</Detail>
      <Detail label={t({ message: 'Scheduled', context: 'time' })}>
        <ExactTime time={item.scheduledAt} />
      </Detail>
      <Detail label={t`By`}>{item.actor?.name}</Detail>
      <Detail label={t`Finished`}>{item.finishedAt && <ExactTime time={item.finishedAt} />}</Detail>
    </Details>
  );
}

function CancelButton({ item }: { item: ScheduledChange }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const cancel = async () => {
    await roster.scheduledChanges.cancel.mutate({ id: item.id });
    void client.invalidateQueries({ queryKey: ['scheduledChanges'] });
  };
  return (
    <div>
      <Button onClick={() => setAsking(true)}>{t`Cancel this change …`}</Button>
      {isAsking && (
        <ConfirmDialog
          title={t`Cancel the scheduled change?`}
          confirmLabel={t`Cancel the change`}
          onConfirm={cancel}
          onClose={() => setAsking(false)}
        >
          <p>
            {t(changeLabels[item.change])}: <RecordName resource={item.resource} id={item.subject} />
          </p>
          <p>
            <Trans>
              It does not happen <ExactTime time={item.effectiveAt} />. It stays in the list as cancelled, and
              can be scheduled again.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}

/** One scheduled change beside the list. */
export function ScheduledChangePanel() {
  const { t } = useLingui();
  const { canCancelScheduled } = useRights();
  const { id = '' } = useParams({ strict: false });
  const { data: item, error, refetch } = useQuery(rosterQuery('scheduledChanges', 'get', { id }));
  return (
    <DetailPanel
      key={id}
      listPath="/scheduled-changes"
      title={item === undefined ? t`Scheduled change` : t(changeLabels[item.change])}
      error={item === undefined ? error : null}
      onRetry={() => void refetch()}
    >
      {item !== undefined && (
        <>
          {item.error !== null && (
            <Callout tone="danger" title={t`It failed`}>
              <p>{item.error}</p>
              <p>
                <code className="text-xs">{item.errorCode}</code>
              </p>
            </Callout>
          )}
          {item.status === 'pending' && canCancelScheduled && <CancelButton item={item} />}
          <ChangeDetails item={item} />
        </>
      )}
    </DetailPanel>
  );
}
