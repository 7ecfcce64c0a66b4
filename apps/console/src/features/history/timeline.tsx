import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { FieldChange, PendingChange, RecordChange } from '@roster/client';
import { useId, useState } from 'react';
import { useRights } from '../../api/caller.ts';
import { fieldOf, type ResourceName } from '../../api/contract/contracts.ts';
import { type Pages, usePagesOf } from '../../api/use-pages.ts';
import { MoveRight, RotateCcw } from '../../more-icons.tsx';
import { type DirectoryRecord, isEmpty } from '../../resources/record.ts';
import { callsOf } from '../../resources/record-calls.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, lineActionClasses, phoneIconClasses } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-text.tsx';
import { Loading } from '../../ui/page.tsx';
import { RecordName } from '../../ui/record-name.tsx';
import { ExactTime, useTimeZone } from '../../ui/time.tsx';
import { pathLabel, pathLabels } from '../fields/field-labels.ts';
import { ActorName } from '../record/actor-name.tsx';
import { type OpenRecord, ValueLinks } from '../record/record-context.ts';
import { pendingOf, ScheduledWords, useCancelScheduled } from '../record/scheduled.tsx';
import { FieldValue } from '../record/values.tsx';
import { Actor } from './actor.tsx';
import { ByJob, Cause, What } from './change-text.tsx';
import { groupByDay } from './days.ts';
import { FieldChanges } from './field-changes.tsx';
import { RevertDialog, type RevertRequest } from './revert-dialog.tsx';
import { UndoMerge } from './undo-merge-dialog.tsx';

const PAGE_SIZE = 50;

type RecordHistory = Pages<RecordChange>;

/**
 * The changes of a record, page by page. The key of the list has the id of the record, by which an event about it finds the list
 * to be read again: a change by anyone is there at once.
 */
export function useHistory(resource: ResourceName, id: string): RecordHistory {
  return usePagesOf({
    queryKey: [resource, 'history', { id }, 'pages'],
    read: (cursor, signal) => callsOf(resource).history.query({ id, limit: PAGE_SIZE, cursor }, { signal }),
  });
}

interface UndoChangeProps extends Pick<ChangeItemProps, 'change' | 'onRevert'> {
  open: OpenRecord;
}

/**
 * Takes one change back: cancels what it has scheduled while that is pending, or reverts the fields that people write. Those that
 * follow from them, such as the day on which the next licence ends, come back with them.
 */
function UndoChange({ open, change: { version, changes, details }, onRevert }: UndoChangeProps) {
  const { t } = useLingui();
  const { canCancelScheduled } = useRights();
  const { resource, record } = open;
  const cancel = useCancelScheduled(open);
  const scheduled = pendingOf(record).find(({ id }) => id === details?.scheduledChangeId);
  const isWritten = (path: string) => fieldOf(resource, path.split('.')[0] ?? path) !== undefined;
  const fields = changes.map(({ field }) => field).filter(isWritten);
  const isPossible = scheduled === undefined ? version > 1 && fields.length > 0 : canCancelScheduled;
  if (!isPossible) return null;
  const undo = () =>
    scheduled === undefined
      ? onRevert({ toVersion: version - 1, fields, keepChangesAfter: version })
      : cancel.mutate(scheduled.id);
  return (
    <Button size="small" className={phoneIconClasses} disabled={cancel.isPending} onClick={undo}>
      <RotateCcw aria-hidden />
      <span className="max-sm:sr-only">
        <Trans context="history">Restore</Trans>
      </span>
      <span className="sr-only">{t`Version ${version}`}</span>
    </Button>
  );
}

/** Whether an event is about a version of its own: a failed schedule and an expiring licence change nothing. */
const isVersion = ({ type }: Pick<RecordChange, 'type'>): boolean =>
  !/\.(change_failed|license_expiring|purged)$/.test(type);

interface ChangeItemProps {
  resource: ResourceName;
  change: RecordChange;
  /** The record now; undefined if nothing can be reverted. */
  record: DirectoryRecord | undefined;
  onRevert: (request: RevertRequest) => void;
}

