import { useLingui } from '@lingui/react/macro';
import type { Webhook } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { rosterQuery } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';
import { DetailPanel } from '../../components/detail-panel.tsx';
import { Detail, Details } from '../../components/details.tsx';
import { OfficeNames } from '../../components/record-name.tsx';
import { ExactTime, RelativeTime } from '../../components/time.tsx';
import { Deliveries } from './deliveries.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { healthOf } from './webhook-health.ts';

const REFETCH_MS = 5_000;

function WebhookDetails({ item }: { item: Webhook }) {
  const { t } = useLingui();
  const { label, tone, time } = healthOf(item);
  return (
    <Details>
      <Detail label={t`Health`}>
        <span className="flex flex-wrap items-center gap-2">
          <Badge tone={tone}>{t(label)}</Badge>
          {time !== null && <RelativeTime time={time} />}
        </span>
        {item.statusReason !== null && <p>{item.statusReason}</p>}
      </Detail>
      <Detail label={t`Description`}>{item.description}</Detail>
      <Detail label={t`Events`}>
        {item.types === null ? t`All` : <span className="text-xs">{item.types.join(', ')}</span>}
      </Detail>
      <Detail label={t`Offices`}>
        <OfficeNames ids={item.officeIds} max={100} />
      </Detail>
      <Detail label={t`Read to position`}>{item.readTo}</Detail>
      <Detail label={t({ message: 'Created', context: 'time' })}>
        <ExactTime time={item.createdAt} />
      </Detail>
      <Detail label={t`Created by`}>{item.createdBy?.name}</Detail>
      <Detail label={t({ message: 'Changed', context: 'time' })}>
        <ExactTime time={item.updatedAt} />
      </Detail>
    </Details>
  );
}

/** One webhook beside the list, with its deliveries. */
export function WebhookPanel() {
  const { t } = useLingui();
  const { id = '' } = useParams({ strict: false });
  const {
    data: item,
    error,
    refetch,
  } = useQuery({ ...rosterQuery('webhooks', 'get', { id }), refetchInterval: REFETCH_MS });
  return (
    <DetailPanel
      key={id}
      listPath="/webhooks"
      isWide
      title={item?.url ?? t`Webhook`}
      error={item === undefined ? error : null}
      onRetry={() => void refetch()}
    >
      {item !== undefined && (
        <>
          <WebhookActions item={item} />
          <WebhookDetails item={item} />
          <Deliveries webhook={item} />
        </>
      )}
    </DetailPanel>
  );
}
