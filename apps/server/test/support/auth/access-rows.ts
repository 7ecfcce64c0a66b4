import { type Role, resourceNames } from '@roster/api';
import { records } from '@roster/contract/records';

/** Who may call a procedure: people from this role on, or every caller. */
export type AccessRow = Role | 'everyone';

const recordRows = (write: Role) => ({
  list: 'viewer',
  get: 'viewer',
  history: 'viewer',
  create: write,
  update: write,
  delete: write,
  restore: write,
  revert: write,
  deactivate: write,
  reactivate: write,
  bulk: 'manager',
  duplicates: 'viewer',
  checkDuplicates: 'viewer',
  dismissDuplicate: write,
  reopenDuplicate: write,
  merge: write,
  unmerge: write,
});

const rowsOf = (resource: string, rows: Record<string, string>) =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [`${resource}.${name}`, row as AccessRow]));

/** The row of every procedure: the access matrix fails for one without a row. */
export const accessRows: Readonly<Record<string, AccessRow>> = {
  ...rowsOf('offices', { ...recordRows('editor'), previewReactivate: 'editor', transferAgents: 'manager' }),
  ...rowsOf('agents', { ...recordRows('editor'), transfer: 'editor' }),
  ...rowsOf('teams', { ...recordRows('editor'), putMember: 'editor', removeMember: 'editor' }),
  ...rowsOf('scheduledChanges', { list: 'viewer', get: 'viewer', cancel: 'manager' }),
  ...rowsOf('deletedRecords', { list: 'editor' }),
  ...rowsOf('imports', Object.fromEntries(resourceNames.map((name) => [name, 'manager']))),
  ...rowsOf('imports', { upload: 'manager', list: 'manager', get: 'manager', rows: 'manager' }),
  ...rowsOf('imports', {
    preview: 'manager',
    errors: 'manager',
    errorGroups: 'manager',
    correct: 'manager',
    corrections: 'manager',
    write: 'manager',
    resume: 'manager',
    cancel: 'manager',
    undo: 'manager',
  }),
  ...rowsOf('jobs', {
    list: 'manager',
    get: 'manager',
    errors: 'manager',
    cancel: 'manager',
    previewUndo: 'manager',
    undo: 'manager',
  }),
  ...rowsOf('events', { list: 'viewer', stream: 'viewer' }),
  ...rowsOf('webhooks', { list: 'manager', create: 'manager', get: 'manager', delete: 'manager' }),
  ...rowsOf('webhooks', { update: 'manager', rotate: 'manager', test: 'manager' }),
  ...rowsOf('webhooks', { deliveries: 'manager', replay: 'manager' }),
  ...rowsOf('keys', { list: 'admin', create: 'admin', get: 'admin', update: 'admin' }),
  ...rowsOf('keys', { revoke: 'admin', rotate: 'admin' }),
  ...rowsOf('people', { list: 'admin', invite: 'admin', get: 'admin', delete: 'admin', update: 'admin' }),
  // Everyone may end their own sessions; those of others an admin.
  ...rowsOf('people', { deactivate: 'admin', reactivate: 'admin', revokeSessions: 'admin' }),
  ...rowsOf('invitations', { list: 'admin', create: 'admin', get: 'admin', revoke: 'admin' }),
  // Everyone has passkeys of their own; those of others are changed by an admin.
  ...rowsOf('passkeys', { list: 'everyone', update: 'everyone', delete: 'everyone' }),
  ...rowsOf('sessions', { list: 'everyone', current: 'everyone', get: 'everyone', revoke: 'everyone' }),
  ...rowsOf('views', { list: 'viewer', create: 'viewer', get: 'viewer' }),
  // Their own; the shared ones of others an admin (views.test.ts).
  ...rowsOf('views', { update: 'viewer', delete: 'viewer' }),
  ...rowsOf('settings', { get: 'everyone', update: 'admin' }),
  ...rowsOf('stats', { get: 'viewer' }),
};

/** The resources whose records belong to no office. */
const withoutOffice = resourceNames.filter((name) => records[name].parentField === undefined);

/** What callers that are limited to offices may not call, whatever their role. */
export const unlimitedOnly: ReadonlySet<string> = new Set([
  'settings.update',
  ...withoutOffice.flatMap((name) => [
    `imports.${name}`,
    ...Object.keys(accessRows).filter((procedure) => procedure.startsWith(`${name}.`)),
  ]),
]);
