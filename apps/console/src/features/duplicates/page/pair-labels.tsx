import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { contracts, kindAt, parentOf, type ResourceName } from '../../../api/contract/contracts.ts';
import { Check } from '../../../more-icons.tsx';
import { type DirectoryRecord, type DuplicatePair, nameOf, valueAt } from '../../../resources/record.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { InactiveBadge } from '../../../ui/badge.tsx';
import { textLinkClasses } from '../../../ui/button.tsx';
import { RecordName } from '../../../ui/record-name.tsx';
import { RelativeTime } from '../../../ui/time.tsx';
import { useReadPhone } from '../../fields/phone-text.ts';
import { percent, sameText, sharedValue } from '../../fields/reason-labels.ts';
import { ActorName } from '../../record/actor-name.tsx';
import { recordPath } from '../../record/record-context.ts';

export function Score({ score }: Pick<DuplicatePair, 'score'>) {
  const { i18n } = useLingui();
  return <span className="tabular-nums">{percent(i18n, score)}</span>;
}

function RecordDetail({ resource, record }: { resource: ResourceName; record: DirectoryRecord }) {
  const { listFields } = contracts[resource];
  const readPhone = useReadPhone();
  const parent = parentOf(resource);
  const within = parent && record[parent.field];
  const paths = listFields.filter((path) => path !== 'status' && path !== contracts[resource].nameField);
  const values = paths.flatMap((path) => {
    const value = valueAt(record, path);
    if (typeof value !== 'string') return [];
    return kindAt(resource, path) === 'phone' ? readPhone(value) : value;
  });
  const texts = [...new Set(values)].filter((value) => value !== within);
  return (
    <>
      {parent !== undefined && typeof within === 'string' && (
        <>
          <RecordName resource={parent.resource} id={within} />
          {texts.length > 0 && ' · '}
        </>
      )}
      {texts.join(' · ')}
    </>
  );
}

/** A record of a pair: its disc, its name, which leads to it, and what tells it from others. */
export function PairRecord({ resource, record }: { resource: ResourceName; record: DirectoryRecord }) {
  const name = nameOf(record);
  const { nameField } = contracts[resource];
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      {nameField === 'displayName' && (
        <Avatar name={name} id={record.id} isInactive={record.status === 'inactive'} />
      )}
      <span className="wrap-anywhere min-w-0">
        <Link
          to={recordPath(resource)}
          params={{ id: record.id }}
          className={`font-medium ${textLinkClasses}`}
        >
          {name}
        </Link>{' '}
        {record.status === 'inactive' && <InactiveBadge />}
        <span className="block text-muted text-xs">
          <RecordDetail resource={resource} record={record} />
        </span>
      </span>
    </span>
  );
}

export function Reasons({
  resource,
  pair: { reasons },
}: {
  resource: ResourceName;
  pair: Pick<DuplicatePair, 'reasons'>;
}) {
  const { t, i18n } = useLingui();
  const readPhone = useReadPhone();
  return (
    <ul aria-label={t`Reasons`} className="wrap-anywhere flex flex-col gap-0.5 text-muted text-sm">
      {reasons.map((reason) => (
        <li key={reason.text} className="flex items-center gap-2">
          <Check aria-hidden className="size-3.5 shrink-0" />
          <span>
            {sameText({ i18n, resource }, reason)}{' '}
            <b className="font-medium text-text">{sharedValue({ i18n, readPhone }, reason)}</b>
          </span>
        </li>
      ))}
    </ul>
  );
}

export function Decision({ pair }: { pair: DuplicatePair }) {
  const { dismissedAt, dismissalReason } = pair;
  if (dismissedAt === null) return null;
  return (
    <span className="wrap-anywhere whitespace-normal">
      <Trans>
        Not duplicates: <ActorName change={pair} />, <RelativeTime time={dismissedAt} />
      </Trans>
      {dismissalReason !== null && ` · “${dismissalReason}”`}
    </span>
  );
}
