import { Trans, useLingui } from '@lingui/react/macro';
import type { Stats } from '@roster/client';
import { Link } from '@tanstack/react-router';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { durationOfDays } from '../../fields/durations.ts';
import { Figure } from './accessible-chart.tsx';

type Licences = Stats['agents']['licenses'];

export function ExpiringLicences({
  title,
  resource,
  licences,
}: {
  title: string;
  resource: ResourceName;
  licences: Licences;
}) {
  const { t, i18n } = useLingui();
  const within = (days: number) => ({
    licenseExpiresSince: durationOfDays(0),
    licenseExpiresBefore: durationOfDays(days + 1),
  });
  const expired = { licenseExpiresBefore: durationOfDays(0) };
  const rows = [
    { isPast: true, label: t`Expired`, count: licences.expired, search: expired },
    { isPast: false, label: t`In 30 days`, count: licences.next30Days, search: within(30) },
    { isPast: false, label: t`In 60 days`, count: licences.next60Days, search: within(60) },
    { isPast: false, label: t`In 90 days`, count: licences.next90Days, search: within(90) },
  ];
  const max = Math.max(1, ...rows.map(({ count }) => count));
  const listLink = (search: (typeof rows)[number]['search']) => (
    <Link to={`/${resource}`} search={search} className="text-accent underline">
      <Trans>View the list</Trans>
    </Link>
  );
  return (
    <Figure
      title={title}
      table={{
        heads: [t`When`, t`Number`, t`List`],
        rows: rows.map(({ label, count, search }) => ({
          id: label,
          cells: [label, i18n.number(count), listLink(search)],
        })),
      }}
    >
      <ul className="flex flex-col gap-2">
        {rows.map(({ isPast, label, count, search }) => (
          <li
            key={label}
            className="grid grid-cols-[6rem_minmax(0,1fr)] items-center gap-x-3 text-sm sm:grid-cols-[6rem_minmax(0,1fr)_auto]"
          >
            <span>{label}</span>
            <span className="flex items-center gap-2">
              <span
                aria-hidden
                className={`h-4 rounded-e-xs ${count > 0 ? 'min-w-0.5' : ''} forced-color-adjust-none ${isPast ? 'bg-danger' : 'bg-soon'}`}
                style={{ width: `${(80 * count) / max}%` }}
              />
              <span className="tabular-nums">{i18n.number(count)}</span>
            </span>
            {listLink(search)}
          </li>
        ))}
      </ul>
    </Figure>
  );
}
