import { Trans, useLingui } from '@lingui/react/macro';
import type { FollowedEvent } from '@roster/client';
import { useState } from 'react';
import { useEvents } from '../../api/live.ts';
import { ExactTime } from '../../ui/time.tsx';
import { pathLabels } from '../fields/field-labels.ts';
import { ActorName, useIsOwn } from './actor-name.tsx';
import { useRecord } from './record-context.ts';

const always = new Set(['id', 'version', 'updatedAt', 'statusChangedAt', 'nextLicenseExpiresOn']);

function changedFields({ previous }: Pick<FollowedEvent, 'previous'>): string[] {
  return Object.keys(previous).filter((name) => !always.has(name));
}

/**
 * A notice that someone else has changed the open record, which already shows the new values. It stays visible while the page scrolls,
 * and screen readers announce it.
 */
export function LastChange() {
  const { i18n } = useLingui();
  const { resource, record } = useRecord();
  const isOwn = useIsOwn();
  const [event, setEvent] = useState<FollowedEvent>();
  useEvents((next) => {
    // An event such as a licence that expires soon changes nothing.
    if (next.subject === record.id && !isOwn(next) && changedFields(next).length > 0) setEvent(next);
  });
  const list = event && pathLabels(i18n, resource, changedFields(event));
  return (
    <div
      role="status"
      className={
        event === undefined
          ? 'sr-only'
          : 'sticky top-0 z-10 rounded-md bg-soon-surface p-3 text-sm text-soon shadow-md'
      }
    >
      {event !== undefined && (
        <p>
          <Trans>
            Just changed by <ActorName change={event} />: {list}
          </Trans>{' '}
          (<ExactTime time={event.occurredAt} />)
        </p>
      )}
    </div>
  );
}
