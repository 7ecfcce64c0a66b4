import type { ExampleRequest, OperationExample } from '../trpc/init.ts';

export const versionErrors = ['version_conflict', 'version_required', 'record_merged'] as const;

export function operationTexts(one: string, name: string) {
  return {
    update: {
      summary: `Change ${one}`,
      description:
        'Updates the fields you send (JSON Merge Patch). Omitted fields keep their values, `null` clears a field, and ' +
        'lists are replaced as a whole. You may send unchanged read-only fields.',
      takesReadFields: true,
    },
    history: {
      summary: `List the changes of ${one}`,
      description:
        'Lists changes to a record, newest first, with the actor, reason, and values before and after. Works for deleted ' +
        'records too. Also needs the scope `events:read`.',
    },
    revert: {
      summary: `Revert ${one} to an earlier version`,
      description:
        'Restores a record, or only the given `fields`, to an earlier version. The status is not changed. Has no effect ' +
        'if the values are the same. With `dryRun`, returns a preview. Also needs the scope `events:read`.',
    },
    duplicates: {
      summary: `List possible duplicates among ${name}`,
      description:
        'Returns a paginated list of possible duplicates, most probable first, each with a score and reasons. Records ' +
        'are compared within seconds of a change. If your access is restricted, only pairs of records you can see are ' +
        'returned.',
    },
    checkDuplicates: {
      summary: `Find existing ${name} that look like a new one`,
      description:
        'Returns existing records that look like a new one, most probable first, with a score and reasons. Nothing is ' +
        'written. If your access is restricted, only records you can see are returned.',
    },
    dismissDuplicate: {
      summary: `Dismiss a pair of ${name} as not duplicates`,
      description:
        'Marks the pair as not duplicates. The pair is no longer listed, unless you filter by `state`. Has no effect if the ' +
        'pair is already dismissed.',
    },
    reopenDuplicate: {
      summary: `Reopen a dismissed pair of ${name}`,
      description:
        'Reopens a dismissed pair, which is listed again while its records look alike. Has no effect if the pair is not ' +
        'dismissed.',
    },
    merge: {
      summary: `Merge ${one} into a different one`,
      description:
        'Merges a duplicate into this record and deletes the duplicate. References and missing values move to this ' +
        'record, and requests for the duplicate are redirected. With `dryRun`, returns a preview.',
    },
    unmerge: {
      summary: `Undo the merge of ${one}`,
      description:
        'Restores a merged record and its references, until its retention period ends. Values that have changed since ' +
        'are kept and listed in `conflicts`. With `dryRun`, returns a preview.',
    },
    bulk: {
      summary: `Change many ${name}`,
      description:
        'Applies one change to all matching records in a background job: update, deactivate, reactivate, delete or ' +
        'transfer. Set `expectedCount` to the number of matching records. With `dryRun`, returns the number and a ' +
        'preview. Counts as ten requests.',
    },
  };
}

interface Example {
  name: string;
  record: Record<string, string>;
}

export function creationOf({ name, record }: Example): ExampleRequest {
  return { method: 'POST', path: `/${name}`, body: record };
}

export function deletedExample(example: Example): OperationExample {
  const deletion: ExampleRequest = { method: 'DELETE', path: `/${example.name}/{1/id}` };
  return { requests: [creationOf(example), deletion] };
}

/** Two records with something in common; the comparison in the background makes the pair. */
export function pairExample(
  { name, record }: Example,
  common: object = { phone: '{phone}' },
): OperationExample {
  const created = creationOf({ name, record: { ...record, ...common } });
  const path = `/${name}/duplicates?recordId={2/id}`;
  return {
    requests: [created, created, { method: 'GET', path, until: '/items/0' }],
    path: { id: '{3/items/0/id}' },
  };
}

export function mergeExample(example: Example): OperationExample {
  const created = creationOf(example);
  return { requests: [created, created], body: { duplicateId: '{2/id}' } };
}

export function mergedExample(example: Example): OperationExample {
  const { requests, body } = mergeExample(example);
  const merge: ExampleRequest = { method: 'POST', path: `/${example.name}/{1/id}/merge`, body: { ...body } };
  return { requests: [...requests, merge], path: { id: '{2/id}' } };
}
