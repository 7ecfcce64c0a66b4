import { Trans, useLingui } from '@lingui/react/macro';
import { RosterError, type Stats } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { rosterQuery } from '../../../api/client.ts';
import { Callout } from '../../../ui/badge.tsx';
import { firstValue, useViewState } from '../../../ui/browser/view-state.ts';
import { ErrorBox } from '../../../ui/error-text.tsx';
import { SelectField } from '../../../ui/forms/select.tsx';
import { Loading, Page } from '../../../ui/page.tsx';
import { RelativeTime } from '../../../ui/time.tsx';
import { AgentsOverTime, JoiningAndLeaving } from './agents/agents-charts.tsx';
import { AgentsByOffice, AgentsByRegion } from './agents/organisation.tsx';
import { ExpiringLicences } from './licences.tsx';
import { monthsUntil } from './series.ts';

const OFFICES_MAX = 100;
const MONTHS = [12, 24, 60];
const COUNTING_MS = 5_000;
const REFRESH_MS = 60_000;

const isCounting = (error: unknown) => error instanceof RosterError && error.code === 'unavailable';

function Tile({ label, value, children }: { label: string; value: number; children: ReactNode }) {
  const { i18n } = useLingui();
  return (
    <div className="rounded-lg border border-line p-4">
      <dt className="text-muted text-sm">{label}</dt>
      <dd>
        <span className="font-semibold text-2xl tabular-nums">{i18n.number(value)}</span>
        <span className="block text-sm">{children}</span>
      </dd>
    </div>
  );
}

function Tiles({ stats: { agents, offices } }: { stats: Stats }) {
  const { t, i18n } = useLingui();
  const linked = 'text-accent hover:underline';
  return (
    <dl className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <Tile label={t`Active agents`} value={agents.active}>
        <Link to="/agents" search={{ status: 'inactive' }} className={linked}>
          <Trans>{i18n.number(agents.inactive)} inactive</Trans>
        </Link>
      </Tile>
      <Tile label={t`Active offices`} value={offices.active}>
        <Link to="/offices" search={{ status: 'inactive' }} className={linked}>
          <Trans>{i18n.number(offices.inactive)} inactive</Trans>
        </Link>
      </Tile>
      <Tile label={t`Agents without an office`} value={agents.withoutOffice}>
        <Link to="/agents" search={{ empty: 'officeId' }} className={linked}>
          <Trans>View</Trans>
        </Link>
      </Tile>
      <Tile label={t`Expired licences of agents`} value={agents.licenses.expired}>
        <Link to="/agents" search={{ sort: 'nextLicenseExpiresOn' }} className={linked}>
          <Trans>View agents by licence</Trans>
        </Link>
      </Tile>
    </dl>
  );
}

const hasLicences = (counts: Stats['agents']['licenses']) => Object.values(counts).some((count) => count > 0);

/** Whether agents have joined or left in more than one month: before that, a chart over time is a single step. */
const hasHistory = ({ agents }: Stats) => agents.byMonth.length > 1;

function Charts({ stats, count }: { stats: Stats; count: number }) {
  const { t } = useLingui();
  const { agents, offices, asOf } = stats;
  // A chart of nothing says less than its absence.
  const hasAgents = agents.active + agents.inactive > 0;
  const points = monthsUntil(agents.byMonth, { total: agents.active, day: asOf, count });
  return (
    <>
      <Tiles stats={stats} />
      <div className="grid gap-4 xl:grid-cols-2">
        {hasHistory(stats) && (
          <>
            <AgentsOverTime points={points} />
            <JoiningAndLeaving points={points} />
          </>
        )}
        {hasAgents && (
          <>
            <AgentsByOffice
              byOffice={agents.byOffice}
              withoutOffice={agents.withoutOffice}
              isCut={agents.byOffice.length >= OFFICES_MAX}
            />
            <AgentsByRegion byRegion={agents.byRegion} />
          </>
        )}
        {hasLicences(agents.licenses) && (
          <ExpiringLicences title={t`Licences of agents`} resource="agents" licences={agents.licenses} />
        )}
        {hasLicences(offices.licenses) && (
          <ExpiringLicences title={t`Licences of offices`} resource="offices" licences={offices.licenses} />
        )}
      </div>
    </>
  );
}

export function OverviewPage() {
  const { t } = useLingui();
  const [search, change] = useViewState();
  const wanted = Number(firstValue(search.months));
  const count = MONTHS.includes(wanted) ? wanted : 12;
  const { data, error, refetch } = useQuery({
    ...rosterQuery('stats', 'get', { officesMax: OFFICES_MAX }),
    refetchInterval: ({ state }) => (isCounting(state.error) ? COUNTING_MS : REFRESH_MS),
  });
  return (
    <Page
      title={t`Overview`}
      intro={
        data !== undefined && (
          <Trans>
            Updated <RelativeTime time={data.asOf} />
          </Trans>
        )
      }
      width="full"
      actions={
        data !== undefined &&
        hasHistory(data) && (
          <SelectField
            label={t`Months`}
            value={count}
            onChange={(chosen) => change({ months: chosen === 12 ? undefined : String(chosen) })}
            options={MONTHS.map((one) => [one, String(one)])}
          />
        )
      }
    >
      {data !== undefined && <Charts stats={data} count={count} />}
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
