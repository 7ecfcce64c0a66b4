import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { ArrowUp } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../../components/button.tsx';
import { ErrorBox } from '../../components/error-text.tsx';
import { Page } from '../../components/page.tsx';
import type { SearchParams } from '../../page/search-params.ts';
import { firstValue, useViewState } from '../../page/view-state.ts';
import { ActivityFilters } from './activity-filters.tsx';
import { EventItem } from './event-item.tsx';
import type { ActivityFilter } from './read-back.ts';
import { useActivity } from './use-activity.ts';

/** The filter of a URL. A day begins at midnight of the reader. */
function filterOf({ types, ...search }: SearchParams): ActivityFilter {
  const [subject, actorId, since] = ['subject', 'actorId', 'since'].map((name) => firstValue(search[name]));
  const start = since === undefined ? Number.NaN : new Date(`${since}T00:00:00`).getTime();
  return {
    types: types === undefined ? [] : [types].flat(),
    ...(subject !== undefined && { subject }),
    ...(actorId !== undefined && { actorId }),
    ...(!Number.isNaN(start) && { since: new Date(start).toISOString() }),
  };
}

/** The log of the directory: who changed what, and when. */
export function ActivityPage() {
  const { t } = useLingui();
  const [search] = useViewState();
  const filter = filterOf(search);
  const top = useRef<HTMLDivElement>(null);
  const { query, events, newCount, waitingCount, showWaiting, isCompacted } = useActivity(filter);
  const { isPending, isFetchingNextPage, hasNextPage, error, refetch, fetchNextPage } = query;
  return (
    <Page
      title={t`Activity`}
      intro={<Trans>Every change to the directory, latest first.</Trans>}
      width="wide"
    >
      <div ref={top}>
        <ActivityFilters filter={filter} day={firstValue(search.since)} events={events} />
      </div>
      <div role="status" className="sticky top-2 z-10 flex justify-center empty:hidden">
        {waitingCount > 0 && (
          <Button
            look="primary"
            className="rounded-full shadow-lg"
            onClick={() => {
              showWaiting();
              top.current?.scrollIntoView({ block: 'nearest' });
            }}
          >
            <ArrowUp aria-hidden />
            <Plural value={waitingCount} one="Show # new change" other="Show # new changes" />
          </Button>
        )}
      </div>
      {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
      <ol
        aria-label={t`Changes`}
        aria-busy={isPending || isFetchingNextPage}
        className="border-line border-t"
      >
        {events.map((event, index) => (
          <EventItem key={`${event.position} ${event.type}`} event={event} isNew={index < newCount} />
        ))}
      </ol>
      <p role="status" className="text-muted text-sm">
        {isPending || isFetchingNextPage ? (
          <Trans>Loading…</Trans>
        ) : isCompacted ? (
          <Trans>Before that, the log keeps only the latest change of each record.</Trans>
        ) : hasNextPage ? null : events.length === 0 && error === null ? (
          <Trans>There are no changes.</Trans>
        ) : (
          <Trans>That is all.</Trans>
        )}
      </p>
      {hasNextPage && (
        <div>
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            <Trans>Show older changes</Trans>
          </Button>
        </div>
      )}
    </Page>
  );
}
