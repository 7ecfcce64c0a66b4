import type { MessageDescriptor } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRights } from '../../../api/caller.ts';
import { type ResourceName, resourceNames } from '../../../api/contract/contracts.ts';
import type { Pages } from '../../../api/use-pages.ts';
import { ListFilter } from '../../../icons.tsx';
import { resources } from '../../../resources/index.ts';
import type { DuplicatePair } from '../../../resources/record.ts';
import { ChoiceFilter, FilterBar, OfficeFilter, OneRecordFilter } from '../../../ui/admin/filters.tsx';
import { firstValue, useParameter, useViewState } from '../../../ui/browser/view-state.ts';
import { Button, buttonClasses } from '../../../ui/button.tsx';
import { ErrorBox } from '../../../ui/error-text.tsx';
import { SelectField } from '../../../ui/forms/select.tsx';
import { LoadMore } from '../../../ui/load-more.tsx';
import { groupClasses, Loading, Page, Section, tabClasses } from '../../../ui/page.tsx';
import { Popover } from '../../../ui/popups/popover.tsx';
import { percent, reasonKinds } from '../../fields/reason-labels.ts';
import { idsOf } from '../choices.ts';
import { pairCountQuery, pairFilters, pairSearch, usePairs } from '../pairs.ts';
import { Decided } from './decided.tsx';
import { DismissDialog } from './dismiss-dialog.tsx';
import { Decision, PairRecord, Reasons, Score } from './pair-labels.tsx';
import { useDismissal } from './use-decisions.tsx';

const scores = [0.5, 0.6, 0.7, 0.9, 0.95];
/** The least score of the service, if none is given. */
const SCORE_DEFAULT = 0.8;

/** The states of pairs that are chosen; those to decide are listed unless one is. */
const states: Readonly<Record<string, MessageDescriptor>> = {
  dismissed: msg`Not duplicates`,
  any: msg`All`,
};

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

/** The filters of the pairs, and their order. */
function Filters() {
  const { t } = useLingui();
  const { can } = useRights();
  return (
    <FilterBar names={pairFilters}>
      <ChoiceFilter name="state" label={msg`State`} none={msg`To review`} choices={states} />
      <ScoreFilter />
      <ChoiceFilter name="kind" label={msg`In common`} none={msg`Anything`} choices={reasonKinds} />
      {can('offices:read') && <OfficeFilter label={t`Office`} />}
      <ChoiceFilter
        name="sort"
        label={msg`Order`}
        none={msg`Most likely first`}
        choices={{ '-foundAt': msg`Newest first` }}
      />
    </FilterBar>
  );
}

/** The filters in a popover, whose button says how many are set. */
function FilterButton() {
  const { t } = useLingui();
  const [search] = useViewState();
  const count = pairFilters.filter((name) => (firstValue(search[name]) ?? '') !== '').length;
  const label = count === 0 ? t`Filter` : t`${plural(count, { one: '# filter', other: '# filters' })}`;
  return (
    <Popover
      label={label}
      trigger={
        <>
          <ListFilter aria-hidden />
          {label}
        </>
      }
    >
      {() => <Filters />}
    </Popover>
  );
}

function Tab({ resource }: { resource: ResourceName }) {
  const { t, i18n } = useLingui();
  const { data } = useQuery(pairCountQuery(resource, {}));
  return (
    <Link to={`/duplicates/${resource}`} activeOptions={{ includeSearch: false }} className={tabClasses}>
      {t(resources[resource].labels.many)}
      {data?.total !== undefined && (
        <span className="font-normal tabular-nums">{i18n.number(data.total)}</span>
      )}
    </Link>
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
        <Tab key={name} resource={name} />
      ))}
    </nav>
  );
}

interface PairRowProps {
  resource: ResourceName;
  pair: DuplicatePair;
  onDismiss: () => void;
}

function PairRow({ resource, pair, onDismiss }: PairRowProps) {
  const { can } = useRights();
  const [search] = useViewState();
  const [id, otherId] = idsOf(pair);
  return (
    <li className="grid items-center gap-x-6 gap-y-3 border-line-soft border-t p-4 text-sm first:border-t-0 @4xl:grid-cols-[minmax(0,1fr)_3rem_minmax(0,22rem)_auto]">
      <div className="grid min-w-0 gap-2">
        {pair.records.map((record) => (
          <PairRecord key={record.id} resource={resource} record={record} />
        ))}
      </div>
      <span className="text-muted">
        <Score score={pair.score} />
      </span>
      <div className="min-w-0">
        <Reasons resource={resource} pair={pair} />
        <p className="mt-1 text-xs empty:hidden">
          <Decision pair={pair} />
        </p>
      </div>
      <div className="flex justify-end gap-2">
        {can(`${resource}:write`) && pair.dismissedAt === null && (
          <Button look="quiet" onClick={onDismiss}>
            <Trans>Not the same</Trans>
          </Button>
        )}
        <Link
          to={`/duplicates/${resource}/$id/$otherId`}
          params={{ id, otherId }}
          search={pairSearch(search)}
          className={buttonClasses()}
        >
          <Trans>Compare</Trans>
        </Link>
      </div>
    </li>
  );
}

function Pairs({ resource, pages }: { resource: ResourceName; pages: Pages<DuplicatePair> }) {
  const { rows, error } = pages;
  const [dismissed, setDismissed] = useState<DuplicatePair>();
  const close = async () => setDismissed(undefined);
  const dismissal = useDismissal(resource, close);
  if (rows === undefined)
    return error === null ? <Loading /> : <ErrorBox error={error} onRetry={pages.retry} />;
  return (
    <>
      {error !== null && <ErrorBox error={error} onRetry={pages.retry} />}
      {rows.length === 0 ? (
        <p className="text-muted text-sm">
          <Trans>No possible duplicates</Trans>
        </p>
      ) : (
        <ol className={groupClasses}>
          {rows.map((pair) => (
            <PairRow key={pair.id} resource={resource} pair={pair} onDismiss={() => setDismissed(pair)} />
          ))}
        </ol>
      )}
      <LoadMore pages={pages} />
      {dismissed !== undefined && <DismissDialog pair={dismissed} dismissal={dismissal} onClose={close} />}
    </>
  );
}

/** The pairs to decide, the likeliest first, and what was decided lately. */
export function DuplicatesPage({ resource }: { resource: ResourceName }) {
  const { t, i18n } = useLingui();
  const [search] = useViewState();
  const { data } = useQuery(pairCountQuery(resource, search));
  const state = firstValue(search.state) ?? '';
  const order = firstValue(search.sort) === '-foundAt' ? t`Newest first` : t`Most likely first`;
  return (
    <Page
      title={t`Duplicates`}
      count={data?.total !== undefined && i18n.number(data.total)}
      tabs={<Tabs />}
      actions={<FilterButton />}
      width="table"
    >
      <div className="@container flex flex-col gap-6">
        <Section title={t(states[state] ?? msg`To decide`)} note={order}>
          <OneRecordFilter
            parameter="recordId"
            resource={resource}
            text={(name) => <Trans>Only pairs with {name}</Trans>}
          />
          <Pairs resource={resource} pages={usePairs(resource, search)} />
        </Section>
        {state === '' && <Decided resource={resource} />}
      </div>
    </Page>
  );
}
