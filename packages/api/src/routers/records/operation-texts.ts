/** The descriptions and errors of operations that are the same for all resources. */

/** The errors of what changes one record. */
export const versionErrors = ['version_conflict', 'version_required', 'record_merged'] as const;

export const updateText =
  'Updates the fields you send (JSON Merge Patch). Omitted fields keep their values, `null` clears a field, and lists are replaced as a ' +
  'whole. Read-only fields that have the values of the record are ignored, so you may send back what you have read.';
export const historyText =
  'Every change that the log still has, newest first: who, when, why, and what was before and after; also of a deleted record. ' +
  'A caller who is limited to some offices gets those that are within them. Also needs the scope `events:read`.';
export const revertText =
  'Gives the record, or the `fields` that are named, the values of an earlier version, as an update with its rules; with `dryRun` ' +
  'answers what that would change. The status does not change: deactivate and reactivate do that. Repeated, it changes nothing. ' +
  'Also needs the scopes to read the record and `events:read`.';
