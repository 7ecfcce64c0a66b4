import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { rosterQuery } from '../api/client.ts';
import { ErrorBox } from '../components/error-text.tsx';

/** The frame of a record, beside its list, or over it on a narrow screen. */
function Panel({ error, children }: { error: unknown; children: ReactNode }) {
  return (
    <section className="absolute inset-0 overflow-y-auto bg-surface p-4 lg:static lg:w-[32rem] lg:border-line lg:border-s">
      {error === null ? children : <ErrorBox error={error} />}
    </section>
  );
}

export function AgentPage() {
  const { id } = useParams({ from: '/signed-in/agents/$id' });
  const { data, error } = useQuery(rosterQuery('agents', 'get', { id }));
  return <Panel error={error}>{data?.displayName}</Panel>;
}

export function OfficePage() {
  const { id } = useParams({ from: '/signed-in/offices/$id' });
  const { data, error } = useQuery(rosterQuery('offices', 'get', { id }));
  return <Panel error={error}>{data?.name}</Panel>;
}
