import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import { type Rights, useRights } from '../../api/caller.ts';
import { ArrowUp } from '../../icons.tsx';
import { followableTypes, recordEventTypes } from '../../resources/event-types.ts';
import type { SearchParams } from '../../ui/browser/search-params.ts';
import { firstValue, useViewState } from '../../ui/browser/view-state.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-text.tsx';
import { Page } from '../../ui/page.tsx';
import { useTimeZone } from '../../ui/time.tsx';
import { groupByDay } from '../history/days.ts';
import { ActivityFilters } from './activity-filters.tsx';
import { HappeningLine, useHappenings } from './happening-line.tsx';
import { type ActivityFilter, useActivity } from './use-activity.ts';

/** The types of changes that are shown unless others are chosen: a notice, of which an import makes thousands, changes nothing. */
function defaultTypes(rights: Rights): string[] {
  const ofRecords: readonly string[] = recordEventTypes;
  return followableTypes(rights).filter(
    (type) => ofRecords.includes(type) && !type.endsWith('.license_expiring'),
  );
}

/** The filter of a URL. A day begins at midnight of the reader. */
function filterOf({ types, ...search }: SearchParams, rights: Rights): ActivityFilter {
  const [subject, actorId, since] = ['subject', 'actorId', 'since'].map((name) => firstValue(search[name]));
  const start = since === undefined ? Number.NaN : new Date(`${since}T00:00:00`).getTime();
  return {
    types: types === undefined ? defaultTypes(rights) : [types].flat(),
    ...(subject !== undefined && { subject }),
    ...(actorId !== undefined && { actorId }),
    ...(!Number.isNaN(start) && { since: new Date(start).toISOString() }),
  };
}

export function ActivityPage() {
  const { t, i18n } = useLingui();
  const timeZone = useTimeZone();
  const [search] = useViewState();
  const filter = filterOf(search, useRights());
  const top = useRef<HTMLDivElement>(null);
  const { query, events, newCount, waitingCount, showWaiting, isCompacted } = useActivity(filter);
  const days = groupByDay(useHappenings(events), { i18n, timeZone });
  const fresh = new Set(events.slice(0, newCount));
  const { isPending, isFetchingNextPage, hasNextPage, error, refetch, fetchNextPage } = query;
  return (
    <Page
      title={t`Activity`}
      intro={<Trans>Every change to the directory, latest first.</Trans>}
      width="text"
    >
      <div ref={top}>
        <ActivityFilters
          filter={filter}
          chosenTypes={search.types === undefined ? [] : filter.types}
          day={firstValue(search.since)}
          events={events}
        />
      </div>
      <div role="status" className="sticky top-2 z-10 flex justify-center empty:hidden">
        {waitingCount > 0 && (
          <Button
            look="primary"
            className="rounded-full shadow-md"
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
      <div aria-busy={isPending || isFetchingNextPage} className="flex flex-col gap-6">
        {days.map(({ day, items }) => (
          <section key={day} aria-label={day}>
            <h2 className="py-1 text-muted text-xs">{day}</h2>
            <ol aria-label={t`Changes on ${day}`}>
              {items.map((happening) => (
                <HappeningLine
                  key={happening.id}
                  happening={happening}
                  canOpen
                  end={fresh.has(happening.event) && <span className="sr-only">{t`New`}</span>}
                />
              ))}
            </ol>
          </section>
        ))}
      </div>
      <p role="status" className="text-muted text-sm">
        {isPending || isFetchingNextPage ? (
          <Trans>Loading…</Trans>
        ) : isCompacted ? (
          <Trans>For older changes, the log only keeps the latest change of each record.</Trans>
        ) : hasNextPage ? null : events.length === 0 && error === null ? (
          <Trans>No changes yet.</Trans>
        ) : (
          <Trans>End of list.</Trans>
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
