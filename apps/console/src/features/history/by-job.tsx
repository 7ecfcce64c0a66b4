import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useRights } from '../../api/caller.ts';
import { rosterQuery } from '../../api/client.ts';

/** The name of a job in the history of a record: "by import agents.csv", or "by a bulk change". */
export function ByJob({ id }: { id: string }) {
  const { can } = useRights();
  const { data: job } = useQuery({ ...rosterQuery('jobs', 'get', { id }), enabled: can('events:read') });
  const isImport = job?.change?.type === 'import';
  const { data: file } = useQuery({ ...rosterQuery('imports', 'get', { id }), enabled: isImport });
  const name = file?.name;
  if (!isImport) return <Trans>by a bulk change</Trans>;
  return name == null ? <Trans>by an import</Trans> : <Trans>by import {name}</Trans>;
}
