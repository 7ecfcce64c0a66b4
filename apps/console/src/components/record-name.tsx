import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { ResourceName } from '../contract/contracts.ts';
import { useRecordName } from '../resources/referred-records.ts';

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

/** The name of a record, as a link to it. */
export function RecordLink({ resource, id }: OneRecord) {
  return (
    <Link to={`/${resource}/$id`} params={{ id }} className="text-accent underline underline-offset-2">
      <RecordName resource={resource} id={id} />
    </Link>
  );
}

/** The offices that something is limited to; null for everything. */
export function OfficeNames({ ids, max = 2 }: { ids: readonly string[] | null; max?: number }) {
  const { t } = useLingui();
  if (ids === null) return <Trans>Everything</Trans>;
  const more = ids.length - max;
  return (
    <>
      {ids.slice(0, max).map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <RecordName resource="offices" id={id} />
        </span>
      ))}
      {more > 0 && <span className="text-muted"> {t`+${more} more`}</span>}
    </>
  );
}
