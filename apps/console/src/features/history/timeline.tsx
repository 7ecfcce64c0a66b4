import { Trans, useLingui } from '@lingui/react/macro';
import type { RecordChange } from '@roster/client';
import { useState } from 'react';
import { useRights } from '../../api/caller.ts';
import { fieldOf, type ResourceName } from '../../api/contract/contracts.ts';
import { RotateCcw } from '../../icons.tsx';
import type { DirectoryRecord } from '../../resources/record.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-text.tsx';
import { Loading } from '../../ui/page.tsx';
import { ExactTime, RelativeTime } from '../../ui/time.tsx';
import { ActorName } from '../record/actor-name.tsx';
import type { OpenRecord } from '../record/record-context.ts';
import { pendingOf, useCancelScheduled } from '../record/scheduled.tsx';
import { Cause, What } from './change-text.tsx';
import { FieldChanges } from './field-changes.tsx';
import type { RecordHistory } from './history-query.ts';
import { RevertDialog, type RevertRequest } from './revert-dialog.tsx';
import { UndoMerge } from './undo-merge-part.tsx';

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
    <Button look="quiet" disabled={cancel.isPending} onClick={undo}>
      <RotateCcw aria-hidden />
      <Trans>Undo this change</Trans>
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

function ChangeItem({ resource, change, record, onRevert }: ChangeItemProps) {
  const { version, occurredAt, reason, changes, type, details } = change;
  const isMerge = type.endsWith('.merged');
  const isRevertible = isVersion(change) && !type.endsWith('.deleted');
  return (
    <li className="border-line border-s-2 py-2 ps-4">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h4 className="font-semibold text-sm">
          <What change={change} />
        </h4>
        {isVersion(change) && (
          <Badge>
            <Trans>Version {version}</Trans>
          </Badge>
        )}
        <span className="text-muted text-sm">
          <ActorName change={change} /> · <RelativeTime time={occurredAt} isStop={false} /> ·{' '}
          <ExactTime time={occurredAt} />
        </span>
      </div>
      {reason !== null && <p className="text-sm">“{reason}”</p>}
      <div className="text-sm">
        <Cause change={change} />
      </div>
      {changes.length > 0 && (
        <div className="mt-1">
          <FieldChanges resource={resource} changes={changes} isCreation={type.endsWith('.created')} />
        </div>
      )}
      {isMerge && details?.mergedFrom !== undefined && (
        <UndoMerge resource={resource} duplicateId={details.mergedFrom} canUndo={record !== undefined} />
      )}
      {record !== undefined && isRevertible && (
        <div className="mt-1 flex flex-wrap gap-2">
          {!isMerge && <UndoChange open={{ resource, record }} change={change} onRevert={onRevert} />}
          {version < record.version && (
            <Button look="quiet" onClick={() => onRevert({ toVersion: version })}>
              <Trans>Go back to version {version}</Trans>
            </Button>
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
  const [request, setRequest] = useState<RevertRequest>();
  const { rows: changes, error, hasMore, isLoadingMore, loadMore, retry } = history;
  if (error !== null && changes === undefined) return <ErrorBox error={error} onRetry={retry} />;
  return (
    <section aria-labelledby="history-title">
      <h3 id="history-title" className="sr-only">
        <Trans>Changes, newest first</Trans>
      </h3>
      {changes === undefined && <Loading />}
      <ol className="flex flex-col gap-3">
        {changes?.map((change) => (
          <ChangeItem
            key={`${change.position}-${change.version}-${change.type}`}
            resource={resource}
            change={change}
            record={record}
            onRevert={setRequest}
          />
        ))}
      </ol>
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