/** The words of a list that were added and removed, if that says it all; undefined otherwise. */
function wordsOf({ before, after }: FieldChange): { added: string[]; removed: string[] } | undefined {
  const [old, now] = [before, after].map((value) => (Array.isArray(value) ? value : []));
  if (old === undefined || now === undefined || old.length === 0 || now.length === 0) return undefined;
  if (![...old, ...now].every((one) => typeof one === 'string')) return undefined;
  return { added: now.filter((one) => !old.includes(one)), removed: old.filter((one) => !now.includes(one)) };
}

function OneField({ resource, change }: { resource: ResourceName; change: FieldChange }) {
  const { field, before, after } = change;
  const words = wordsOf(change);
  const value = (one: unknown) => <FieldValue resource={resource} path={field} value={one} />;
  if (words !== undefined && words.removed.length === 0 && words.added.length > 0)
    return <Trans>added {value(words.added)}</Trans>;
  if (words !== undefined && words.added.length === 0 && words.removed.length > 0)
    return <Trans>removed {value(words.removed)}</Trans>;
  if (isEmpty(after)) return <Trans>cleared, was {value(before)}</Trans>;
  if (isEmpty(before)) return value(after);
  return (
    <>
      <span className="text-muted">{value(before)}</span>
      <MoveRight aria-hidden className="mx-1 inline size-3.5 text-muted rtl:rotate-180" />
      <span className="sr-only">
        <Trans>is now</Trans>
      </span>{' '}
      {value(after)}
    </>
  );
}

/** Whether a value is short enough for the line of its change: no list of things with parts. */
const isShort = ({ before, after }: FieldChange) =>
  [before, after].flat().every((value) => typeof value !== 'object' || value === null);

/** The scheduled change of a change; undefined if it has scheduled nothing. */
function scheduledBy({ changes, details }: RecordChange): PendingChange | undefined {
  const after = changes.find(({ field }) => field === 'scheduledChanges')?.after;
  return Array.isArray(after)
    ? after.find(({ id }: PendingChange) => id === details?.scheduledChangeId)
    : undefined;
}

/** A change in one line: its field with both values, or how many fields; otherwise what happened. */
function Line({ resource, change }: { resource: ResourceName; change: RecordChange }) {
  const { i18n } = useLingui();
  const { type, changes, details } = change;
  const isPlain = type.endsWith('.updated') && details?.scheduledChangeId === undefined;
  const [first] = changes;
  const scheduled = scheduledBy(change);
  const cause = details?.bulkId !== undefined && (
    <span className="text-muted">
      {' '}
      <ByJob id={details.bulkId} />
    </span>
  );
  if (!isPlain || first === undefined || details?.revertedTo !== undefined)
    return (
      <>
        <span className="font-semibold">
          {scheduled === undefined ? (
            <What change={change} />
          ) : (
            <span className="font-normal">
              <ScheduledWords resource={resource} change={scheduled} />
            </span>
          )}
        </span>
        {type.endsWith('.transferred') && typeof details?.toOfficeId === 'string' && (
          <>
            {' '}
            <Trans>
              to <RecordName resource="offices" id={details.toOfficeId} />
            </Trans>
          </>
        )}
        {cause}
      </>
    );
  if (changes.length > 1)
    return (
      <>
        <span className="font-semibold">
          <Plural value={changes.length} one="# field" other="# fields" />
        </span>
        {cause || (
          <span className="text-muted">
            {' '}
            {pathLabels(
              i18n,
              resource,
              changes.map(({ field }) => field),
            )}
          </span>
        )}
      </>
    );
  return (
    <>
      <span className="font-semibold">{pathLabel(i18n, resource, first.field)}</span>{' '}
      {isShort(first) && <OneField resource={resource} change={first} />}
      {cause}
    </>
  );
}

