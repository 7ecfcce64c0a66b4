import { Trans, useLingui } from '@lingui/react/macro';
import { RosterError, type Stats } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRights } from '../../api/caller.ts';
import { rosterQuery } from '../../api/client.ts';
import { ArrowDown } from '../../icons.tsx';
import { AllLink } from '../../ui/all-link.tsx';
import { Callout } from '../../ui/badge.tsx';
import { ErrorBox } from '../../ui/error-text.tsx';
import { groupClasses, Loading, Page, Section, scrollable } from '../../ui/page.tsx';
import { useTimeZone } from '../../ui/time.tsx';
import { ReferenceLink } from '../record/reference-link.tsx';
import { FirstSteps } from './first-steps.tsx';
import { ImportsWithErrors, Licences, PossibleDuplicates } from './needs.tsx';
import { RecentActivity } from './recent.tsx';
import { ScheduledThisWeek } from './week.tsx';

const OFFICES_MAX = 5;
const COUNTING_MS = 5_000;
const REFRESH_MS = 60_000;

const isCounting = (error: unknown) => error instanceof RosterError && error.code === 'unavailable';

const numberCell = 'px-3 text-end tabular-nums';

/** The largest offices, with who leads each and what needs someone there. */
function Offices({ stats: { agents, offices } }: { stats: Stats }) {
  const { t, i18n } = useLingui();
  const ids = agents.byOffice.map(({ officeId }) => officeId);
  const { data } = useQuery({
    ...rosterQuery('offices', 'list', { ids, limit: OFFICES_MAX }),
    enabled: ids.length > 0,
  });
  const known = new Map(data?.items.map((office) => [office.id, office]));
  if (ids.length === 0) return null;
  return (
    <Section
      title={t`Offices`}
      note={i18n.number(offices.active)}
      end={<AllLink to="/offices" label={t`All offices`} />}
    >
      <div className={`${groupClasses} overflow-x-auto`} {...scrollable}>
        <table className="w-full text-sm">
          <thead className="bg-sunken text-muted text-xs">
            <tr className="h-8 *:whitespace-nowrap *:px-3 *:font-medium">
              <th scope="col" className="w-62 text-start">
                <Trans>Office</Trans>
              </th>
              <th scope="col" className="w-34 text-start">
                <Trans>City</Trans>
              </th>
              <th scope="col" className="text-start">
                <Trans context="person">Manager</Trans>
              </th>
              <th scope="col" className="w-28 text-end text-text" aria-sort="descending">
                <Trans>Agents</Trans> <ArrowDown aria-hidden className="inline size-3" />
              </th>
              <th scope="col" className="w-32 text-end">
                <Trans>Last 30 days</Trans>
              </th>
              <th scope="col" className="w-34 text-end">
                <Trans>Licences to renew</Trans>
              </th>
              <th scope="col" className="w-28 text-end">
                <Trans>Expired</Trans>
              </th>
            </tr>
          </thead>
          <tbody>
            {agents.byOffice.map((office) => {
              const { officeId, name, active, joined30Days, licensesNext60Days, licensesExpired } = office;
              const { address, managerAgentId = null } = known.get(officeId) ?? {};
              return (
                <tr key={officeId} className="h-10 border-line-soft border-t first:border-line">
                  <td className="max-w-60 truncate px-3">
                    <Link to="/offices/$id" params={{ id: officeId }} className="font-medium hover:underline">
                      {name}
                    </Link>
                  </td>
                  <td className="px-3">{address?.city}</td>
                  <td className="max-w-60 truncate px-3">
                    {managerAgentId !== null && <ReferenceLink resource="agents" id={managerAgentId} />}
                  </td>
                  <td className={numberCell}>{i18n.number(active)}</td>
                  <td className={`${numberCell} text-muted`}>
                    {joined30Days > 0 ? `+${i18n.number(joined30Days)}` : 0}
                  </td>
                  <td className={`${numberCell} ${licensesNext60Days > 0 ? 'text-soon' : 'text-muted'}`}>
                    {i18n.number(licensesNext60Days)}
                  </td>
                  <td className={`${numberCell} ${licensesExpired > 0 ? 'text-danger' : 'text-muted'}`}>
                    {i18n.number(licensesExpired)}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

const isEmpty = ({ agents, offices }: Stats) =>
  agents.active + agents.inactive + offices.active + offices.inactive === 0;

function Parts({ stats }: { stats: Stats }) {
  const { can, canManage } = useRights();
  if (isEmpty(stats)) return <FirstSteps />;
  return (
    <>
      <div className="grid gap-x-10 gap-y-5 xl:grid-cols-[minmax(0,1fr)_25rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <Licences counts={stats.agents.licenses} />
          <PossibleDuplicates resource="agents" />
          {canManage('agents:write') && <ImportsWithErrors />}
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <ScheduledThisWeek />
          {can('events:read') && <RecentActivity />}
        </div>
      </div>
      <div className="pt-2">
        <Offices stats={stats} />
      </div>
    </>
  );
}

export function HomePage() {
  const { t, i18n } = useLingui();
  const timeZone = useTimeZone();
  const { data, error, refetch } = useQuery({
    ...rosterQuery('stats', 'get', { officesMax: OFFICES_MAX }),
    refetchInterval: ({ state }) => (isCounting(state.error) ? COUNTING_MS : REFRESH_MS),
  });
  const today = i18n.date(new Date(), {
    weekday: 'long',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone,
  });
  return (
    <Page title={t`Home`} count={data === undefined || isEmpty(data) ? undefined : today} width="full">
      {data !== undefined && <Parts stats={data} />}
      {data === undefined && isCounting(error) && (
        <Callout title={t`Counting records`}>
          <Trans>The numbers appear when the first count is complete.</Trans>
        </Callout>
      )}
      {data === undefined && error !== null && !isCounting(error) && (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Loading />}
    </Page>
  );
}
