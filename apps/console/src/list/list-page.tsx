import { Trans } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, Outlet, useSearch } from '@tanstack/react-router';
import { ErrorBox } from '../components/error-text.tsx';
import { listQuery, type ResourceName } from './queries.ts';

function nameOf(record: { displayName: string } | { name: string }): string {
  return 'displayName' in record ? record.displayName : record.name;
}

function ListPage({ resource }: { resource: ResourceName }) {
  const search = useSearch({ strict: false });
  const list = useInfiniteQuery(listQuery(resource, search));
  if (list.isError) return <ErrorBox error={list.error} onRetry={() => void list.refetch()} />;
  const records = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <div className="grid h-full grid-cols-[1fr_auto]">
      <div className="overflow-auto p-4">
        <h1 className="mb-3 font-semibold text-lg">
          {resource === 'offices' ? <Trans>Offices</Trans> : <Trans>Agents</Trans>}
        </h1>
        <ul>
          {records.map((record) => (
            <li key={record.id} className="border-line border-b py-2">
              <Link
                to={`/${resource}/$id`}
                params={{ id: record.id }}
                search={search}
                className="text-accent"
              >
                {nameOf(record)}
              </Link>
            </li>
          ))}
        </ul>
      </div>
      <Outlet />
    </div>
  );
}

export const AgentsPage = () => <ListPage resource="agents" />;
export const OfficesPage = () => <ListPage resource="offices" />;
