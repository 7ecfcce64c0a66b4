import { Trans, useLingui } from '@lingui/react/macro';
import type { Stats } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { roster } from '../../../../api/client.ts';
import { BarTree } from '../bar-tree.tsx';
import { type TreeItem, treeOf } from '../tree.ts';

type Agents = Stats['agents'];

const LEVELS_MAX = 5;
const IDS_MAX = 200;

interface Place {
  id: string;
  name: string;
  mainOfficeId: string | null;
}

async function readPlaces(ids: readonly string[], signal: AbortSignal): Promise<Place[]> {
  const places = new Map<string, Place>();
  let wanted = [...ids];
  for (let level = 0; wanted.length > 0 && level < LEVELS_MAX; level += 1) {
    const { items } = await roster.offices.list.query(
      { ids: wanted.slice(0, IDS_MAX), limit: IDS_MAX },
      { signal },
    );
    for (const { id, name, mainOfficeId } of items) places.set(id, { id, name, mainOfficeId });
    const above = items.flatMap(({ mainOfficeId }) => mainOfficeId ?? []);
    wanted = [...new Set(above)].filter((id) => !places.has(id));
  }
  return [...places.values()];
}

export function AgentsByOffice({
  byOffice,
  withoutOffice,
  isCut,
}: Pick<Agents, 'byOffice' | 'withoutOffice'> & {
  isCut: boolean;
}) {
  const { t, i18n } = useLingui();
  const count = byOffice.length;
  const ids = byOffice.map(({ officeId }) => officeId);
  const { data: places = [] } = useQuery({
    queryKey: ['offices', 'tree', { ids }],
    queryFn: ({ signal }) => readPlaces(ids, signal),
    staleTime: 300_000,
  });
  const counts = new Map(byOffice.map(({ officeId, active }) => [officeId, active]));
  const placed = new Map(places.map((place) => [place.id, place]));
  const known = byOffice.map(({ officeId, name }): Place => ({ id: officeId, name, mainOfficeId: null }));
  const items = [...places, ...known.filter(({ id }) => !placed.has(id))].map(
    ({ id, name, mainOfficeId }): TreeItem => ({
      id,
      label: name,
      own: counts.get(id) ?? 0,
      parentId: mainOfficeId,
    }),
  );
  return (
    <BarTree
      title={t`Active agents by office`}
      columns={[t`Office, with its branches`, t`Agents`]}
      nodes={treeOf(items)}
      note={
        (isCut || withoutOffice > 0) && (
          <>
            {isCut && (
              <Trans>
                The {i18n.number(count)} offices with the most agents, and their main offices.{' '}
                <Link to="/offices" className="text-accent underline">
                  All offices
                </Link>
              </Trans>
            )}{' '}
            {withoutOffice > 0 && (
              <Link to="/agents" search={{ empty: 'officeId' }} className="text-accent underline">
                <Trans>Agents without an office: {i18n.number(withoutOffice)}</Trans>
              </Link>
            )}
          </>
        )
      }
      link={({ id }, content) => (
        <Link
          to="/agents"
          search={{ officeId: id, status: 'active' }}
          className="text-accent hover:underline"
        >
          {content}
        </Link>
      )}
    />
  );
}

export function AgentsByRegion({ byRegion }: Pick<Agents, 'byRegion'>) {
  const { t, i18n } = useLingui();
  const countries = new Intl.DisplayNames([i18n.locale], { type: 'region' });
  const countryName = (country: string | null) =>
    country === null ? t`No country` : (countries.of(country) ?? country);
  const items = [...new Set(byRegion.map(({ country }) => country))].map(
    (country): TreeItem => ({ id: `${country}`, label: countryName(country), own: 0, parentId: null }),
  );
  const regions = byRegion.map(
    ({ country, region, active }): TreeItem => ({
      id: `${country}/${region}`,
      label: region === null ? t`No region` : t`Region ${region}`,
      own: active,
      parentId: `${country}`,
    }),
  );
  const searchOf = (id: string) => {
    const [country, region] = id.split('/');
    if (country === 'null') return { empty: 'address', status: 'active' };
    return { country, status: 'active', ...(region !== undefined && region !== 'null' && { region }) };
  };
  return (
    <BarTree
      title={t`Active agents by region`}
      columns={[t`Country and region`, t`Agents`]}
      nodes={treeOf([...items, ...regions])}
      link={({ id }, content) => (
        <Link to="/agents" search={searchOf(id)} className="text-accent hover:underline">
          {content}
        </Link>
      )}
    />
  );
}
