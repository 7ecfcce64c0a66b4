import { Trans, useLingui } from '@lingui/react/macro';
import type { Event, Job, RecordChange } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense, useId, useState } from 'react';
import { useRights } from '../../api/caller.ts';
import { roster, rosterQuery } from '../../api/client.ts';
import { resourceNames } from '../../api/contract/contracts.ts';
import { ChevronRight } from '../../icons.tsx';
import { Undo2 } from '../../more-icons.tsx';
import { subjectName } from '../../resources/event-types.ts';
import { resourceOfEvent, resources } from '../../resources/index.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { lazyComponent } from '../../ui/browser/lazy-components.ts';
import { Button, IconButton, lineActionClasses, phoneIconClasses } from '../../ui/button.tsx';
import { Opening } from '../../ui/popups/held-keys.ts';
import { RecordName } from '../../ui/record-name.tsx';
import { useTimeZone } from '../../ui/time.tsx';
import { pathLabel } from '../fields/field-labels.ts';
import { Cause } from '../history/change-text.tsx';
import { FieldChanges } from '../history/field-changes.tsx';
import { leavesOf } from '../jobs/change-words.tsx';
import { jobTitle } from '../jobs/job-labels.tsx';
import { ActorName } from '../record/actor-name.tsx';
import { recordPath } from '../record/record-context.ts';
import { changesOf } from './changes.ts';
import { kindOf, useEventWords } from './event-labels.tsx';
import { type Happening, happeningsOf } from './story.ts';

const UndoJobDialog = lazyComponent(() => import('../record/undo-job-dialog.tsx'), 'UndoJobDialog');

const JOBS_MAX = 200;

/** Events, the latest first, as one line each, and one for each job. */
export function useHappenings(events: readonly Event[]): Happening[] {
  const { canManage } = useRights();
  const { data } = useQuery({
    ...rosterQuery('jobs', 'list', { limit: JOBS_MAX }),
    enabled: resourceNames.some((name) => canManage(`${name}:read`)),
  });
  return happeningsOf(events, data?.items ?? []);
}

const paths = { key: '/keys/$id', webhook: '/webhooks/$id', person: '/people/$id' } as const;

function Subject({ event }: { event: Event }) {
  const name = subjectName(event) ?? <code>{event.subject.slice(0, 8)}…</code>;
  const [kind = '', verb] = event.type.split('.');
  const resource = resourceOfEvent(event.type);
  const to = resource === undefined ? paths[kind as keyof typeof paths] : recordPath(resource);
  if (verb === 'deleted' || verb === 'purged' || to === undefined) return name;
  return (
    <Link to={to} params={{ id: event.subject }} className="hover:underline">
      {name}
    </Link>
  );
}

function EventWords({ event }: { event: Event }) {
  const { i18n } = useLingui();
  const words = useEventWords();
  const { type, details } = event;
  const resource = resourceOfEvent(type);
  const subject = <Subject event={event} />;
  const verb = resource === undefined ? '' : type.split('.')[1];
  const bold = <strong className="font-semibold">{subject}</strong>;
  switch (verb) {
    case 'created':
      return <Trans>{bold} created</Trans>;
    case 'updated': {
      const changes = changesOf(event);
      const [change] = changes;
      if (resource === undefined || change === undefined) return <Trans>{bold} changed</Trans>;
      const field = pathLabel(i18n, resource, change.field);
      const what = (
        <strong className="font-semibold">
          {changes.length === 1 ? field : <Trans>{changes.length} fields</Trans>}
        </strong>
      );
      return (
        <Trans>
          {what} of {subject} changed
        </Trans>
      );
    }
    case 'deactivated':
      return <Trans>{bold} deactivated</Trans>;
    case 'reactivated':
      return <Trans>{bold} reactivated</Trans>;
    case 'deleted':
      return <Trans>{bold} deleted</Trans>;
    case 'restored':
      return <Trans>{bold} restored</Trans>;
    case 'transferred': {
      const office = details?.toOfficeId;
      const to = office && <RecordName resource="offices" id={office} />;
      return to ? (
        <Trans>
          <strong className="font-semibold">Transfer</strong> of {subject} to {to}
        </Trans>
      ) : (
        <Trans>
          <strong className="font-semibold">Transfer</strong> of {subject}
        </Trans>
      );
    }
    case 'merged':
      return (
        <Trans>
          <strong className="font-semibold">Merge</strong> of {subject}
        </Trans>
      );
    default:
      return (
        <>
          <strong className="font-semibold">{words(type)}</strong> {subject}
        </>
      );
  }
}

function JobWords({ job }: { job: Job }) {
  const { i18n } = useLingui();
  const { resource, change, undoes, total } = job;
  const records = i18n._(resources[resource].counted(total));
  if (undoes !== null)
    return (
      <Trans>
        <strong className="font-semibold">Undo</strong> of a change of {records}
      </Trans>
    );
  const nouns: Readonly<Record<string, ReactNode>> = {
    deactivate: <Trans>Deactivation</Trans>,
    reactivate: <Trans>Reactivation</Trans>,
    delete: <Trans>Deletion</Trans>,
    import: <Trans context="noun">Import</Trans>,
  };
  const noun = nouns[String(change?.type)];
  if (noun !== undefined)
    return (
      <Trans>
        <strong className="font-semibold">{noun}</strong> of {records}
      </Trans>
    );
  switch (change?.type) {
    case 'transfer': {
      const office = <RecordName resource="offices" id={String(change.officeId)} />;
      return (
        <Trans>
          <strong className="font-semibold">Transfer</strong> of {records} to {office}
        </Trans>
      );
    }
    default: {
      const paths = leavesOf((change?.patch ?? {}) as Record<string, unknown>);
      const [[path] = ['']] = paths;
      const what = <strong className="font-semibold">{pathLabel(i18n, resource, path)}</strong>;
      return paths.length === 1 ? (
        <Trans>
          {what} of {records} changed
        </Trans>
      ) : (
        <Trans>
          <strong className="font-semibold">Change</strong> of {records}
        </Trans>
      );
    }
  }
}

