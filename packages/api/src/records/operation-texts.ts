/** The errors of what changes one record. */
export const versionErrors = ['version_conflict', 'version_required', 'record_merged'] as const;

/** The summaries and descriptions of the operations that mean the same for all resources, such as `an office` of `offices`. */
export function operationTexts(one: string, name: string) {
  return {
    update: {
      summary: `Change ${one}`,
      description:
        'Updates the fields you send (JSON Merge Patch). Omitted fields keep their values, `null` clears a field, and lists are replaced as a ' +
        'whole. Read-only fields that have the values of the record are ignored, so you may send back what you have read.',
    },
    history: {
      summary: `List the changes of ${one}`,
      description:
        'Every change that the log still has, newest first: who, when, why, and what was before and after; also of a deleted record. ' +
        'A caller who is limited to some offices gets those that are within them. Also needs the scope `events:read`.',
    },
    revert: {
      summary: `Revert ${one} to an earlier version`,
      description:
        'Gives the record, or the `fields` that are named, the values of an earlier version, as an update with its rules; with `dryRun` ' +
        'answers what that would change. The status does not change: deactivate and reactivate do that. Repeated, it changes nothing. ' +
        'Also needs the scopes to read the record and `events:read`.',
    },
    duplicates: {
      summary: `List ${name} that may be the same`,
      description:
        'One page of pairs, the most probable first, each with both records as they are now, a score and the reasons in words. ' +
        'Records are compared within seconds of a change, or when many changes are over. A caller who is limited to some offices gets the ' +
        'pairs of which both records are within them.',
    },
    checkDuplicates: {
      summary: `Tell which ${name} a new one looks like`,
      description:
        `Takes what creates ${one}, and answers those that it looks like, as pairs that are listed do by default: the most probable ` +
        'first, each with the score and the reasons in words. Nothing is written. A caller who is limited to some offices gets those within them.',
    },
    dismissDuplicate: {
      summary: `Decide that two ${name} are not the same`,
      description:
        'The pair is listed no more, unless `state` asks for it, whatever becomes of the records. Repeated, it answers the pair as it is.',
    },
    reopenDuplicate: {
      summary: `Take back that two ${name} are not the same`,
      description: `The pair is listed again while ${one} of it is like the other. Repeated, it answers the pair as it is.`,
    },
    merge: {
      summary: `Merge ${one} into another one`,
      description:
        'Gives this one the values that `fields` chooses, moves everything that refers to the duplicate to it, and deletes the duplicate, in ' +
        'one transaction. The id of the duplicate then leads here: a GET is redirected, and a change is rejected with `record_merged`. ' +
        'Its source and its email address stay taken, and imports that name them change this record. ' +
        'With `dryRun` returns the record that would result.',
    },
    unmerge: {
      summary: `Undo the merge of ${one}`,
      description:
        'Brings a record back that was merged into another one, as it was, with everything that referred to it, for as long as deleted ' +
        'records are kept (30 days). What was changed since stays as it is, and `conflicts` names it. With `dryRun` answers what would result.',
    },
    bulk: {
      summary: `Change many ${name}`,
      description:
        'Makes one change in all records that a filter of the list selects: an update, a deactivation, a reactivation, a deletion, ' +
        'or of agents a transfer. The records are fixed now, and are changed by a job in the background, a batch of 500 at a time, ' +
        'each with an event whose details name the job (`bulkId`). `expectedCount` must be their number. With `dryRun` nothing is ' +
        'changed: answers 200 with the number, the first five, and the errors among the first 500. Counts as ten requests.',
    },
  };
}
