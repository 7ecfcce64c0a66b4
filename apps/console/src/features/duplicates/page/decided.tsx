import { Trans, useLingui } from '@lingui/react/macro';
import type { Event } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useRights } from '../../../api/caller.ts';
import { roster } from '../../../api/client.ts';
import { contracts, type ResourceName } from '../../../api/contract/contracts.ts';
import { X } from '../../../icons.tsx';
import { GitMerge, Undo2 } from '../../../more-icons.tsx';
import { recordEventTypes, subjectName } from '../../../resources/event-types.ts';
import { type DuplicatePair, nameOf } from '../../../resources/record.ts';
import { Button, buttonClasses, textLinkClasses } from '../../../ui/button.tsx';
import { groupClasses, lineClasses, Section } from '../../../ui/page.tsx';
import { RecordLink } from '../../../ui/record-name.tsx';
import { RelativeTime } from '../../../ui/time.tsx';
import { Actor } from '../../history/actor.tsx';
import { UndoMergeDialog } from '../../history/undo-merge-dialog.tsx';
import { recordPath } from '../../record/record-context.ts';
import { idsOf } from '../choices.ts';
import { topPairsQuery } from '../pairs.ts';

const DAYS = 30;
const READ_MAX = 200;

const isRecent = (time: string) => Date.parse(time) > Date.now() - DAYS * 86_400_000;

/** The merges that still hold: of each the event of the record that is gone, the latest first. */
function useMerges(resource: ResourceName): Event[] {
  const { can } = useRights();
  const { singular } = contracts[resource];
  const types = recordEventTypes.filter((type) =>
    [`${singular}.merged`, `${singular}.restored`].includes(type),
  );
  const { data } = useQuery({
    queryKey: [resource, 'merges', types],
    queryFn: ({ signal }) =>
      roster.events.list.query({ sort: '-position', limit: READ_MAX, types, after: 'latest' }, { signal }),
    enabled: can('events:read'),
  });
  const events = data?.items ?? [];
  const undone = new Set(
    events.flatMap(({ details }) => (details?.undoesMerge === true ? [details.mergeId] : [])),
  );
  return events.filter(
    ({ details }) =>
      details?.mergedInto !== undefined && details.undoesMerge !== true && !undone.has(details.mergeId),
  );
}

interface LineProps {
  icon: ReactNode;
  time: string;
  by: Pick<Event, 'actorId' | 'actor'>;
  action: ReactNode;
  children: ReactNode;
}

function Line({ icon, time, by, action, children }: LineProps) {
  return (
    <li className={`${lineClasses} min-h-11! gap-3 px-4 max-sm:flex-wrap`}>
      {icon}
      <span className="wrap-anywhere min-w-0 grow">{children}</span>
      <span className="flex items-center gap-2 whitespace-nowrap text-muted tabular-nums">
        <RelativeTime time={time} isStop={false} />
        <Actor change={by} />
      </span>
      {action}
    </li>
  );
}

function Merged({ resource, event }: { resource: ResourceName; event: Event }) {
  const { can } = useRights();
  const [isAsked, setAsked] = useState(false);
  const into = event.details?.mergedInto;
  const gone = <b className="font-medium">{subjectName(event) ?? event.subject.slice(0, 8)}</b>;
  return (
    <Line
      icon={<GitMerge aria-hidden className="size-4 shrink-0 text-muted" />}
      time={event.occurredAt}
      by={event}
      action={
        can(`${resource}:write`) && (
          <Button size="small" className="min-w-20" onClick={() => setAsked(true)}>
            <Undo2 aria-hidden />
            <Trans>Undo</Trans>
          </Button>
        )
      }
    >
      {into !== undefined && (
        <Trans>
          {gone} merged into <RecordLink resource={resource} id={into} />
        </Trans>
      )}
      {isAsked && (
        <UndoMergeDialog resource={resource} duplicateId={event.subject} onClose={() => setAsked(false)} />
      )}
    </Line>
  );
}

function Dismissed({ resource, pair }: { resource: ResourceName; pair: DuplicatePair }) {
  const [id, otherId] = idsOf(pair);
  const [one, other] = pair.records.map((record) => (
    <Link key={record.id} to={recordPath(resource)} params={{ id: record.id }} className={textLinkClasses}>
      <b className="font-medium">{nameOf(record)}</b>
    </Link>
  ));
  return (
    <Line
      icon={<X aria-hidden className="size-4 shrink-0 text-muted" />}
      time={pair.dismissedAt ?? pair.foundAt}
      by={pair}
      action={
        <Link
          to={`/duplicates/${resource}/$id/$otherId`}
          params={{ id, otherId }}
          className={`${buttonClasses('secondary', 'small')} min-w-20`}
        >
          <Trans>Compare</Trans>
        </Link>
      }
    >
      <Trans>
        {one} and {other} aren't the same
      </Trans>
      {pair.dismissalReason !== null && <span className="text-muted text-xs"> “{pair.dismissalReason}”</span>}
    </Line>
  );
}

/** The merges and the dismissed pairs of the last 30 days, each with what takes it back. */
export function Decided({ resource }: { resource: ResourceName }) {
  const { t } = useLingui();
  const merges = useMerges(resource);
  const { data } = useQuery(topPairsQuery(resource, READ_MAX, { state: 'dismissed' }));
  const lines = [
    ...merges.map((event) => ({
      time: event.occurredAt,
      line: <Merged key={event.position} resource={resource} event={event} />,
    })),
    ...(data?.items ?? []).map((pair) => ({
      time: pair.dismissedAt ?? pair.foundAt,
      line: <Dismissed key={pair.id} resource={resource} pair={pair} />,
    })),
  ]
    .filter(({ time }) => isRecent(time))
    .toSorted((one, other) => other.time.localeCompare(one.time));
  if (lines.length === 0) return null;
  return (
    <Section title={t`Decided in the last 30 days`} note={lines.length}>
      <ul className={groupClasses}>{lines.map(({ line }) => line)}</ul>
    </Section>
  );
}
