import type { OperationTexts } from '../resources/definition.ts';

/** The descriptions of the operations on agents. */
export const agentTexts: OperationTexts = {
  list:
    'One page of the agents that match every filter, active and inactive alike. `expand=office` needs the scope ' +
    '`offices:read` too. A caller who is limited to some offices gets the agents whose primary office is one of them, here ' +
    'as everywhere; others do not exist for the caller.',
  create:
    'Creates an active agent of version 1 and answers it with its id. A caller who is limited to some offices names one ' +
    'of them; without `officeId` the response is 403.',
  get: 'The agent as they are now, active or inactive. With If-None-Match: 304 where unchanged.',
  delete:
    'Rejected if the agent is a broker, is a manager or has an assistant. The last state is kept for restore for a time.',
  deactivate:
    'They stay readable, listable and editable. Repeated, it answers the unchanged agent. With `effectiveAt` or ' +
    '`effectiveOn` in the future it is scheduled: the agent has one more of `scheduledChanges`.',
  reactivate:
    'Rejected if the office is inactive. Repeated, it answers the unchanged agent. With `effectiveAt` or `effectiveOn` in ' +
    'the future it is scheduled, and the office counts then.',
  restore: 'Brings them back under their id, in their last state, while that is kept (30 days).',
  example: { firstName: 'Example', lastName: 'Agent' },
};
