import { Trans, useLingui } from '@lingui/react/macro';
import type { Event, RecordChange } from '@roster/client';
import { Link } from '@tanstack/react-router';
import { resourceOfEvent } from '../../../resources/index.ts';
import { Badge } from '../../../ui/badge.tsx';
import { ExactTime, RelativeTime } from '../../../ui/time.tsx';
import { ActorName } from '../../record/actor-name.tsx';
import { recordPath } from '../../record/record-context.ts';
import { Cause } from '../change-text.tsx';
import { FieldChanges } from '../field-changes.tsx';
import { changesOf, subjectName } from './changes.ts';
import { kindOf, useEventWords } from './event-labels.tsx';

const tones: Readonly<Record<string, 'good' | 'warning' | 'danger'>> = {
  created: 'good',
  restored: 'good',
  reactivated: 'good',
  invited: 'good',
  deactivated: 'warning',
  license_expiring: 'warning',
  deleted: 'danger',
  purged: 'danger',
  revoked: 'danger',
  denied: 'danger',
  change_failed: 'danger',
};

const paths = { key: '/keys/$id', webhook: '/webhooks/$id', person: '/people/$id' } as const;

function Subject({ event }: { event: Event }) {
  const kind = kindOf(event);
  const name = subjectName(event);
  const [, verb] = event.type.split('.');
  const isGone = verb === 'deleted' || verb === 'purged';
  const resource = resourceOfEvent(event.type);
  const to = resource === undefined ? paths[kind as keyof typeof paths] : recordPath(resource);
  if (isGone || to === undefined) return <span className="font-medium">{name}</span>;
  return (
    <Link to={to} params={{ id: event.subject }} className="font-medium text-accent hover:underline">
      {name ?? <code>{event.subject.slice(0, 8)}…</code>}
    </Link>
  );
}

function Changes({ event }: { event: Event }) {
  const resource = resourceOfEvent(event.type);
  const changes = changesOf(event);
  if (changes.length === 0) return null;
  if (resource !== undefined) return <FieldChanges resource={resource} changes={changes} />;
  return (
    <p className="text-muted text-sm">
      <Trans>Changed: {changes.map(({ field }) => field).join(', ')}</Trans>
    </p>
  );
}

export function EventItem({ event, isNew }: { event: Event; isNew: boolean }) {
  const { t } = useLingui();
  const words = useEventWords();
  const { type, occurredAt, reason, details, record } = event;
  const tone = tones[type.split('.')[1] ?? ''] ?? 'neutral';
  const detail = type === 'access.denied' && record !== null && 'detail' in record ? record.detail : reason;
  return (
    <li className="grid gap-x-4 gap-y-1 border-line border-b py-3 md:grid-cols-[10rem_minmax(0,1fr)]">
      <p className="text-muted text-xs leading-6">
        <ExactTime time={occurredAt} />
        <span className="ms-2 md:ms-0 md:block">
          <RelativeTime time={occurredAt} isStop={false} />
        </span>
      </p>
      <div className="flex min-w-0 flex-col gap-1.5 text-sm">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Badge tone={tone}>{words(type)}</Badge>
          <Subject event={event} />
          <span className="text-muted">
            · <ActorName change={event} />
          </span>
          {isNew && <span className="sr-only">{t`New`}</span>}
        </p>
        {detail !== null && <p className="break-words">“{detail}”</p>}
        <Cause change={{ type, details } as Pick<RecordChange, 'type' | 'details'>} />
        <Changes event={event} />
      </div>
    </li>
  );
}
