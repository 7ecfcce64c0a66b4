import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Webhook, WebhookDelivery, WebhookDeliveryStatus } from '@roster/client';
import { usePages } from '../../api/use-pages.ts';
import { ChevronDown, ChevronRight } from '../../icons.tsx';
import { resourceOfEvent } from '../../resources/index.ts';
import { ChoiceFilter } from '../../ui/admin/filters.tsx';
import { Badge } from '../../ui/badge.tsx';
import { firstValue, useViewState } from '../../ui/browser/view-state.ts';
import { classNames } from '../../ui/button.tsx';
import { Part } from '../../ui/details.tsx';
import { ErrorBox } from '../../ui/error-text.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { RecordName } from '../../ui/record-name.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { DeliveryDetails } from './delivery-details.tsx';

/** Deliveries write no events: while the list is shown, it is asked again. */
const REFETCH_MS = 5_000;

const tones = { pending: 'warning', delivered: 'good', failed: 'danger', superseded: 'neutral' } as const;

const statusLabels: Record<WebhookDeliveryStatus, MessageDescriptor> = {
  pending: msg`Pending`,
  delivered: msg`Delivered`,
  failed: msg`Failed`,
  superseded: msg`Superseded`,
};

function DeliveryRow({ item, webhook }: { item: WebhookDelivery; webhook: Webhook }) {
  const { t } = useLingui();
  const [search, changeView] = useViewState();
  const isOpen = search.delivery === item.id;
  const Icon = isOpen ? ChevronDown : ChevronRight;
  const last = item.attempts.at(-1);
  const resource = resourceOfEvent(item.type);
  return (
    <li className="border-line border-b">
      <button
        type="button"
        aria-expanded={isOpen}
        className={classNames(
          'flex min-h-11 w-full flex-wrap items-center gap-x-3 gap-y-1 px-2 py-1.5 text-start text-sm hover:bg-hover',
          isOpen && 'bg-selected',
        )}
        onClick={() => changeView({ delivery: isOpen ? undefined : item.id })}
      >
        <Icon aria-hidden className="size-4 shrink-0 rtl:-scale-x-100" />
        <span className="grow">
          <span className="font-medium">{item.type}</span>{' '}
          <span className="text-muted text-xs">
            {resource !== undefined && <RecordName resource={resource} id={item.subject} />}
          </span>
        </span>
        <span className="text-muted text-xs">
          <Plural value={item.attempts.length} one="# attempt" other="# attempts" />
        </span>
        {last !== undefined && (
          <span className="text-muted text-xs tabular-nums">
            {last.status ?? t`No response`} · {last.durationMs} ms
          </span>
        )}
        <span className="text-muted text-xs">
          <RelativeTime time={item.createdAt} isStop={false} />
        </span>
        <Badge tone={tones[item.status]}>{t(statusLabels[item.status])}</Badge>
      </button>
      {isOpen && <DeliveryDetails item={item} webhook={webhook} />}
    </li>
  );
}

export function Deliveries({ item: webhook }: { item: Webhook }) {
  const [search] = useViewState();
  const status = firstValue(search.status);
  const pages = usePages(
    'webhooks',
    'deliveries',
    { id: webhook.id, ...(status !== undefined && { status }) },
    { refetchMs: REFETCH_MS },
  );
  const { rows, error, retry } = pages;
  return (
    <Part title={<Trans>Deliveries</Trans>}>
      <ChoiceFilter name="status" label={msg`State`} choices={statusLabels} />
      {error !== null && <ErrorBox error={error} onRetry={retry} />}
      {rows?.length === 0 && (
        <p className="text-muted text-sm">
          <Trans>No deliveries. Finished deliveries are kept for a limited time.</Trans>
        </p>
      )}
      <ul>
        {rows?.map((item) => (
          <DeliveryRow key={item.id} item={item} webhook={webhook} />
        ))}
      </ul>
      <LoadMore pages={pages} />
    </Part>
  );
}
