import { Plural } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { Copy } from '../../icons.tsx';
import type { DirectoryRecord } from '../../resources/record.ts';
import { callsOf } from '../../resources/record-calls.ts';
import { idsOf } from './next-pair.ts';

/** The time after a change in which the service may not have compared the record yet, and the pause between two looks meanwhile. */
const COMPARING_MS = 20_000;
const REFETCH_MS = 3_000;

export function DuplicatesMark({ resource, record }: { resource: ResourceName; record: DirectoryRecord }) {
  const { id, updatedAt } = record;
  const { data } = useQuery({
    // With the id, so that it is asked again when the record changes.
    queryKey: [resource, 'duplicates', { id }] as const,
    queryFn: ({ signal }) =>
      callsOf(resource).duplicates.query({ recordId: id, limit: 1, includeTotal: true }, { signal }),
    refetchInterval: () => Date.now() - Date.parse(String(updatedAt)) < COMPARING_MS && REFETCH_MS,
  });
  const [pair] = data?.items ?? [];
  if (pair === undefined) return null;
  const { total = 1 } = data ?? {};
  const [first, second] = idsOf(pair);
  const search = { recordId: id };
  const label = <Plural value={total} one="# possible duplicate" other="# possible duplicates" />;
  const classes = 'font-medium text-accent underline underline-offset-2';
  return (
    <p className="flex items-center gap-2 rounded-md bg-soon-surface px-4 py-3 text-sm">
      <Copy aria-hidden className="size-4 shrink-0 text-soon" />
      {total === 1 ? (
        <Link
          to={`/duplicates/${resource}/$id/$otherId`}
          params={{ id: first, otherId: second }}
          search={search}
          className={classes}
        >
          {label}
        </Link>
      ) : (
        <Link to={`/duplicates/${resource}`} search={search} className={classes}>
          {label}
        </Link>
      )}
    </p>
  );
}
