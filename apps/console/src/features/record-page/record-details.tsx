import { Trans } from '@lingui/react/macro';
import { Suspense, useState } from 'react';
import { useRights } from '../../api/caller.ts';
import { groupsOf } from '../../resources/index.ts';
import { Callout } from '../../ui/badge.tsx';
import { lazyComponent } from '../../ui/browser/lazy-components.ts';
import { Button } from '../../ui/button.tsx';
import { Detail, Details } from '../../ui/details.tsx';
import { Day, ExactTime, RelativeTime } from '../../ui/time.tsx';
import { LastChange } from '../record/last-change.tsx';
import { useRecord } from '../record/record-context.ts';
import { FieldGroupView } from './field-group.tsx';
import { Relations } from './relations.tsx';
import { ScheduledChanges } from './scheduled-changes.tsx';

const DuplicatesMark = lazyComponent(() => import('../duplicates/duplicates-mark.tsx'), 'DuplicatesMark');
const DraftBar = lazyComponent(() => import('../record/edit/drafts/draft-bar.tsx'), 'DraftBar');

function Origin() {
  const { record } = useRecord();
  return (
    <Details>
      <Detail label={<Trans context="time">Created</Trans>}>
        <ExactTime time={String(record.createdAt)} />
      </Detail>
      <Detail label={<Trans context="time">Changed</Trans>}>
        <RelativeTime time={String(record.updatedAt)} />
      </Detail>
      <Detail label={<Trans>Version</Trans>}>{record.version}</Detail>
      <Detail label={<Trans>ID</Trans>}>
        <code className="break-all text-xs">{record.id}</code>
      </Detail>
    </Details>
  );
}

export function RecordDetails() {
  const { resource, record } = useRecord();
  const { can } = useRights();
  const [editing, setEditing] = useState<readonly string[]>();
  const [isEmptyShown, setEmptyShown] = useState(false);
  const canWrite = can(`${resource}:write`);
  const { deactivatedAt, statusReason } = record;
  return (
    <div className="flex flex-col gap-5 p-4">
      {typeof deactivatedAt === 'string' && (
        <Callout
          title={
            <Trans>
              Inactive since <Day day={deactivatedAt.slice(0, 10)} />
            </Trans>
          }
        >
          {typeof statusReason === 'string' && <p>{statusReason}</p>}
        </Callout>
      )}
      <LastChange />
      <Suspense>
        <DuplicatesMark resource={resource} record={record} />
      </Suspense>
      {canWrite && (
        <Suspense>
          <DraftBar resource={resource} record={record} editing={editing} />
        </Suspense>
      )}
      <ScheduledChanges />
      {groupsOf(resource).map((group) => (
        <FieldGroupView
          key={group.id}
          group={group}
          editing={editing}
          onEdit={canWrite ? setEditing : undefined}
          isEmptyShown={isEmptyShown}
        />
      ))}
      <Relations />
      <div>
        <Button look="quiet" aria-pressed={isEmptyShown} onClick={() => setEmptyShown(!isEmptyShown)}>
          {isEmptyShown ? <Trans>Hide empty fields</Trans> : <Trans>Show empty fields</Trans>}
        </Button>
      </div>
      <Origin />
    </div>
  );
}
