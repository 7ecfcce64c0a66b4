import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Stats } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { rosterQuery } from '../../api/client.ts';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { FileUp } from '../../icons.tsx';
import { nameOf } from '../../resources/record.ts';
import { AllLink } from '../../ui/all-link.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { buttonClasses } from '../../ui/button.tsx';
import { groupClasses, lineClasses, Section } from '../../ui/page.tsx';
import { daysUntil } from '../../ui/relative-time.ts';
import { NearDay, RelativeTime } from '../../ui/time.tsx';
import { idsOf } from '../duplicates/choices.ts';
import { topPairsQuery } from '../duplicates/pairs.ts';
import { durationOfDays } from '../fields/durations.ts';
import { sameTexts } from '../fields/reason-labels.ts';

const SHOWN = 4;
const PAIRS_SHOWN = 2;

/** A note behind a name; under it on a telephone. */
const noteClasses = 'ms-1 text-muted text-xs max-sm:ms-0 max-sm:block max-sm:whitespace-normal';

/** The window of a bucket: from one number of days to before another; everything before today without a beginning. */
function windowOf(from: number | undefined, before: number) {
  return {
    ...(from !== undefined && { licenseExpiresSince: durationOfDays(from) }),
    licenseExpiresBefore: durationOfDays(before),
    sort: 'nextLicenseExpiresOn',
  };
}

/** Licences by when they end, each number with its list, and those that are next. */
export function Licences({ counts }: { counts: Stats['agents']['licenses'] }) {
  const { t, i18n } = useLingui();
  const { expired, next30Days, next60Days, next90Days } = counts;
  const all = expired + next90Days;
  const { data } = useQuery({
    ...rosterQuery('agents', 'list', {
      licenseExpiresBefore: durationOfDays(91),
      sort: 'nextLicenseExpiresOn',
      status: 'active',
      expand: ['office'],
      limit: SHOWN,
    }),
    enabled: all > 0,
  });
  if (all === 0) return null;
  const buckets = [
    { label: t`Expired`, count: expired, tone: 'text-danger', search: windowOf(undefined, 0) },
    { label: t`Within 30 days`, count: next30Days, tone: 'text-soon', search: windowOf(0, 31) },
    { label: t`31 to 60 days`, count: next60Days - next30Days, tone: '', search: windowOf(31, 61) },
    { label: t`61 to 90 days`, count: next90Days - next60Days, tone: '', search: windowOf(61, 91) },
  ];
  return (
    <Section
      title={t`Licences to renew`}
      end={<AllLink to="/agents" search={windowOf(undefined, 91)} count={all} />}
    >
      <div className={groupClasses}>
        <ul className="grid grid-cols-2 sm:grid-cols-4">
          {buckets.map(({ label, count, tone, search }) => (
            <li
              key={label}
              className="border-line-soft border-s first:border-s-0 max-sm:nth-[n+3]:border-t max-sm:odd:border-s-0"
            >
              <Link to="/agents" search={search} className="grid px-3 py-2.5 hover:bg-hover">
                <span className={`font-semibold text-xl tabular-nums ${count > 0 ? tone : 'text-muted'}`}>
                  {i18n.number(count)}
                </span>
                <span className="text-muted text-xs">{label}</span>
              </Link>
            </li>
          ))}
        </ul>
        <ul className="border-line border-t">
          {data?.items.map((agent) => (
            <li key={agent.id} className={lineClasses}>
              <Avatar name={agent.displayName} id={agent.id} size={20} />
              <span className="min-w-0 truncate">
                <Link to="/agents/$id" params={{ id: agent.id }} className="font-medium hover:underline">
                  {agent.displayName}
                </Link>{' '}
                <span className={noteClasses}>{agent.office?.name}</span>
              </span>
              <span className="ms-auto whitespace-nowrap text-muted tabular-nums">
                {agent.licenses.find(({ expiresOn }) => expiresOn === agent.nextLicenseExpiresOn)?.number}
              </span>
              {agent.nextLicenseExpiresOn !== null && (
                <span
                  className={`w-22 whitespace-nowrap text-end ${daysUntil(agent.nextLicenseExpiresOn) < 0 ? 'text-danger' : 'text-soon'}`}
                >
                  <NearDay day={agent.nextLicenseExpiresOn} />
                </span>
              )}
            </li>
          ))}
        </ul>
      </div>
    </Section>
  );
}

export function PossibleDuplicates({ resource }: { resource: ResourceName }) {
  const { t, i18n } = useLingui();
  const { data } = useQuery(topPairsQuery(resource, PAIRS_SHOWN));
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Section
      title={t`Possible duplicates`}
      note={data.total}
      end={<AllLink to={`/duplicates/${resource}`} count={data.total} />}
    >
      <ul className={groupClasses}>
        {data.items.map((pair) => {
          const [id, otherId] = idsOf(pair);
          const [first = '', second = ''] = pair.records.map(nameOf);
          return (
            <li key={pair.id} className={`${lineClasses} min-h-11! pe-2!`}>
              <span className="min-w-0 truncate">
                <Trans>
                  <b className="font-medium">{first}</b> <span className="text-muted">and</span>{' '}
                  <b className="font-medium">{second}</b>
                </Trans>{' '}
                <span className={noteClasses}>{sameTexts({ i18n, resource }, pair.reasons)}</span>
              </span>
              <Link
                to={`/duplicates/${resource}/$id/$otherId`}
                params={{ id, otherId }}
                className={`${buttonClasses('secondary', 'small')} ms-auto`}
              >
                <Trans>Compare</Trans>
              </Link>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

export function ImportsWithErrors() {
  const { t, i18n } = useLingui();
  const { data } = useQuery(rosterQuery('imports', 'list', { limit: 20 }));
  const failed = data?.items.filter(({ errors, undoneBy }) => errors > 0 && undoneBy === null) ?? [];
  if (failed.length === 0) return null;
  return (
    <Section title={t`Imports with errors`} note={failed.length}>
      <ul className={groupClasses}>
        {failed.slice(0, 3).map(({ id, name, errors, created, updated, createdAt }) => (
          <li key={id} className={`${lineClasses} min-h-11! pe-2!`}>
            <FileUp aria-hidden className="size-4 shrink-0 text-muted" />
            <span className="min-w-0 truncate">
              <Link to="/imports/$id" params={{ id }} className="font-medium hover:underline">
                {name ?? t`Without a name`}
              </Link>{' '}
              <span className={noteClasses}>
                <Plural value={created + updated} one="# row imported" other="# rows imported" />,{' '}
                <Trans>{i18n.number(errors)} not.</Trans> <RelativeTime time={createdAt} isStop={false} />
              </span>
            </span>
            <Link
              to="/imports/$id"
              params={{ id }}
              className={`${buttonClasses('secondary', 'small')} ms-auto`}
            >
              <Plural value={errors} one="Correct # row" other="Correct # rows" />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
