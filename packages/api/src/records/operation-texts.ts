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
        'Lists every change that is still in the event log, newest first, with the user, the time, the reason, and the values ' +
        'before and after. Works for deleted records too. Needs the scope `events:read` too.',
    },
    revert: {
      summary: `Revert ${one} to an earlier version`,
      description:
        'Restores the values of an earlier version, or of the `fields` you name. The status is not changed. Has no effect if ' +
        'the values are the same. With `dryRun`, returns what would change. Needs the scopes to read the record and ' +
        '`events:read` too.',
    },
    duplicates: {
      summary: `List ${name} that may be the same`,
      description:
        'Returns a paginated list of pairs, most probable first, each with both records, a score and reasons. New and changed ' +
        'records are compared within seconds. If your access is restricted, only pairs of records you can see are returned.',
    },
    checkDuplicates: {
      summary: `Tell which ${name} a new one looks like`,
      description:
        `Takes the fields that create ${one}, and returns the existing records it looks like, most probable first, with a score and reasons. ` +
        'Nothing is written. If your access is restricted, only records you can see are returned.',
    },
    dismissDuplicate: {
      summary: `Decide that two ${name} are not the same`,
      description:
        'Marks the pair as not duplicates. The pair is no longer listed, unless you filter by `state`. Has no effect if the ' +
        'pair is already dismissed.',
    },
    reopenDuplicate: {
      summary: `Take back that two ${name} are not the same`,
      description:
        'Takes back a dismissal. The pair is listed again as long as the records are alike. Has no effect if the pair is not ' +
        'dismissed.',
    },
    merge: {
      summary: `Merge ${one} into another one`,
      description:
        'Merges the duplicate into this record in one transaction: this record gets the values that `fields` chooses and ' +
        "everything that refers to the duplicate, and the duplicate is deleted. A GET of the duplicate's ID is then redirected " +
        'here, and a change of it is rejected. Its source and email address stay taken. With `dryRun`, returns the record that would result.',
    },
    unmerge: {
      summary: `Undo the merge of ${one}`,
      description:
        'Restores a merged record and everything that referred to it, as long as deleted records are kept (30 days). Values ' +
        'that have changed since are kept and listed in `conflicts`. With `dryRun`, returns what would result.',
    },
    bulk: {
      summary: `Change many ${name}`,
      description:
        'Applies one change to all records that match a filter: update, deactivate, reactivate, delete, or transfer agents. A ' +
        'job in the background changes 500 at a time, each with an event. Set `expectedCount` to the number of matching ' +
        'records. With `dryRun`, returns the number and a preview. Counts as ten requests.',
    },
  };
}
