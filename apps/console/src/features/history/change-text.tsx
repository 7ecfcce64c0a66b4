import { Plural, Trans } from '@lingui/react/macro';
import type { PendingChange, RecordChange } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRights } from '../../api/caller.ts';
import { rosterQuery } from '../../api/client.ts';
import { MoveRight } from '../../more-icons.tsx';
import { linkClasses } from '../../ui/button.tsx';
import { daysUntil } from '../../ui/relative-time.ts';
import { Day } from '../../ui/time.tsx';
import { ReferenceLink } from '../record/reference-link.tsx';

/** The name of a job in the history of a record: "by import agents.csv", or "by a bulk change". */
export function ByJob({ id }: { id: string }) {
  const { can } = useRights();
  const { data: job } = useQuery({ ...rosterQuery('jobs', 'get', { id }), enabled: can('events:read') });
  const isImport = job?.change?.type === 'import';
  const { data: file } = useQuery({ ...rosterQuery('imports', 'get', { id }), enabled: isImport });
  const name = file?.name;
  if (!isImport) return <Trans>by a bulk change</Trans>;
  return name == null ? <Trans>by an import</Trans> : <Trans>by import {name}</Trans>;
}

/** A change, or an event, which does not name the records of a merge. */
interface Shown {
  change: Pick<RecordChange, 'type' | 'details'> & Partial<Pick<RecordChange, 'merge'>>;
}

export function What({ change: { type, details, merge, changes } }: { change: RecordChange }) {
  const [, verb] = type.split('.');
  const { revertedTo, daysLeft, scheduledChangeId } = details ?? {};
  switch (verb) {
    case 'created':
      return <Trans>Created</Trans>;
    case 'updated':
      if (scheduledChangeId !== undefined)
        return <ScheduleChanged id={scheduledChangeId} changes={changes} />;
      return revertedTo === undefined ? (
        <Trans>Changed</Trans>
      ) : (
        <Trans>Reverted to version {revertedTo}</Trans>
      );
    case 'deactivated':
      return <Trans>Deactivated</Trans>;
    case 'reactivated':
      return <Trans>Reactivated</Trans>;
    case 'transferred':
      return <Trans>Transferred</Trans>;
    case 'deleted':
      return <Trans>Deleted</Trans>;
    case 'restored':
      return <Trans>Restored</Trans>;
    case 'merged':
      return <Merged isSurvivor={details?.mergedInto === undefined} merge={merge} />;
    case 'change_failed':
      return <Trans>A scheduled change failed</Trans>;
    case 'license_expiring':
      return <LicenseNotice daysLeft={daysLeft ?? 0} />;
    default:
      return verb;
  }
}

function LicenseNotice({ daysLeft }: { daysLeft: number }) {
  if (daysLeft === 0) return <Trans>Licence expires today</Trans>;
  if (daysLeft > 0)
    return <Plural value={daysLeft} one="Licence expires in # day" other="Licence expires in # days" />;
  return <Plural value={-daysLeft} one="Licence expired # day ago" other="Licence expired # days ago" />;
}

function ScheduleChanged({ id, changes }: { id: string } & Pick<RecordChange, 'changes'>) {
  const after = changes.find(({ field }) => field === 'scheduledChanges')?.after;
  const isScheduled = Array.isArray(after) && after.some((one: PendingChange) => one.id === id);
  return isScheduled ? <Trans>Change scheduled</Trans> : <Trans>Scheduled change cancelled</Trans>;
}

function Merged({ isSurvivor, merge }: { isSurvivor: boolean; merge: RecordChange['merge'] | undefined }) {
  const name = (isSurvivor ? merge?.duplicate : merge?.survivor)?.name;
  if (isSurvivor) return name ? <Trans>Merged with {name}</Trans> : <Trans>Merged with another record</Trans>;
  return name ? <Trans>Merged into {name}</Trans> : <Trans>Merged into another record</Trans>;
}

function MergeCause({ merge, isUndo }: { merge: RecordChange['merge'] | undefined; isUndo: boolean }) {
  const [duplicate, survivor] = [merge?.duplicate, merge?.survivor].map((one) => one && <>{one.name}</>);
  if (!duplicate || !survivor)
    return isUndo ? <Trans>Undone with a merge</Trans> : <Trans>With a merge of two records</Trans>;
  return isUndo ? (
    <Trans>
      Undoes the merge of {duplicate} into {survivor}
    </Trans>
  ) : (
    <Trans>
      Merge of {duplicate} into {survivor}
    </Trans>
  );
}

function ExpiringLicense({
  license: { number, expiresOn },
}: {
  license: NonNullable<NonNullable<RecordChange['details']>['license']>;
}) {
  if (expiresOn === null) return <p>{number}</p>;
  return (
    <p>
      {daysUntil(expiresOn) < 0 ? (
        <Trans>
          {number}: expired after <Day day={expiresOn} />
        </Trans>
      ) : (
        <Trans>
          {number}: expires after <Day day={expiresOn} />
        </Trans>
      )}
    </p>
  );
}

export function Cause({ change: { type, details, merge } }: Shown) {
  if (details === null) return null;
  const { bulkId, scheduledChangeId, error, license, fromOfficeId, toOfficeId } = details;
  const { cascadeOfficeId, undoesCascade, mergeId, undoesMerge } = details;
  return (
    <>
      {(fromOfficeId !== undefined || toOfficeId !== undefined) && (
        <p>
          {typeof fromOfficeId === 'string' ? <ReferenceLink resource="offices" id={fromOfficeId} /> : '–'}
          <MoveRight aria-hidden className="mx-1 inline size-4 text-muted rtl:rotate-180" />
          <span className="sr-only">
            <Trans>to</Trans>{' '}
          </span>
          {typeof toOfficeId === 'string' ? <ReferenceLink resource="offices" id={toOfficeId} /> : '–'}
        </p>
      )}
      {cascadeOfficeId !== undefined && (
        <p className="text-muted">
          {undoesCascade === true ? (
            <Trans>
              Undone with the deactivation of <ReferenceLink resource="offices" id={cascadeOfficeId} />
            </Trans>
          ) : (
            <Trans>
              With the deactivation of <ReferenceLink resource="offices" id={cascadeOfficeId} />
            </Trans>
          )}
        </p>
      )}
      {mergeId !== undefined && (merge || !type.endsWith('.merged')) && (
        <p className="text-muted">
          <MergeCause merge={merge} isUndo={undoesMerge === true} />
        </p>
      )}
      {bulkId !== undefined && (
        <p className="text-muted">
          <Link to="/jobs/$id" params={{ id: bulkId }} className={linkClasses}>
            <ByJob id={bulkId} />
          </Link>
        </p>
      )}
      {scheduledChangeId !== undefined && !type.endsWith('.updated') && (
        <p className="text-muted">
          <Trans>The scheduled change:</Trans>
        </p>
      )}
      {license !== undefined && <ExpiringLicense license={license} />}
      {error !== undefined && <p className="text-danger">{error}</p>}
    </>
  );
}
