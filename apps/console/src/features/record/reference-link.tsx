import { Link } from '@tanstack/react-router';
import { useContext } from 'react';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { nameOf } from '../../resources/record.ts';
import { useReferred } from '../../resources/referred-records.ts';
import { InactiveBadge } from '../../ui/badge.tsx';
import { textLinkClasses } from '../../ui/button.tsx';
import { recordPath, ValueLinks } from './record-context.ts';

/** The text of a reference to a record: its name; its id until that is known, or if it cannot be read. */
export function useReferenceText(resource: ResourceName, id: string | null): string {
  const record = useReferred(resource, id);
  return record ? nameOf(record) : (id ?? '');
}

/** A link to a record that another one refers to. Within the same list, the list stays as it is. */
export function ReferenceLink({
  resource,
  id,
  from,
}: {
  resource: ResourceName;
  id: string;
  from?: ResourceName;
}) {
  const record = useReferred(resource, id);
  const hasLinks = useContext(ValueLinks);
  if (record === null) return <span className="break-all text-muted">{id}</span>;
  const name = record === undefined ? '…' : nameOf(record);
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {hasLinks ? (
        <Link
          to={recordPath(resource)}
          params={{ id }}
          search={from === resource ? true : {}}
          className={textLinkClasses}
        >
          {name}
        </Link>
      ) : (
        name
      )}
      {record?.status === 'inactive' && <InactiveBadge />}
    </span>
  );
}
