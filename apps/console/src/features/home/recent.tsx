import { Trans, useLingui } from '@lingui/react/macro';
import type { Event, EventType } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, Suspense, useState } from 'react';
import { useRights } from '../../api/caller.ts';
import { roster, rosterQuery } from '../../api/client.ts';
import { recordEventTypes } from '../../resources/event-types.ts';
import { resourceOfEvent } from '../../resources/index.ts';
import { lazyComponent } from '../../ui/browser/lazy-components.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { Opening } from '../../ui/popups/held-keys.ts';
import { useTimeZone } from '../../ui/time.tsx';
import { subjectName } from '../history/activity/changes.ts';
import { useEventWords } from '../history/activity/event-labels.tsx';
import { jobTitle } from '../jobs/job-labels.tsx';
import { ActorName } from '../record/actor-name.tsx';
import { Section } from './section.tsx';
import { type Happening, happeningsOf } from './story.ts';

const UndoJobDialog = lazyComponent(() => import('../record/undo-job-dialog.tsx'), 'UndoJobDialog');

const READ_MAX = 200;
const PAGES_MAX = 20;
const SHOWN = 9;

function JobLine({ happening }: { happening: Happening & { jobId: string } }) {
  const { i18n } = useLingui();
  const [isUndoing, setUndoing] = useState(false);
  const { canManage } = useRights();
  const { jobId, job } = happening;
  if (job === undefined)
    return (
      <Link to="/jobs/$id" params={{ id: jobId }} className="font-semibold hover:underline">
        <Trans>A bulk change</Trans>
      </Link>
    );
  const { resource, change, undoes, undoneBy, changed } = job;
  const isImport = change?.type === 'import';
  const canUndo =
    !isImport && undoes === null && undoneBy === null && changed > 0 && canManage(`${resource}:write`);
  return (
    <>
      <Link
        to={isImport ? '/imports/$id' : '/jobs/$id'}
        params={{ id: jobId }}
        className="min-w-0 truncate font-semibold hover:underline"
      >
        {jobTitle(job, i18n)}
      </Link>
      {canUndo && (
        <Button look="secondary" size="small" className="ms-auto" onClick={() => setUndoing(true)}>
          <Trans>Undo</Trans>
        </Button>
      )}
      <Suspense fallback={<Opening />}>
        {isUndoing && (
          <UndoJobDialog
            job={job}
            title={jobTitle(job, i18n)}
            undo={(input) => roster.jobs.undo.mutate(input)}
            changed={[resource]}
            onClose={() => setUndoing(false)}
          >
            <Trans>Fields that have changed since are kept.</Trans>
          </UndoJobDialog>
        )}
      </Suspense>
    </>
  );
}

function EventLine({ happening: { event } }: { happening: Happening }) {
  const words = useEventWords();
  const resource = resourceOfEvent(event.type);
  const name = subjectName(event) ?? event.subject.slice(0, 8);
  return (
    <span className="min-w-0 truncate">
      {resource === undefined ? (
        <span className="font-semibold">{name}</span>
      ) : (
        <Link
          to={`/${resource}/$id`}
          params={{ id: event.subject }}
          className="font-semibold hover:underline"
        >
          {name}
        </Link>
      )}{' '}
      <span className="text-muted">
        {words(event.type)} · <ActorName change={event} />
      </span>
    </span>
  );
}

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
  const { data: events = [] } = useQuery({
    queryKey: ['events', 'story', types],
    queryFn: ({ signal }) => readStory(types, signal),
  });
  const { data: jobs } = useQuery(rosterQuery('jobs', 'list', { limit: 200 }));
  const happenings = happeningsOf(events, jobs?.items ?? []).slice(0, SHOWN);
  const dayOf = (time: string) => i18n.date(new Date(time), { dateStyle: 'full', timeZone });
  return (
    <Section
      title={t`Recent activity`}
      all={
        <Link to="/activity" className={buttonClasses('quiet', 'small')}>
          <Trans>All</Trans>
        </Link>
      }
    >
      {happenings.length === 0 && (
        <p className="text-muted text-sm">
          <Trans>No changes yet.</Trans>
        </p>
      )}
      <ol>
        {happenings.map((happening, index) => {
          const { id, time, jobId } = happening;
          const day = dayOf(time);
          const isNewDay = index === 0 || dayOf(happenings[index - 1]?.time ?? '') !== day;
          return (
            <Fragment key={id}>
              {isNewDay && <li className="py-1 text-muted text-xs">{day}</li>}
              <li className="flex min-h-8 items-center gap-3 text-sm">
                <time dateTime={time} className="w-14 shrink-0 text-muted text-xs">
                  {i18n.date(new Date(time), { timeStyle: 'short', timeZone })}
                </time>
                {jobId === undefined ? (
                  <EventLine happening={happening} />
                ) : (
                  <JobLine happening={{ ...happening, jobId }} />
                )}
              </li>
            </Fragment>
          );
        })}
      </ol>
    </Section>
  );
}
