'use no memo';

import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { ResourceName } from '../api/contract/contracts.ts';
import { useRecordName } from '../resources/referred-records.ts';
import { linkClasses } from './button.tsx';

interface OneRecord {
  resource: ResourceName;
  id: string;
}

/** The name of a record; the beginning of its id if it is gone or hidden. */
export function RecordName({ resource, id }: OneRecord) {
  const name = useRecordName(resource, id);
  if (name === undefined) return <span className="text-muted">…</span>;
  if (name === null) return <code data-tooltip={id}>{id.slice(0, 8)}…</code>;
  return name;
}

export function RecordLink({ resource, id }: OneRecord) {
  return (
    <Link to={`/${resource}/$id`} params={{ id }} className={linkClasses}>
      <RecordName resource={resource} id={id} />
    </Link>
  );
}

export function RecordNames({
  resource,
  ids,
  max = ids.length,
}: {
  resource: ResourceName;
  ids: readonly string[];
  max?: number;
}) {
  const { t } = useLingui();
  const more = ids.length - max;
  return (
    <>
      {ids.slice(0, max).map((id, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <RecordName resource={resource} id={id} />
        </Fragment>
      ))}
      {more > 0 && <span className="text-muted"> {t`+${more} more`}</span>}
    </>
  );
}

export function OfficeNames({ ids, max }: { ids: readonly string[] | null; max: number }) {
  if (ids === null) return <Trans>All offices</Trans>;
  return <RecordNames resource="offices" ids={ids} max={max} />;
}
