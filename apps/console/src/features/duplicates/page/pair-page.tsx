import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { RosterError } from '@roster/client';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useRights } from '../../../api/caller.ts';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { type DuplicatePair, nameOf } from '../../../resources/record.ts';
import { recordQuery, rereadIfChanged } from '../../../resources/record-calls.ts';
import { Callout } from '../../../ui/badge.tsx';
import { useShortcuts } from '../../../ui/browser/shortcuts.ts';
import { useViewState } from '../../../ui/browser/view-state.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorBox } from '../../../ui/error-text.tsx';
import { Page } from '../../../ui/page.tsx';
import { PlaceArrows } from '../../../ui/place-arrows.tsx';
import { TaskLayout } from '../../../ui/task-layout.tsx';
import { pathLabels } from '../../fields/field-labels.ts';
import { ReferenceLink } from '../../record/reference-link.tsx';
import {
  type Choices,
  changedSince,
  defaultSurvivor,
  otherSide,
  type PairIds,
  type Side,
  type Two,
} from '../choices.ts';
import { pairQuery, pairSearch } from '../pairs.ts';
import { FieldChoices, letterOf } from './choice-fields.tsx';
import { DismissDialog } from './dismiss-dialog.tsx';
import { MergePreview, WhatHappens } from './merge-preview.tsx';
import { Decision, Reasons, Score } from './pair-labels.tsx';
import { useDismissal, useMergeOfTwo, useNextPair, useReopening } from './use-decisions.tsx';

/** The way back to the list, before the names of the two. */
function ListLink({ resource }: { resource: ResourceName }) {
  const { t } = useLingui();
  const [search] = useViewState();
  return (
    <Link to={`/duplicates/${resource}`} search={pairSearch(search)} className="hover:text-text">
      {t`Duplicates`}
    </Link>
  );
}

function Gone({ resource, error }: { resource: ResourceName; error: Error }) {
  const mergedInto = error instanceof RosterError ? error.mergedInto : undefined;
  if (mergedInto === undefined) return <ErrorBox error={error} />;
  return (
    <Callout title={<Trans>One of these records has been merged</Trans>}>
      <p>
        <Trans>
          The record is now part of <ReferenceLink resource={resource} id={mergedInto} />.
        </Trans>
      </p>
    </Callout>
  );
}

function Findings({ resource, pair }: { resource: ResourceName; pair: DuplicatePair | null }) {
  const { can } = useRights();
  const reopening = useReopening(resource);
  if (pair === null)
    return (
      <p className="text-muted text-sm">
        <Trans>The records have nothing in common.</Trans>
      </p>
    );
  return (
    <>
      <section aria-labelledby="why" className="flex flex-col gap-2">
        <h2 id="why" className="font-semibold text-md">
          <Trans>Why these may be the same</Trans>
        </h2>
        <p className="flex items-baseline gap-2 text-muted">
          <b className="font-semibold text-text text-xl">
            <Score score={pair.score} />
          </b>
          <Trans>likely the same</Trans>
        </p>
        <Reasons resource={resource} pair={pair} />
      </section>
      {pair.dismissedAt !== null && (
        <Callout title={<Decision pair={pair} />}>
          {can(`${resource}:write`) && (
            <Button className="mt-2" disabled={reopening.isPending} onClick={() => reopening.mutate(pair)}>
              <Trans>Undo</Trans>
            </Button>
          )}
          {reopening.isError && <ErrorBox error={reopening.error} />}
        </Callout>
      )}
    </>
  );
}

function ChangedMeanwhile({ resource, seen, now }: { resource: ResourceName; seen: Two; now: Two }) {
  const { i18n } = useLingui();
  const changed = ([0, 1] as const).filter((side) => seen[side].version !== now[side].version);
  return (
    <Callout tone="warning" title={<Trans>Changed since by someone else</Trans>}>
      <ul className="list-inside list-disc">
        {changed.map((side) => {
          const fields = changedSince(resource, seen[side], now[side]);
          return (
            <li key={side}>
              {letterOf(side)} {nameOf(now[side])}:{' '}
              {fields.length === 0 ? (
                <Trans>a newer version with the same values</Trans>
              ) : (
                pathLabels(i18n, resource, fields)
              )}
            </li>
          );
        })}
      </ul>
      <p>
        <Trans>Review the current values below, then decide again.</Trans>
      </p>
    </Callout>
  );
}

function useComparison(resource: ResourceName, ids: PairIds) {
  const next = useNextPair(resource, ids);
  const merge = useMergeOfTwo(resource, next.goOn);
  // A merge of the page itself is no change of somebody else.
  const isMerged = merge.isPending || merge.isSuccess;
  const [first, second] = useQueries({
    queries: ids.map((id) => ({ ...recordQuery(resource, id), enabled: !isMerged })),
  });
  const [seen, setSeen] = useState<Two>();
  const [chosenSurvivor, setSurvivor] = useState<Side>();
  const [choices, setChoices] = useState<Choices>({});
  const [dialog, setDialog] = useState<'merge' | 'dismiss'>();
  const now: Two | undefined = first?.data && second?.data && [first.data, second.data];
  if (seen === undefined && now !== undefined) setSeen(now);
  const two = isMerged ? seen : now;
  const isChanged =
    seen !== undefined &&
    two !== undefined &&
    seen.some((record, side) => record.version !== two[side]?.version);
  return {
    two,
    seen,
    isChanged,
    choices,
    merge,
    isMerged,
    next,
    setSurvivor,
    error: isMerged ? null : (first?.error ?? second?.error ?? null),
    survivor: chosenSurvivor ?? (two === undefined ? 0 : defaultSurvivor(two)),
    choose: (name: string, choice: Choices[string]) => setChoices({ ...choices, [name]: choice }),
    // The dialog is about the records as they are shown: a change closes it.
    dialog: isChanged && dialog === 'merge' ? undefined : dialog,
    open: (which: 'merge' | 'dismiss') => {
      merge.reset();
      setSeen(two);
      setDialog(which);
    },
    close: () => setDialog(undefined),
  };
}

