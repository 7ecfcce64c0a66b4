import { Trans, useLingui } from '@lingui/react/macro';
import { contracts, parentOf, type ResourceName } from '../../../api/contract/contracts.ts';
import { type DirectoryRecord, type DuplicatePair, nameOf, valueAt } from '../../../resources/record.ts';
import { Badge, InactiveBadge } from '../../../ui/badge.tsx';
import { RecordName } from '../../../ui/record-name.tsx';
import { RelativeTime } from '../../../ui/time.tsx';
import { useReadPhone } from '../../fields/phone-text.ts';
import { percent, reasonText } from '../../fields/reason-labels.ts';
import { ActorName } from '../../record/actor-name.tsx';

const SCORE_HIGH = 0.95;

export function ScoreBadge({ score }: Pick<DuplicatePair, 'score'>) {
  const { i18n } = useLingui();
  return <Badge tone={score >= SCORE_HIGH ? 'warning' : 'neutral'}>{percent(i18n, score)}</Badge>;
}

function RecordDetail({ resource, record }: { resource: ResourceName; record: DirectoryRecord }) {
  const { listFields } = contracts[resource];
  const parent = parentOf(resource);
  const within = parent && record[parent.field];
  const paths = listFields.filter((path) => path !== 'status' && path !== contracts[resource].nameField);
  const values = paths.map((path) => valueAt(record, path)).filter((value) => typeof value === 'string');
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

export function PairRecord({ resource, record }: { resource: ResourceName; record: DirectoryRecord }) {
  return (
    <>
      <span className="wrap-anywhere">{nameOf(record)}</span>{' '}
      {record.status === 'inactive' && <InactiveBadge />}
      <span className="wrap-anywhere block font-normal text-muted text-xs">
        <RecordDetail resource={resource} record={record} />
      </span>
    </>
  );
}

export function Reasons({
  resource,
  pair: { reasons },
}: {
  resource: ResourceName;
  pair: Pick<DuplicatePair, 'reasons'>;
}) {
  const { i18n } = useLingui();
  const readPhone = useReadPhone();
  return (
    <ul className="wrap-anywhere whitespace-normal">
      {reasons.map((reason) => (
        <li key={reason.text}>{reasonText({ i18n, resource, readPhone }, reason)}</li>
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