function ChangeItem({ resource, change, record, onRevert }: ChangeItemProps) {
  const { i18n } = useLingui();
  const timeZone = useTimeZone();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { version, occurredAt, reason, changes, type, details } = change;
  const isMerge = type.endsWith('.merged');
  const isRevertible = isVersion(change) && !type.endsWith('.deleted');
  const canUndo = record !== undefined && isRevertible && !isMerge;
  return (
    <li className="-mx-2 rounded-sm">
      <div className="group/line relative flex min-h-8 items-center gap-1 rounded-sm ps-2 pe-1 hover:bg-hover max-sm:min-h-11">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          className="flex min-h-8 min-w-0 grow items-center gap-1 rounded-sm text-start text-sm max-sm:min-h-11"
          onClick={() => setOpen(!isOpen)}
        >
          <time dateTime={occurredAt} className="w-12 shrink-0 text-muted text-xs">
            {i18n.date(new Date(occurredAt), { timeStyle: 'short', timeZone })}
          </time>
          <span className="wrap-anywhere min-w-0 sm:truncate">
            <ValueLinks value={false}>
              <Line resource={resource} change={change} />
            </ValueLinks>
          </span>
        </button>
        {canUndo && (
          <span className={lineActionClasses}>
            <UndoChange open={{ resource, record }} change={change} onRevert={onRevert} />
          </span>
        )}
        <Actor change={change} />
      </div>
      {isOpen && (
        <div id={id} className="flex flex-col gap-1 py-2 ps-15 pe-2">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <h5 className="font-semibold text-sm">
              <What change={change} />
            </h5>
            {isVersion(change) && (
              <Badge>
                <Trans>Version {version}</Trans>
              </Badge>
            )}
          </div>
          <p className="text-muted text-sm">
            <ActorName change={change} /> · <ExactTime time={occurredAt} />
          </p>
          {reason !== null && <p className="text-sm">“{reason}”</p>}
          <div className="text-sm">
            <Cause change={change} />
          </div>
          {changes.length > 0 && (
            <FieldChanges resource={resource} changes={changes} isCreation={type.endsWith('.created')} />
          )}
          {isMerge && details?.mergedFrom !== undefined && (
            <UndoMerge resource={resource} duplicateId={details.mergedFrom} canUndo={record !== undefined} />
          )}
          {record !== undefined && isRevertible && version < record.version && (
            <div>
              <Button size="small" onClick={() => onRevert({ toVersion: version })}>
                <Trans>Go back to version {version}</Trans>
              </Button>
            </div>
          )}
        </div>
      )}
    </li>
  );
}

interface TimelineProps {
  resource: ResourceName;
  history: RecordHistory;
  record: DirectoryRecord | undefined;
}

export function Timeline({ resource, history, record }: TimelineProps) {
  const { t, i18n } = useLingui();
  const timeZone = useTimeZone();
  const [request, setRequest] = useState<RevertRequest>();
  const { rows: changes, error, hasMore, isLoadingMore, loadMore, retry } = history;
  if (error !== null && changes === undefined) return <ErrorBox error={error} onRetry={retry} />;
  return (
    <section aria-labelledby="history-title">
      <h3 id="history-title" className="sr-only">
        <Trans>Changes, newest first</Trans>
      </h3>
      {changes === undefined && <Loading />}
      {groupByDay(changes ?? [], { i18n, timeZone }).map(({ day, items }) => (
        <div key={day}>
          <h4 className="flex h-8 items-center font-medium text-muted text-xs">{day}</h4>
          <ol aria-label={t`Changes on ${day}`}>
            {items.map((change) => (
              <ChangeItem
                key={`${change.position}-${change.version}-${change.type}`}
                resource={resource}
                change={change}
                record={record}
                onRevert={setRequest}
              />
            ))}
          </ol>
        </div>
      ))}
      {hasMore && (
        <Button className="mt-3" disabled={isLoadingMore} onClick={loadMore}>
          <Trans>Show older changes</Trans>
        </Button>
      )}
      {request !== undefined && record !== undefined && (
        <RevertDialog
          resource={resource}
          record={record}
          request={request}
          onClose={() => setRequest(undefined)}
        />
      )}
    </section>
  );
}
