import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useContext } from 'react';
import { useRights } from '../api/caller.ts';
import { InactiveBadge } from '../components/badge.tsx';
import type { ResourceName } from '../contract/contracts.ts';
import { nameOf } from '../resources/record.ts';
import { recordQuery } from '../resources/record-calls.ts';
import { recordPath, ValueLinks } from './record-context.ts';

/** The time for which a record that another one refers to is not read again, in milliseconds. */
const FRESH_MS = 300_000;

/** The query of a record that another one refers to, if the caller may read it. */
function useReferred(resource: ResourceName, id: string | null) {
  const canRead = useRights().can(`${resource}:read`);
  const query = useQuery({
    ...recordQuery(resource, id ?? ''),
    enabled: id !== null && canRead,
    staleTime: FRESH_MS,
  });
  return { ...query, canRead };
}

/** The text of a reference to a record: its name; its id until that is known, or if it cannot be read. */
export function useReferenceText(resource: ResourceName, id: string | null): string {
  const { data } = useReferred(resource, id);
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
  const { data, isError, canRead } = useReferred(resource, id);
  const hasLinks = useContext(ValueLinks);
  if (!canRead || isError) return <span className="break-all text-muted">{id}</span>;
  const name = data === undefined ? '…' : nameOf(data);
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {hasLinks ? (
        <Link
          to={recordPath(resource)}
          params={{ id }}
          search={from === resource ? true : {}}
          className="text-accent underline underline-offset-2"
        >
          {name}
        </Link>
      ) : (
        name
      )}
      {data?.status === 'inactive' && <InactiveBadge />}
    </span>
  );
}
