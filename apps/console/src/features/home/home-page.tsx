import { Trans, useLingui } from '@lingui/react/macro';
import { RosterError, type Stats } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRights } from '../../api/caller.ts';
import { rosterQuery } from '../../api/client.ts';
import { Building2, FileUp, type Icon } from '../../icons.tsx';
import { Callout } from '../../ui/badge.tsx';
import { buttonClasses } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-text.tsx';
import { Loading, Page } from '../../ui/page.tsx';
import { useTimeZone } from '../../ui/time.tsx';
import { AddSamples } from '../directory/samples/add-samples.tsx';
import { ImportsWithErrors, Licences, PossibleDuplicates } from './needs.tsx';
import { RecentActivity } from './recent.tsx';
import { groupClasses, Section } from './section.tsx';
import { ScheduledThisWeek } from './week.tsx';

const OFFICES_MAX = 8;
const COUNTING_MS = 5_000;
const REFRESH_MS = 60_000;

const isCounting = (error: unknown) => error instanceof RosterError && error.code === 'unavailable';

/** The largest offices, with a bar for the number of agents. */
function Offices({ stats: { agents, offices } }: { stats: Stats }) {
  const { t, i18n } = useLingui();
  const max = Math.max(1, ...agents.byOffice.map(({ active }) => active));
  return (
    <Section
      title={t`Offices`}
      count={i18n.number(offices.active)}
      all={
        <Link to="/offices" className={buttonClasses('quiet', 'small')}>
          <Trans>All offices</Trans>
        </Link>
      }
    >
      <div className={groupClasses}>
        <table className="w-full text-sm">
          <thead className="bg-canvas text-muted text-xs">
            <tr className="h-8 text-start">
              <th scope="col" className="px-3 text-start font-normal">
                <Trans>Office</Trans>
              </th>
              <th scope="col" className="px-3 text-start font-normal">
                <Trans>Active agents</Trans>
              </th>
              <th scope="col" className="px-3 text-end font-normal">
                <Trans>Inactive</Trans>
              </th>
            </tr>
          </thead>
          <tbody>
            {agents.byOffice.map(({ officeId, name, active, inactive }) => (
              <tr key={officeId} className="h-10 border-line border-t">
                <td className="max-w-60 truncate px-3">
                  <Link to="/offices/$id" params={{ id: officeId }} className="font-medium hover:underline">
                    {name}
                  </Link>
                </td>
                <td className="w-1/2 px-3">
                  <span className="flex items-center gap-2">
                    <span
                      aria-hidden
                      className="h-2 rounded-e-xs bg-accent forced-color-adjust-none"
                      style={{ width: `${(80 * active) / max}%` }}
                    />
                    <span className="tabular-nums">{i18n.number(active)}</span>
                  </span>
                </td>
                <td className="px-3 text-end text-muted tabular-nums">{i18n.number(inactive)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

function Card({ icon: CardIcon, title, children }: { icon: Icon; title: string; children: ReactNode }) {
  return (
    <li className="flex flex-col items-start gap-2 rounded-lg border border-line bg-surface p-4">
      <CardIcon aria-hidden className="size-5 text-accent" />
      <h2 className="font-semibold text-md">{title}</h2>
      {children}
    </li>
  );
}

/** A directory without records: what to begin with. */
function FirstSteps() {
  const { t } = useLingui();
  const { canManage } = useRights();
  return (
    <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
      {canManage('offices:write') && (
        <Card icon={FileUp} title={t`Import a file`}>
          <p className="text-muted text-sm">
            <Trans>A spreadsheet of offices, then one of agents. You see what would change first.</Trans>
          </p>
          <Link to="/imports" className={buttonClasses('primary')}>
            <Trans>Import a file</Trans>
          </Link>
        </Card>
      )}
      {canManage('offices:write') && (
        <Card icon={Building2} title={t`Create an office`}>
          <p className="text-muted text-sm">
            <Trans>Offices first: agents and teams belong to them.</Trans>
          </p>
          <Link to="/offices" className={buttonClasses('secondary')}>
            <Trans>Go to offices</Trans>
          </Link>
        </Card>
      )}
      <li className="flex items-center">
        <AddSamples />
      </li>
    </ul>
  );
}

function Parts({ stats }: { stats: Stats }) {
  const { can, canManage } = useRights();
  const { agents, offices } = stats;
  if (agents.active + agents.inactive + offices.active + offices.inactive === 0) return <FirstSteps />;
  return (
    <>
      <div className="grid gap-10 xl:grid-cols-[minmax(0,1fr)_25rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <Licences counts={agents.licenses} />
          <PossibleDuplicates resource="agents" />
          {canManage('agents:write') && <ImportsWithErrors />}
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <ScheduledThisWeek />
          {can('events:read') && <RecentActivity />}
        </div>
      </div>
      <Offices stats={stats} />
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
  return (
    <Page
      title={t`Home`}
      count={i18n.date(new Date(), {
        weekday: 'long',
        day: 'numeric',
        month: 'short',
        year: 'numeric',
        timeZone,
      })}
      width="full"
    >
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
