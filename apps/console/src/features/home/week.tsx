import { Trans, useLingui } from '@lingui/react/macro';
import type { ScheduledChange } from '@roster/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRights } from '../../api/caller.ts';
import { roster, rosterQuery } from '../../api/client.ts';
import { resources } from '../../resources/index.ts';
import { AllLink } from '../../ui/all-link.tsx';
import { Button, lineActionClasses } from '../../ui/button.tsx';
import { notifyError } from '../../ui/error-text.tsx';
import { Section } from '../../ui/page.tsx';
import { RecordName } from '../../ui/record-name.tsx';
import { useTimeZone } from '../../ui/time.tsx';
import { localDayOf, timesOfDay } from '../fields/local-time.ts';
import { changeLabels } from '../fields/scheduled-labels.ts';

const READ_MAX = 200;
const SHOWN = 6;
const WEEK_MS = 7 * 86_400_000;

/** A change alone, or all of a job that are still to come. */
interface Planned {
  first: ScheduledChange;
  count: number;
}

function plannedOf(changes: readonly ScheduledChange[]): Planned[] {
  const groups = Map.groupBy(changes, ({ jobId, id }) => jobId ?? id);
  return [...groups.values()].flatMap((all) =>
    all[0] === undefined ? [] : [{ first: all[0], count: all.length }],
  );
}

function Words({ first: { resource, subject, change, officeId, jobId }, count }: Planned) {
  const { t, i18n } = useLingui();
  const who = (
    <Link
      to="/scheduled-changes"
      search={{ status: 'pending', ...(count > 1 && { jobId }) }}
      className="font-semibold hover:underline"
    >
      {count === 1 ? (
        <RecordName resource={resource} id={subject} />
      ) : (
        i18n._(resources[resource].counted(count))
      )}
    </Link>
  );
  const office = officeId !== null && <RecordName resource="offices" id={officeId} />;
  if (change === 'transfer' && office !== false)
    return count === 1 ? (
      <Trans>
        {who} moves to {office}
      </Trans>
    ) : (
      <Trans>
        {who} move to {office}
      </Trans>
    );
  if (change === 'deactivate')
    return count === 1 ? <Trans>{who} is deactivated</Trans> : <Trans>{who} are deactivated</Trans>;
  return (
    <>
      {who}: {t(changeLabels[change])}
      {office !== false && <> → {office}</>}
    </>
  );
}

function Line({ first, count }: Planned) {
  const { i18n } = useLingui();
  const client = useQueryClient();
  const timeZone = useTimeZone();
  const { canManage } = useRights();
  const { id, resource, effectiveAt } = first;
  const cancel = useMutation({
    mutationFn: () => roster.scheduledChanges.cancel.mutate({ id }),
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: ['scheduledChanges'] }),
  });
  const day = i18n.date(new Date(effectiveAt), { weekday: 'short', day: 'numeric', timeZone });
  return (
    <li className="group/line relative -mx-2 flex min-h-8 items-center rounded-sm px-2 text-sm hover:bg-hover">
      <time dateTime={effectiveAt} className="w-14 shrink-0 text-muted text-xs">
        {day}
      </time>
      <span className="min-w-0 truncate">
        <Words first={first} count={count} />
      </span>
      {count === 1 && canManage(`${resource}:write`) && (
        <span className={`${lineActionClasses} pointer-coarse:ms-auto`}>
          <Button size="small" className="h-6!" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            <Trans>Cancel</Trans>
          </Button>
        </span>
      )}
    </li>
  );
}

/** The changes of the next seven days, with those that one job has scheduled in one line. */
export function ScheduledThisWeek() {
  const { t } = useLingui();
  const status = 'pending' as const;
  const effectiveBefore = timesOfDay(localDayOf(Date.now() + WEEK_MS)).before;
  const { data } = useQuery(
    rosterQuery('scheduledChanges', 'list', {
      status,
      effectiveBefore,
      sort: 'effectiveAt',
      limit: READ_MAX,
    }),
  );
  const changes = data?.items ?? [];
  const planned = plannedOf(changes);
  return (
    <Section
      title={t`Scheduled this week`}
      end={
        planned.length === 0 ? (
          <AllLink to="/scheduled-changes" search={{ status }} />
        ) : (
          <AllLink
            to="/scheduled-changes"
            search={{ status, effectiveBefore }}
            count={data?.nextCursor === undefined ? changes.length : undefined}
          />
        )
      }
    >
      {planned.length === 0 ? (
        <p className="text-muted text-sm">
          <Trans>Nothing is scheduled for the next seven days.</Trans>
        </p>
      ) : (
        <ul>
          {planned.slice(0, SHOWN).map((one) => (
            <Line key={one.first.id} {...one} />
          ))}
        </ul>
      )}
    </Section>
  );
}
