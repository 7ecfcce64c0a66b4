import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRights } from '../../api/caller.ts';
import { rosterQuery } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';
import { ErrorBox } from '../../components/error-text.tsx';
import type { ResourceName } from '../../contract/contracts.ts';
import { callsOf, nameOf } from '../../record/record-calls.ts';
import { useRecord } from '../../record/record-context.ts';

/** How many are shown here; the list has all. */
const SHOWN_MAX = 8;

interface RelatedProps {
  id: string;
  title: ReactNode;
  resource: ResourceName;
  /** The filter that finds them. */
  filter: Readonly<Record<string, string>>;
  count: number | undefined;
  sort: string;
}

function Related({ id, title, resource, filter, count, sort }: RelatedProps) {
  const input = { ...filter, sort, limit: SHOWN_MAX };
  const { data, error } = useQuery({
    queryKey: [resource, 'list', input] as const,
    queryFn: ({ signal }) => callsOf(resource).list.query(input, { signal }),
  });
  if (error !== null) return <ErrorBox error={error} />;
  if (data === undefined || data.items.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <div className="mb-1 flex items-center gap-2 border-line border-b">
        <h3 id={id} className="grow py-1 font-semibold text-sm">
          {title} {count !== undefined && <span className="font-normal text-muted">{count}</span>}
        </h3>
        <Link
          to={resource === 'agents' ? '/agents' : '/offices'}
          search={filter}
          className="inline-flex min-h-9 items-center text-accent text-sm underline underline-offset-2"
        >
          <Trans>Show in the list</Trans>
        </Link>
      </div>
      <ul className="text-sm">
        {data.items.map((record) => (
          <li key={record.id} className="flex min-h-9 items-center gap-2">
            <Link
              to={resource === 'agents' ? '/agents/$id' : '/offices/$id'}
              params={{ id: record.id }}
              search={resource === 'offices' ? true : filter}
              className="text-accent underline underline-offset-2"
            >
              {nameOf(record)}
            </Link>
            {record.status === 'inactive' && (
              <Badge>
                <Trans>Inactive</Trans>
              </Badge>
            )}
            {typeof record.title === 'string' && <span className="text-muted">{record.title}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The agents and the branches of an office. */
export function OfficeRelations() {
  const { record } = useRecord();
  const { can } = useRights();
  const { id } = record;
  const canReadAgents = can('agents:read');
  const { data } = useQuery({
    ...rosterQuery('offices', 'get', { id, expand: 'counts' }),
    enabled: canReadAgents,
  });
  const { counts } = data ?? {};
  const agents = counts && counts.agents.active + counts.agents.inactive + counts.affiliatedAgents;
  return (
    <>
      {canReadAgents && (
        <Related
          id="office-agents"
          title={<Trans>Agents</Trans>}
          resource="agents"
          filter={{ officeId: id }}
          count={agents}
          sort="lastName"
        />
      )}
      <Related
        id="office-branches"
        title={<Trans>Branches</Trans>}
        resource="offices"
        filter={{ mainOfficeId: id }}
        count={counts?.branches}
        sort="name"
      />
    </>
  );
}
