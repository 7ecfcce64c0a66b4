import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { type DuplicatePair, nameOf } from '../../../resources/record.ts';
import { callsOf, recordChanged, recordQuery, rereadIfChanged } from '../../../resources/record-calls.ts';
import { closeOverlay, openDialog } from '../../../ui/browser/overlays.ts';
import { useViewState } from '../../../ui/browser/view-state.ts';
import { UndoMergeDialog } from '../../history/undo-merge-dialog.tsx';
import { offerUndo, offerUndoDialog } from '../../record/undo.ts';
import {
  type Choices,
  findNextPair,
  idsOf,
  isPairOf,
  mergeFields,
  otherSide,
  type PairIds,
  type Side,
  type Two,
} from '../choices.ts';
import { pairCountQuery, pairSearch, usePairs } from '../pairs.ts';

/** The place of a pair among those of the list, and the ways on. */
export function useNextPair(resource: ResourceName, ids: PairIds) {
  const navigate = useNavigate();
  const [search] = useViewState();
  const { rows = [] } = usePairs(resource, search);
  const { data } = useQuery(pairCountQuery(resource, search));
  const kept = { search: pairSearch(search) };
  const open = (pair: DuplicatePair) => {
    const [id, otherId] = idsOf(pair);
    return navigate({ to: `/duplicates/${resource}/$id/$otherId`, params: { id, otherId }, ...kept });
  };
  const at = rows.findIndex((pair) => isPairOf(pair, ids));
  const [next, previous] = [rows, rows.toReversed()].map((pairs) => findNextPair(pairs, ids));
  return {
    /** Undefined if there is no other pair. */
    place: next &&
      previous && {
        position: at < 0 ? undefined : at + 1,
        total: data?.total,
        onNext: () => void open(next),
        onPrevious: () => void open(previous),
      },
    /** After a decision: to the next, or to the list after the last. */
    goOn: (gone?: string) => {
      const left = findNextPair(rows, ids, gone);
      return left === undefined ? navigate({ to: `/duplicates/${resource}`, ...kept }) : open(left);
    },
  };
}

/** A merge as it was prepared: of the records as they were shown. */
export interface PreparedMerge {
  two: Two;
  survivor: Side;
  choices: Choices;
}

/** The input of the merge of two records; one of the service that has another version rejects it. */
export function mergeInput(resource: ResourceName, { two, survivor, choices }: PreparedMerge) {
  const [stays, goes] = [two[survivor], two[otherSide(survivor)]];
  return {
    id: stays.id,
    ifVersion: stays.version,
    duplicateId: goes.id,
    duplicateVersion: goes.version,
    fields: mergeFields(resource, { records: two, survivor, choices }),
  };
}

export function useMergeOfTwo(resource: ResourceName, goOn: (gone: string) => Promise<void>) {
  const { t, i18n } = useLingui();
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ reason, ...prepared }: PreparedMerge & { reason: string | undefined }) =>
      callsOf(resource).merge.mutate({ ...mergeInput(resource, prepared), reason }),
    onSuccess: async ({ moved: _, mergeId: __, duplicateId: ___, ...record }, { two, survivor }) => {
      const gone = two[otherSide(survivor)];
      await goOn(gone.id);
      client.removeQueries({ queryKey: recordQuery(resource, gone.id).queryKey });
      recordChanged(resource, record);
      void client.invalidateQueries({ queryKey: [resource] });
      const [from, into] = [nameOf(gone), nameOf(record)];
      offerUndoDialog(i18n, t`${from} was merged into ${into}`, () =>
        openDialog(<UndoMergeDialog resource={resource} duplicateId={gone.id} onClose={closeOverlay} />),
      );
    },
    onError: (error, { two }) => {
      for (const { id } of two) rereadIfChanged(resource, id, error);
    },
  });
}

export function useDismissal(resource: ResourceName, goOn: () => Promise<void>) {
  const { t, i18n } = useLingui();
  const client = useQueryClient();
  const calls = callsOf(resource);
  const readAgain = () => void client.invalidateQueries({ queryKey: [resource, 'duplicates'] });
  return useMutation({
    mutationFn: ({ pair, reason }: { pair: DuplicatePair; reason: string | undefined }) =>
      calls.dismissDuplicate.mutate({ id: pair.id, reason }),
    onSuccess: async ({ id, records }) => {
      await goOn();
      readAgain();
      const [one, other] = records.map(nameOf);
      offerUndo(i18n, {
        text: t`${one} and ${other} aren't duplicates`,
        undo: async () => {
          await calls.reopenDuplicate.mutate({ id });
          return undefined;
        },
      });
    },
  });
}

export function useReopening(resource: ResourceName) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: DuplicatePair) => callsOf(resource).reopenDuplicate.mutate({ id }),
    onSuccess: () => client.invalidateQueries({ queryKey: [resource, 'duplicates'] }),
  });
}
