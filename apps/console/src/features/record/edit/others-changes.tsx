import { Trans, useLingui } from '@lingui/react/macro';
import type { FollowedEvent } from '@roster/client';
import { useState } from 'react';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { useEvents } from '../../../api/live.ts';
import type { DirectoryRecord } from '../../../resources/record.ts';
import { Button } from '../../../ui/button.tsx';
import { ExactTime } from '../../../ui/time.tsx';
import { pathLabels } from '../../fields/field-labels.ts';
import { ActorName, useIsOwn } from '../actor-name.tsx';
import { changedFields, StickyNotice } from '../last-change.tsx';
import type { RecordForm } from './use-record-form.ts';

interface OthersChangesProps {
  resource: ResourceName;
  record: DirectoryRecord;
  form: RecordForm;
}

/** Says who has changed what in a record under edit. Nothing that was typed moves until it is merged. */
export function OthersChanges({ resource, record, form }: OthersChangesProps) {
  const { i18n } = useLingui();
  const isOwn = useIsOwn();
  const [events, setEvents] = useState<readonly FollowedEvent[]>([]);
  useEvents((event) => {
    const isAbout = event.subject === record.id && changedFields(event).length > 0;
    if (isAbout && !isOwn(event)) setEvents((all) => [...all, event]);
  });
  const { base, dirty } = form.draft;
  const isBehind = dirty.length > 0 && typeof base.version === 'number' && base.version < record.version;
  const newer = events.filter((event) => isBehind && event.version > Number(base.version));
  return (
    <StickyNotice>
      {isBehind && (
        <div className="flex flex-wrap items-center gap-2">
          <div className="min-w-0 grow">
            {newer.map((event) => {
              const list = pathLabels(i18n, resource, changedFields(event));
              return (
                <p key={event.position}>
                  <Trans>
                    <ActorName change={event} /> changed: {list}
                  </Trans>{' '}
                  (<ExactTime time={event.occurredAt} />)
                </p>
              );
            })}
            {newer.length === 0 && (
              <p>
                <Trans>The record has changed since you started.</Trans>
              </p>
            )}
          </div>
          <Button onClick={() => form.mergeWith(record)}>
            <Trans>Merge now</Trans>
          </Button>
        </div>
      )}
    </StickyNotice>
  );
}
