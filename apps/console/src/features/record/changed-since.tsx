import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useRights } from '../../api/caller.ts';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { callsOf } from '../../resources/record-calls.ts';
import { pathLabels } from '../fields/field-labels.ts';
import { ActorName } from './actor-name.tsx';

export function ChangedSince({ resource, id }: { resource: ResourceName; id: string }) {
  const { i18n } = useLingui();
  const { can } = useRights();
  const input = { id, limit: 1 };
  const { data } = useQuery({
    queryKey: [resource, 'history', input] as const,
    queryFn: ({ signal }) => callsOf(resource).history.query(input, { signal }),
    enabled: can('events:read'),
  });
  const [last] = data?.items ?? [];
  if (last === undefined) return <Trans>changed since</Trans>;
  const fields = pathLabels(
    i18n,
    resource,
    last.changes.map(({ field }) => field),
  );
  return (
    <>
      <Trans>
        changed since, last by <ActorName change={last} />
      </Trans>
      {fields !== '' && `: ${fields}`}
    </>
  );
}
