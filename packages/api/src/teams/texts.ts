import type { OperationTexts } from '../resources/definition.ts';

/** The descriptions of the operations on teams. */
export const teamTexts: OperationTexts = {
  list:
    'One page of the teams that match every filter, active and inactive alike. `expand=members` needs the scope `agents:read` ' +
    'too. A caller who is limited to some offices gets the teams of these, here as everywhere, and of their members those ' +
    'whose agents are within the limit; others do not exist for the caller.',
  create:
    'Creates an active team of version 1 and answers it with its id. A caller who is limited to some offices names one ' +
    'of them; without `officeId` the response is 403.',
  get:
    'The team as it is now, active or inactive. With If-None-Match: 304 where it is unchanged. With `expand=members` ' +
    'there is no ETag, as agents change without a new version; that needs the scope `agents:read` too.',
  delete: 'Its agents stay as they are. Its last state is kept for restore for a time.',
  deactivate:
    'It stays readable, listable and editable, and so do its agents. Repeated, it answers the unchanged team. With `effectiveAt` ' +
    'or `effectiveOn` in the future it is scheduled: the team has one more of `scheduledChanges`.',
  reactivate:
    'Repeated, it answers the unchanged team. With `effectiveAt` or `effectiveOn` in the future it is scheduled.',
  restore:
    'Brings it back under its id, in its last state, while that is kept (30 days). Rejected if an agent in it was deleted since.',
  example: { name: 'Example team' },
};
