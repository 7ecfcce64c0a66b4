import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRights } from '../../../api/caller.ts';
import { type ResourceName, resourceNames } from '../../../api/contract/contracts.ts';
import { resources } from '../../../resources/index.ts';
import type { DuplicatePair } from '../../../resources/record.ts';
import { ChoiceFilter, FilterBar, OfficeFilter, OneRecordFilter } from '../../../ui/admin/filters.tsx';
import { useParameter, useViewState } from '../../../ui/browser/view-state.ts';
import { SelectField } from '../../../ui/forms/select.tsx';
import { Page, tabClasses } from '../../../ui/page.tsx';
import { type Column, PagedTable, rowLinkClasses } from '../../../ui/paged-table.tsx';
import { RelativeTime } from '../../../ui/time.tsx';
import { percent, reasonKinds } from '../../fields/reason-labels.ts';
import { idsOf } from '../choices.ts';
import { pairCountQuery, pairFilters, pairSearch, usePairs } from '../pairs.ts';
import { Decision, PairRecord, Reasons, ScoreBadge } from './pair-labels.tsx';

const scores = [0.5, 0.6, 0.7, 0.9, 0.95];
/** The least score of the service, if none is given. */
const SCORE_DEFAULT = 0.8;

function ScoreFilter() {
  const { t, i18n } = useLingui();
  const [value, setValue] = useParameter('minScore');
  const options = [...scores, SCORE_DEFAULT].toSorted((one, other) => one - other);
  return (
    <SelectField
      label={t`Probability`}
      className="w-full max-w-52"
      value={value}
      onChange={(chosen) => setValue(String(chosen))}
      options={options.map((score) => {
        const least = percent(i18n, score);
        return [score === SCORE_DEFAULT ? '' : score, t`at least ${least}`];
      })}
    />
  );
}

function Filters({ resource }: { resource: ResourceName }) {
  const { t } = useLingui();
  const { can } = useRights();
  return (
    <FilterBar names={pairFilters}>
      <ChoiceFilter
        name="state"
        label={msg`State`}
        none={msg`To review`}
        choices={{ dismissed: msg`Not duplicates`, any: msg`All` }}
      />
      <ScoreFilter />
      <ChoiceFilter name="kind" label={msg`In common`} none={msg`Anything`} choices={reasonKinds} />
      {can('offices:read') && <OfficeFilter label={t`Office`} />}
      <OneRecordFilter
        parameter="recordId"
        resource={resource}
        text={(name) => <Trans>Only pairs with {name}</Trans>}
      />
    </FilterBar>
  );
}

function Tabs() {
  const { t } = useLingui();
  const { can } = useRights();
  const readable = resourceNames.filter((name) => can(`${name}:read`));
  if (readable.length < 2) return null;
  return (
    <nav aria-label={t`Records`} className="flex gap-0.5">
      {readable.map((name) => (
        <Link
          key={name}
          to={`/duplicates/${name}`}
          activeOptions={{ includeSearch: false }}
          className={tabClasses}
        >
          {t(resources[name].labels.many)}
        </Link>
      ))}
    </nav>
  );
}

function useColumns(resource: ResourceName): Column<DuplicatePair>[] {
  const { t } = useLingui();
  const [search] = useViewState();
  return [
    {
      id: 'records',
      label: t`Records`,
      cell: (pair) => {
        const [id, otherId] = idsOf(pair);
        return (
          <>
            <Link
              to={`/duplicates/${resource}/$id/$otherId`}
              params={{ id, otherId }}
              search={pairSearch(search)}
              className={rowLinkClasses}
            >
              {pair.records.map((record) => (
                <span key={record.id} className="block not-first:mt-1.5">
                  <PairRecord resource={resource} record={record} />
                </span>
              ))}
            </Link>
            <div className="mt-1 text-xs @lg:hidden">
              <Reasons resource={resource} pair={pair} />
            </div>
            <p className="mt-1 text-xs empty:hidden">
              <Decision pair={pair} />
            </p>
          </>
        );
      },
    },
    {
      id: 'score',
      label: t`Probability`,
      sort: 'score',
      cell: ({ score }) => <ScoreBadge score={score} />,
    },
    {
      id: 'reasons',
      label: t`In common`,
      width: 'medium',
      cell: (pair) => <Reasons resource={resource} pair={pair} />,
    },
    {
      id: 'foundAt',
      label: t({ message: 'Found', context: 'time' }),
      sort: 'foundAt',
      width: 'wide',
      cell: ({ foundAt }) => <RelativeTime time={foundAt} />,
    },
  ];
}

function PairCount({ resource }: { resource: ResourceName }) {
  const [search] = useViewState();
  const { data } = useQuery(pairCountQuery(resource, search));
  return (
    <p role="status" className="min-h-5 text-muted text-sm">
      {data?.total !== undefined && data.total > 0 && (
        <Plural value={data.total} one="# pair" other="# pairs" />
      )}
    </p>
  );
}

export function DuplicatesPage({ resource }: { resource: ResourceName }) {
  const { t } = useLingui();
  const [search] = useViewState();
  const pages = usePairs(resource, search);
  const title = t`Duplicates`;
  return (
    <Page
      title={title}
      width="table"
      intro={<Trans>Possible duplicates. Review each pair, then merge it or keep both.</Trans>}
    >
      <Tabs />
      <Filters resource={resource} />
      <div className="flex flex-col gap-2">
        <PairCount resource={resource} />
        <PagedTable
          label={title}
          pages={pages}
          columns={useColumns(resource)}
          defaultSort="-score"
          empty={<Trans>No possible duplicates</Trans>}
        />
      </div>
    </Page>
  );
}