function UndoJob({ job }: { job: Job }) {
  const { i18n } = useLingui();
  const [isUndoing, setUndoing] = useState(false);
  return (
    <>
      <Button
        look="secondary"
        size="small"
        className={`h-6! ${phoneIconClasses}`}
        onClick={() => setUndoing(true)}
      >
        <Undo2 aria-hidden className="size-3.5!" />
        <span className="max-sm:sr-only">
          <Trans>Undo</Trans>
        </span>
      </Button>
      <Suspense fallback={<Opening />}>
        {isUndoing && (
          <UndoJobDialog
            job={job}
            title={jobTitle(job, i18n)}
            undo={(input) => roster.jobs.undo.mutate(input)}
            changed={[job.resource]}
            onClose={() => setUndoing(false)}
          >
            <Trans>Fields that have changed since are kept.</Trans>
          </UndoJobDialog>
        )}
      </Suspense>
    </>
  );
}

function useCanUndo(job: Job | undefined): boolean {
  const { canManage } = useRights();
  return (
    job !== undefined &&
    job.change?.type !== 'import' &&
    job.undoes === null &&
    job.undoneBy === null &&
    job.changed > 0 &&
    canManage(`${job.resource}:write`)
  );
}

function JobLine({ job, jobId }: { job: Job | undefined; jobId: string }) {
  const isImport = job?.change?.type === 'import';
  return (
    <Link
      to={isImport ? '/imports/$id' : '/jobs/$id'}
      params={{ id: jobId }}
      className="flex min-w-0 items-center gap-1 hover:underline"
    >
      <span className="wrap-anywhere min-w-0 sm:truncate">
        {job === undefined ? <Trans>A bulk change</Trans> : <JobWords job={job} />}
      </span>
      <ChevronRight aria-hidden className="size-3 shrink-0 text-muted rtl:rotate-180" />
    </Link>
  );
}

function EventDetails({ event }: { event: Event }) {
  const { type, reason, details, record } = event;
  const resource = resourceOfEvent(type);
  const changes = changesOf(event);
  const detail = type === 'access.denied' && record !== null && 'detail' in record ? record.detail : reason;
  return (
    <>
      {detail !== null && <p className="break-words">“{detail}”</p>}
      <Cause change={{ type, details } as Pick<RecordChange, 'type' | 'details'>} />
      {resource === undefined ? (
        changes.length > 0 && (
          <p className="text-muted">
            <Trans>Changed: {changes.map(({ field }) => field).join(', ')}</Trans>
          </p>
        )
      ) : (
        <FieldChanges resource={resource} changes={changes} />
      )}
    </>
  );
}

/** One line of what happened: when, what, and who; with a button that opens what was changed, if that is wanted. */
export function HappeningLine({
  happening: { event, occurredAt, jobId, job },
  canOpen = false,
  end,
}: {
  happening: Happening;
  canOpen?: boolean;
  end?: ReactNode;
}) {
  const { t, i18n } = useLingui();
  const timeZone = useTimeZone();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { actor } = event;
  const canUndo = useCanUndo(job);
  const hasDetails =
    canOpen &&
    jobId === undefined &&
    (changesOf(event).length > 0 ||
      event.reason !== null ||
      event.details !== null ||
      kindOf(event) === 'access');
  return (
    <li className="text-sm">
      <div className="group/line relative -mx-2 flex min-h-8 items-center gap-3 rounded-sm ps-2 pe-1 hover:bg-hover max-sm:min-h-11">
        <time dateTime={occurredAt} className="w-11 shrink-0 text-muted text-xs">
          {i18n.date(new Date(occurredAt), { timeStyle: 'short', timeZone })}
        </time>
        {jobId === undefined ? (
          <span className="wrap-anywhere min-w-0 sm:truncate">
            <EventWords event={event} />
          </span>
        ) : (
          <JobLine job={job} jobId={jobId} />
        )}
        {hasDetails && (
          <IconButton
            label={t`Show what was changed`}
            size="small"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            <ChevronRight aria-hidden className={isOpen ? 'rotate-90' : 'rtl:rotate-180'} />
          </IconButton>
        )}
        <span className="grow" />
        {canUndo && job !== undefined && (
          <span className={lineActionClasses}>
            <UndoJob job={job} />
          </span>
        )}
        <span className="shrink-0" data-tooltip={actor?.name ?? undefined}>
          {actor !== null && <Avatar name={actor.name ?? ''} id={actor.id} size={20} />}
          <span className="sr-only">
            <ActorName change={event} />
          </span>
        </span>
        {end}
      </div>
      {hasDetails && (
        <div id={id} hidden={!isOpen} className="flex flex-col gap-1.5 ps-14 pb-3">
          {isOpen && <EventDetails event={event} />}
        </div>
      )}
    </li>
  );
}
