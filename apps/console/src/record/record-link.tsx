import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRights } from '../api/caller.ts';
import { Badge } from '../components/badge.tsx';
import type { ResourceName } from '../list/queries.ts';
import { nameOf, recordQuery } from './record-calls.ts';

/** The name of a record that another one refers to; its id until that is known, or if it cannot be read. */
export function useRecordName(resource: ResourceName, id: string | null): string {
  const { can } = useRights();
  const { data } = useQuery({
    ...recordQuery(resource, id ?? ''),
    enabled: id !== null && can(`${resource}:read`),
    staleTime: 300_000,
  });
  return data === undefined ? (id ?? '') : nameOf(data);
}

/** A link to a record that another one refers to. Within the same list, the list stays as it is. */
export function RecordLink({
  resource,
  id,
  from,
}: {
  resource: ResourceName;
  id: string;
  from?: ResourceName;
}) {
  const { can } = useRights();
  const canRead = can(`${resource}:read`);
  const { data, isError } = useQuery({
    ...recordQuery(resource, id),
    enabled: canRead,
    staleTime: 300_000,
  });
  if (!canRead || isError) return <span className="break-all text-muted">{id}</span>;
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Link
        to={resource === 'agents' ? '/agents/$id' : '/offices/$id'}
        params={{ id }}
        search={from === resource ? true : {}}
        className="text-accent underline underline-offset-2"
      >
        {data === undefined ? '…' : nameOf(data)}
      </Link>
      {data?.status === 'inactive' && (
        <Badge>
          <Trans>Inactive</Trans>
        </Badge>
      )}
    </span>
  );
}
