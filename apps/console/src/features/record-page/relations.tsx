import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useRights } from '../../api/caller.ts';
import { contracts, type ResourceName } from '../../api/contract/contracts.ts';
import { useEvents } from '../../api/live.ts';
import type { RecordCounts, Relation } from '../../resources/definition.ts';
import { referredIds } from '../../resources/event-types.ts';
import { relationsOf } from '../../resources/index.ts';
import { nameOf } from '../../resources/record.ts';
import { callsOf } from '../../resources/record-calls.ts';
import { InactiveBadge } from '../../ui/badge.tsx';
import { ErrorBox } from '../../ui/error-text.tsx';
import { recordPath, useRecord } from '../record/record-context.ts';

const SHOWN_MAX = 8;

interface RelatedProps {
  relation: Relation;
  of: { resource: ResourceName; id: string };
  count: number | undefined;
}

function Related({ relation: { id, label, resource, field }, of, count }: RelatedProps) {
  const { t } = useLingui();
  const filter = { [field]: of.id };
  const input = { ...filter, sort: contracts[resource].nameSort, limit: SHOWN_MAX };
  const { data, error } = useQuery({
    queryKey: [resource, 'related', input] as const,
    queryFn: ({ signal }) => callsOf(resource).list.query(input, { signal }),
  });
  if (error !== null) return <ErrorBox error={error} />;
  if (data === undefined || data.items.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <div className="mb-1 flex items-center gap-2 border-line border-b">
        <h3 id={id} className="grow py-1 font-semibold text-sm">
          {t(label)} {count !== undefined && <span className="font-normal text-muted">{count}</span>}
        </h3>
        <Link
          to={`/${resource}`}
          search={filter}
          className="inline-flex min-h-9 items-center text-accent text-sm underline underline-offset-2"
        >
          <Trans>View in the list</Trans>
        </Link>
      </div>
      <ul className="text-sm">
        {data.items.map((record) => (
          <li key={record.id} className="flex min-h-9 items-center gap-2">
            <Link
              to={recordPath(resource)}
              params={{ id: record.id }}
              search={resource === of.resource ? true : filter}
              className="text-accent underline underline-offset-2"
            >
              {nameOf(record)}
            </Link>
            {record.status === 'inactive' && <InactiveBadge />}
            {typeof record.title === 'string' && <span className="text-muted">{record.title}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Counts and lists of related records are read again so long after the first of some changes, in milliseconds. */
const COLLECT_MS = 250;

/** Reads again what refers to a record when a record begins or ceases to refer to it, or changes. */
function useRelatedChanges(resource: ResourceName, id: string): void {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const readAgain = () => {
    timer.current = undefined;
    void client.invalidateQueries({ queryKey: countsKey(resource, id) });
    for (const relation of relationsOf(resource))
      void client.invalidateQueries({ queryKey: [relation.resource, 'related'] });
  };
  useEvents((event) => {
    if (referredIds(resource, event).includes(id)) timer.current ??= setTimeout(readAgain, COLLECT_MS);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
}

const countsKey = (resource: ResourceName, id: string) =>
  [resource, 'get', { id, expand: 'counts' }] as const;

export function Relations() {
  const { resource, record } = useRecord();
  const { can } = useRights();
  const relations = relationsOf(resource);
  const hasCounts = contracts[resource].expansions.includes('counts');
  const { id } = record;
  useRelatedChanges(resource, id);
  const readable = relations.filter((relation) => can(`${relation.resource}:read`));
  const { data } = useQuery({
    queryKey: countsKey(resource, id),
    queryFn: ({ signal }) => callsOf(resource).get.query({ id, expand: 'counts' }, { signal }),
    enabled: hasCounts && readable.length === relations.length,
  });
  const counts = data?.counts as RecordCounts | undefined;
  return readable.map((relation) => (
    <Related
      key={relation.id}
      relation={relation}
      of={{ resource, id }}
      count={counts && relation.countOf?.(counts)}
    />
  ));
}
