import { Trans, useLingui } from '@lingui/react/macro';
import type { Event, EventType } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useRights } from '../../api/caller.ts';
import { roster } from '../../api/client.ts';
import { recordEventTypes } from '../../resources/event-types.ts';
import { resourceOfEvent } from '../../resources/index.ts';
import { AllLink } from '../../ui/all-link.tsx';
import { Section } from '../../ui/page.tsx';
import { useTimeZone } from '../../ui/time.tsx';
import { HappeningLine, useHappenings } from '../activity/happening-line.tsx';
import { happeningsOf } from '../activity/story.ts';
import { groupByDay } from '../history/days.ts';

const READ_MAX = 200;
const PAGES_MAX = 20;
const SHOWN = 9;

/** The latest events, until there are enough lines: a job of thousands of records is one. */
async function readStory(types: EventType[], signal: AbortSignal): Promise<Event[]> {
  const events: Event[] = [];
  let after = 'latest';
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const read = await roster.events.list.query(
      { sort: '-position', limit: READ_MAX, types, after },
      { signal },
    );
    events.push(...read.items);
    if (!read.hasMore || happeningsOf(events, []).length >= SHOWN) break;
    after = read.nextAfter;
  }
  return events;
}

/** The latest changes, one line each, and one for each job. */
export function RecentActivity() {
  const { t, i18n } = useLingui();
  const timeZone = useTimeZone();
  const { can } = useRights();
  const types = recordEventTypes.filter(
    (type) => !type.endsWith('.license_expiring') && can(`${resourceOfEvent(type) ?? 'agents'}:read`),
  );
  const { data: events = [], isPending } = useQuery({
    queryKey: ['events', 'story', types],
    queryFn: ({ signal }) => readStory(types, signal),
  });
  const happenings = useHappenings(events).slice(0, SHOWN);
  return (
    <Section title={t`Recent activity`} end={<AllLink to="/activity" />}>
      {happenings.length === 0 && !isPending && (
        <p className="text-muted text-sm">
          <Trans>No changes yet.</Trans>
        </p>
      )}
      {groupByDay(happenings, { i18n, timeZone }).map(({ day, items }) => (
        <div key={day} className="-mt-2">
          <h3 className="flex h-8 items-center font-medium text-muted text-xs">{day}</h3>
          <ol>
            {items.map((happening) => (
              <HappeningLine key={happening.id} happening={happening} />
            ))}
          </ol>
        </div>
      ))}
    </Section>
  );
}
