import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Event } from '@roster/client';
import { useRef } from 'react';
import { type Rights, useRights } from '../../../api/caller.ts';
import { ArrowUp } from '../../../icons.tsx';
import { followableTypes, recordEventTypes } from '../../../resources/event-types.ts';
import type { SearchParams } from '../../../ui/browser/search-params.ts';
import { firstValue, useViewState } from '../../../ui/browser/view-state.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorBox } from '../../../ui/error-text.tsx';
import { Page } from '../../../ui/page.tsx';
import { useTimeZone } from '../../../ui/time.tsx';
import { ActivityFilters } from './activity-filters.tsx';
import { EventItem } from './event-item.tsx';
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

interface DayOfEvents {
  day: string;
  from: number;
  items: Event[];
}

function useDays(): (events: readonly Event[]) => DayOfEvents[] {
  const { i18n } = useLingui();
  const timeZone = useTimeZone();
  return (events) => {
    const days: DayOfEvents[] = [];
    for (const [from, event] of events.entries()) {
      const day = i18n.date(new Date(event.occurredAt), { dateStyle: 'full', timeZone });
      const last = days.at(-1);
      if (last?.day === day) last.items.push(event);
      else days.push({ day, from, items: [event] });
    }
    return days;
  };
}

export function ActivityPage() {
  const { t } = useLingui();
  const [search] = useViewState();
  const filter = filterOf(search, useRights());
  const daysOf = useDays();
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
        {daysOf(events).map(({ day, from, items }) => (
          <section key={day} aria-label={day}>
            <h2 className="mb-1 font-semibold text-sm">{day}</h2>
            <ol aria-label={t`Changes on ${day}`} className="border-line border-t">
              {items.map((event, index) => (
                <EventItem
                  key={`${event.position} ${event.type}`}
                  event={event}
                  isNew={from + index < newCount}
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
