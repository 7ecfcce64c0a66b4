import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { Badge } from '../components/badge.tsx';
import { Day, daysUntil } from '../components/time.tsx';
import { RecordLink } from './record-link.tsx';

export interface License {
  number: string;
  region: string | null;
  type: string | null;
  expiresOn: string | null;
}

export interface Affiliation {
  officeId: string;
  title: string | null;
  isVisible: boolean;
  since: string | null;
}

/** From this number of days a licence draws attention. */
const SOON_DAYS = 90;

/** The days for which a licence is still valid, in words; the colour only repeats them. */
function DaysLeft({ day }: { day: string }) {
  const { t } = useLingui();
  const days = daysUntil(day);
  if (days < 0) {
    const past = -days;
    return (
      <Badge tone="danger">{t`expired ${plural(past, { one: '# day ago', other: '# days ago' })}`}</Badge>
    );
  }
  if (days === 0)
    return (
      <Badge tone="danger">
        <Trans>last day today</Trans>
      </Badge>
    );
  const text = t`${plural(days, { one: '# day left', other: '# days left' })}`;
  return <Badge tone={days <= SOON_DAYS ? 'warning' : 'neutral'}>{text}</Badge>;
}

/** Licences, one in a line. */
export function Licenses({ licenses }: { licenses: readonly License[] }) {
  return (
    <ul className="flex flex-col gap-1">
      {licenses.map(({ number, region, type, expiresOn }, index) => (
        <li key={index} className="flex flex-wrap items-center gap-x-2">
          <span className="font-medium">{number}</span>
          {[type, region].some(Boolean) && (
            <span className="text-muted">{[type, region].filter(Boolean).join(' · ')}</span>
          )}
          {expiresOn !== null && (
            <>
              <span className="text-muted">
                <Trans>
                  until <Day day={expiresOn} />
                </Trans>
              </span>
              <DaysLeft day={expiresOn} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The offices that an agent belongs to beside the primary one. */
export function Affiliations({ affiliations }: { affiliations: readonly Affiliation[] }) {
  return (
    <ul className="flex flex-col gap-1">
      {affiliations.map(({ officeId, title, isVisible, since }) => (
        <li key={officeId} className="flex flex-wrap items-center gap-x-2">
          <RecordLink resource="offices" id={officeId} />
          {title !== null && <span className="text-muted">{title}</span>}
          {since !== null && (
            <span className="text-muted">
              <Trans>
                since <Day day={since} />
              </Trans>
            </span>
          )}
          {!isVisible && (
            <Badge>
              <Trans>not public</Trans>
            </Badge>
          )}
        </li>
      ))}
    </ul>
  );
}
