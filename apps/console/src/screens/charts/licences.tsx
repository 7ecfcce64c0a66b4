import { Trans, useLingui } from '@lingui/react/macro';
import type { Stats } from '@roster/client';
import { Link } from '@tanstack/react-router';
import type { ResourceName } from '../../contract/contracts.ts';
import { Figure } from './accessible-chart.tsx';

type Licences = Stats['agents']['licenses'];

/** A day after another one, in UTC, as the service counts. */
function dayAfter(time: string, days: number): string {
  const date = new Date(time);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** The numbers of licences that have expired, or are about to, with the lists of them. */
export function ExpiringLicences({
  title,
  resource,
  licences,
  asOf,
}: {
  title: string;
  resource: ResourceName;
  licences: Licences;
  asOf: string;
}) {
  const { t, i18n } = useLingui();
  const { expired } = licences;
  const rows = [
    { days: 0, label: t`Expired`, count: expired, listed: expired },
    { days: 31, label: t`In 30 days`, count: licences.next30Days, listed: expired + licences.next30Days },
    { days: 61, label: t`In 60 days`, count: licences.next60Days, listed: expired + licences.next60Days },
    { days: 91, label: t`In 90 days`, count: licences.next90Days, listed: expired + licences.next90Days },
  ];
  const max = Math.max(1, ...rows.map(({ count }) => count));
  const listLink = (days: number, listed: number) => {
    const day = dayAfter(asOf, days);
    return (
      <Link to={`/${resource}`} search={{ licenseExpiresBefore: day }} className="text-accent underline">
        <Trans>
          {i18n.number(listed)} before{' '}
          {i18n.date(`${day}T00:00:00Z`, { dateStyle: 'medium', timeZone: 'UTC' })}
        </Trans>
      </Link>
    );
  };
  return (
    <Figure
      title={title}
      table={{
        columns: [t`When`, t`Number`, t`List`],
        rows: rows.map(({ days, label, count, listed }) => ({
          id: label,
          cells: [label, i18n.number(count), listLink(days, listed)],
        })),
      }}
    >
      <ul className="flex flex-col gap-2">
        {rows.map(({ days, label, count, listed }) => (
          <li
            key={label}
            className="grid grid-cols-[6rem_minmax(0,1fr)] items-center gap-x-3 text-sm sm:grid-cols-[6rem_minmax(0,1fr)_auto]"
          >
            <span>{label}</span>
            <span className="flex items-center gap-2">
              <span
                aria-hidden
                className={`h-4 rounded-e-sm ${count > 0 ? 'min-w-0.5' : ''} forced-color-adjust-none ${days === 0 ? 'bg-danger' : 'bg-warning'}`}
                style={{ width: `${(80 * count) / max}%` }}
              />
              <span className="tabular-nums">{i18n.number(count)}</span>
            </span>
            {listLink(days, listed)}
          </li>
        ))}
      </ul>
    </Figure>
  );
}
