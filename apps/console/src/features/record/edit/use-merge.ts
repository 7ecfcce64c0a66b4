import { useState } from 'react';
import { contracts, type ResourceName } from '../../../api/contract/contracts.ts';
import type { DirectoryRecord } from '../../../resources/record.ts';
import type { DraftHandle } from './drafts/use-draft.ts';
import { rebasedValues, typedValuesOf } from './typed-values.ts';
import type { Json } from './values/form-values.ts';
import { type Choices, type Clash, mergeRecords } from './values/merge.ts';

export interface Conflict {
  clashes: readonly Clash[];
  /** The fields whose changes by others are taken over without asking. */
  taken: readonly string[];
  theirs: DirectoryRecord;
  isSaving: boolean;
}

interface Merging {
  conflict: Conflict | undefined;
  closeConflict: () => void;
  goOnWith: (base: Json, wanted: Json) => void;
  /** Merges what was typed with a newer version. Returns whether nothing has to be asked. */
  merge: (theirs: DirectoryRecord, how: { choices?: Choices; saves: boolean }) => boolean;
}

export function useMerge(resource: ResourceName, draft: DraftHandle): Merging {
  const [conflict, setConflict] = useState<Conflict>();
  const goOnWith = (base: Json, wanted: Json) =>
    draft.rebase(base, rebasedValues(resource, draft.current().values, { base, wanted }));
  return {
    conflict,
    closeConflict: () => setConflict(undefined),
    goOnWith,
    merge: (theirs, { choices, saves }) => {
      const state = draft.current();
      const mine = typedValuesOf(resource, state);
      const merged = mergeRecords(contracts[resource].fields, { base: state.base, mine, theirs }, choices);
      if (choices === undefined && merged.clashes.length > 0) {
        setConflict({ clashes: merged.clashes, taken: merged.taken, theirs, isSaving: saves });
        return false;
      }
      setConflict(undefined);
      goOnWith(theirs, merged.values);
      return true;
    },
  };
}
