import { Trans, useLingui } from '@lingui/react/macro';
import { RosterError, type Stats } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRights } from '../../api/caller.ts';
import { rosterQuery } from '../../api/client.ts';
import { ArrowDown } from '../../icons.tsx';
import { Callout } from '../../ui/badge.tsx';
import { buttonClasses, linkClasses } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-text.tsx';
import { groupClasses, Loading, Page, Section, scrollable } from '../../ui/page.tsx';
import { useTimeZone } from '../../ui/time.tsx';
import { AddSamples, useMayAddSamples } from '../directory/samples/add-samples.tsx';
import { ReferenceLink } from '../record/reference-link.tsx';
import { AllLink } from './all-link.tsx';
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
              {[t`Office`, t`City`, t({ message: 'Manager', context: 'person' })].map((heading) => (
                <th key={heading} scope="col" className="text-start">
                  {heading}
                </th>
              ))}
              <th scope="col" className="text-end text-text" aria-sort="descending">
                <Trans>Agents</Trans> <ArrowDown aria-hidden className="inline size-3.5" />
              </th>
              {[t`Last 30 days`, t`Licences to renew`, t`Expired`].map((heading) => (
                <th key={heading} scope="col" className="text-end">
                  {heading}
                </th>
              ))}
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
                  <td className="px-3 text-muted">{address?.city}</td>
                  <td className="max-w-60 truncate px-3">
                    {managerAgentId !== null && <ReferenceLink resource="agents" id={managerAgentId} />}
                  </td>
                  <td className={`${numberCell} font-medium`}>{i18n.number(active)}</td>
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

/** The subject of a card, drawn with the lines of the page. */
function Drawing({ children }: { children: ReactNode }) {
  return (
    <div className="grid h-32 place-items-center border-line border-b bg-sunken">
      <svg
        aria-hidden
        viewBox="0 0 160 80"
        className="h-20 fill-surface stroke-line-strong [&_.bar]:fill-line-strong [&_.bar]:stroke-none"
      >
        {children}
      </svg>
    </div>
  );
}

const table = (
  <>
    <rect x={1} y={1} width={158} height={78} rx={6} />
    <path d="M1 20.5H159M1 40.5H159M1 59.5H159M54.5 1V79M107.5 1V79" />
    <path
      className="bar"
      d="M10 9h30v4H10zM64 9h26v4H64zM116 9h30v4h-30zM10 28h34v4H10zM64 28h30v4H64zM116 28h20v4h-20zM10 48h26v4H10zM64 48h30v4H64zM116 48h22v4h-22zM10 67h36v4H10zM64 67h26v4H64zM116 67h32v4h-32z"
    />
  </>
);
const buildings = (
  <>
    <rect x={38} y={3} width={56} height={76} rx={6} />
    <rect x={94} y={33} width={30} height={46} rx={4} />
    <path d="M20 79.5H142" />
    <path
      className="bar"
      d="M50 14h10v8H50zM72 14h10v8H72zM50 32h10v8H50zM72 32h10v8H72zM60 64h13v15H60zM104 46h9v7h-9zM104 60h9v7h-9z"
    />
  </>
);
const people = (
  <path
    className="bar"
    d="M20 4a10 10 0 1 0 .1 0zM44 8h74v5H44zM44 18h50v4H44zM20 32a10 10 0 1 0 .1 0zM44 36h90v5H44zM44 46h42v4H44zM20 60a10 10 0 1 0 .1 0zM44 64h62v5H44zM44 74h58v4H44z"
  />
);

function Card({
  drawing,
  title,
  text,
  children,
}: {
  drawing: ReactNode;
  title: string;
  text: ReactNode;
  children: ReactNode;
}) {
  return (
    <li className="flex w-full flex-col overflow-hidden rounded-md border border-line bg-surface sm:w-76">
      <Drawing>{drawing}</Drawing>
      <div className="flex grow flex-col items-start gap-1 p-5">
        <h2 className="font-semibold text-md">{title}</h2>
        <p className="mb-4 grow text-muted text-sm">{text}</p>
        {children}
      </div>
    </li>
  );
}

/** A directory without records: what to begin with, as far as one may. */
function FirstSteps() {
  const { t } = useLingui();
  const { can, canManage } = useRights();
  const mayAdd = useMayAddSamples();
  return (
    <div className="mx-auto flex flex-col items-center gap-8 py-10 sm:py-28">
      <div className="text-center">
        <p className="font-semibold text-2xl">
          <Trans>Set up your directory</Trans>
        </p>
        <p className="text-md text-muted">
          <Trans>Offices come first, then the people who work in them. You can undo every step.</Trans>
        </p>
      </div>
      <ul className="flex flex-wrap justify-center gap-4">
        {canManage('offices:write') && (
          <Card
            drawing={table}
            title={t`Import a file`}
            text={
              <Trans>
                A list from Excel or another system. You see what it creates before anything is saved.
              </Trans>
            }
          >
            <Link to="/imports" className={buttonClasses('primary')}>
              <Trans>Choose a file</Trans>
            </Link>
          </Card>
        )}
        {can('offices:write') && (
          <Card
            drawing={buildings}
            title={t`Create an office`}
            text={<Trans>Enter its name and city. Add its agents next, one by one or from a file.</Trans>}
          >
            <Link to="/offices/new" search={true} className={buttonClasses('secondary')}>
              <Trans>Create an office</Trans>
            </Link>
          </Card>
        )}
        {mayAdd && (
          <Card
            drawing={people}
            title={t`Load samples`}
            text={<Trans>Made-up offices, agents and teams, to try things out. You can undo them.</Trans>}
          >
            <AddSamples />
          </Card>
        )}
      </ul>
      {can('keys:manage') && (
        <p className="text-muted text-sm">
          <Trans>
            Moving from another system?{' '}
            <Link to="/keys" search={{ create: 'true' }} className={linkClasses}>
              Connect it with an API key
            </Link>
          </Trans>
        </p>
      )}
    </div>
  );
}

function Parts({ stats }: { stats: Stats }) {
  const { can, canManage } = useRights();
  const { agents, offices } = stats;
  if (agents.active + agents.inactive + offices.active + offices.inactive === 0) return <FirstSteps />;
  return (
    <>
      <div className="grid gap-x-10 gap-y-5 xl:grid-cols-[minmax(0,1fr)_25rem]">
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