const shortcutKeys = {
  merge: ['m', msg({ message: 'Merge', context: 'records' })],
  swap: ['s', msg`Keep the other record`],
  dismiss: ['n', msg`Not duplicates`],
  next: ['j', msg`Next pair`],
  previous: ['k', msg`Previous pair`],
} as const;

function usePairShortcuts(actions: Readonly<Record<keyof typeof shortcutKeys, (() => void) | false>>): void {
  const names = ['merge', 'swap', 'dismiss', 'next', 'previous'] as const;
  useShortcuts(
    names.flatMap((name) => {
      const [keys, label] = shortcutKeys[name];
      const run = actions[name];
      return run === false ? [] : [{ keys, label, group: 'record' as const, run }];
    }),
  );
}

function Comparison({ resource, ids }: { resource: ResourceName; ids: PairIds }) {
  const { t } = useLingui();
  const { can } = useRights();
  const state = useComparison(resource, ids);
  const { two, seen, survivor, choices, dialog, merge, next } = state;
  const { data: pair = null, isPending } = useQuery(pairQuery(resource, ids));
  const dismissal = useDismissal(resource, next.goOn);
  const canWrite = can(`${resource}:write`);
  const canDismiss = canWrite && pair !== null && pair.dismissedAt === null;
  usePairShortcuts({
    merge: canWrite && two !== undefined && (() => state.open('merge')),
    swap: canWrite && two !== undefined && (() => state.setSurvivor(otherSide(survivor))),
    dismiss: canDismiss && (() => state.open('dismiss')),
    next: next.place?.onNext ?? false,
    previous: next.place?.onPrevious ?? false,
  });
  const back = <ListLink resource={resource} />;
  if (state.error !== null || two === undefined || seen === undefined)
    return (
      <Page above={back} title={t`Compare two records`}>
        {state.error !== null && <Gone resource={resource} error={state.error} />}
      </Page>
    );
  const [one, other] = two.map(nameOf);
  const [stay, gone] = [nameOf(two[survivor]), nameOf(two[otherSide(survivor)])];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canWrite) state.open('merge');
  };
  const compared = { resource, two, survivor, canChoose: canWrite };
  return (
    <Page
      above={back}
      title={t`${one} and ${other}`}
      actions={
        next.place !== undefined && (
          <PlaceArrows {...next.place} labels={{ previous: t`Previous pair`, next: t`Next pair` }} />
        )
      }
      width="full"
    >
      <TaskLayout
        label={t`What happens`}
        aside={
          <>
            {!isPending && <Findings resource={resource} pair={pair} />}
            {canWrite && (
              <section aria-labelledby="what-happens" className="flex flex-col gap-2">
                <h2 id="what-happens" className="font-semibold text-md">
                  <Trans>What happens</Trans>
                </h2>
                <p>
                  <WhatHappens gone={gone} stay={stay} />
                </p>
              </section>
            )}
            <div className="flex flex-col gap-2 empty:hidden">
              {canWrite && (
                <Button
                  type="submit"
                  form="values"
                  look="primary"
                  className="h-auto! min-h-8 whitespace-normal! py-1"
                >
                  <Trans>Merge into {stay}</Trans>
                </Button>
              )}
              {canDismiss && (
                <Button onClick={() => state.open('dismiss')}>
                  <Trans>Not the same</Trans>
                </Button>
              )}
            </div>
          </>
        }
      >
        <div role="status" className="empty:hidden">
          {state.isChanged && <ChangedMeanwhile resource={resource} seen={seen} now={two} />}
        </div>
        <form
          id="values"
          className="@container flex min-w-0 flex-col gap-3"
          aria-label={t`Values to keep`}
          onSubmit={submit}
        >
          <FieldChoices
            {...compared}
            choices={choices}
            onChoose={state.choose}
            onSwap={() => state.setSurvivor(otherSide(survivor))}
          />
        </form>
      </TaskLayout>
      {dialog === 'merge' && (
        <MergePreview
          resource={resource}
          prepared={{ two, survivor, choices }}
          isPending={state.isMerged}
          error={merge.error}
          onConflict={(error) => {
            for (const { id } of two) rereadIfChanged(resource, id, error);
          }}
          onMerge={(reason) => merge.mutate({ two, survivor, choices, reason })}
          onClose={state.close}
        />
      )}
      {dialog === 'dismiss' && pair !== null && (
        <DismissDialog pair={pair} dismissal={dismissal} onClose={state.close} />
      )}
    </Page>
  );
}

export function PairPage({ resource }: { resource: ResourceName }) {
  const { id = '', otherId = '' } = useParams({ strict: false });
  // With a key of its own, so that no choice about one pair is left in the next.
  return <Comparison key={`${id} ${otherId}`} resource={resource} ids={[id, otherId]} />;
}
