import type { OperationTexts } from '../resources/definition.ts';

/** The descriptions of the operations on offices. */
export const officeTexts: OperationTexts = {
  list:
    'One page of the offices that match every filter, active and inactive alike. `expand=counts` needs the scope ' +
    '`agents:read` too. A caller who is limited to some offices gets those and their branches, here as everywhere; others do ' +
    'not exist for the caller.',
  create:
    'Creates an active office of version 1 and answers it with its id. A caller who is limited to some offices names one of ' +
    'them as `mainOfficeId`; without it the response is 403.',
  get:
    'The office as it is now, active or inactive. With If-None-Match: 304 where it is unchanged. With `expand=counts` ' +
    'there is no ETag, as the counts change without a new version; that needs the scope `agents:read` too.',
  delete:
    'Rejected while it has agents, affiliated agents or branch offices. Its last state is kept for restore for a time.',
  deactivate:
    'It stays readable and takes no more agents. Repeated, it answers the unchanged office. With `cascade` the ' +
    'office and up to 500 of its agents are deactivated in one transaction, more agents 500 at a time in further ' +
    'ones: meanwhile the office is inactive and some agents are not. It is removed from the `affiliations` of other ' +
    'agents, each with an event `agent.updated`; without `cascade` they stay, and so do those of agents that a limit hides. A call that ends early, with 503 after 20 ' +
    'seconds, is repeated to go on. `cascaded` has the numbers of both. `cascade` needs the scope `agents:write` too. With `effectiveAt` or `effectiveOn` in ' +
    'the future it is scheduled: the office has one more of `scheduledChanges`, and then up to 100,000 agents, with the ' +
    'affiliated ones, are changed with it in one transaction.',
  reactivate:
    'Its agents stay as they are. Repeated, it answers the unchanged office. With `cascade` it takes back what its latest ' +
    'deactivation did to agents, 500 at a time: exactly those that were changed by it are as they were before, unless they ' +
    'were changed since. `cascaded` says how many, and which could not be brought back. Agents that a limit hides stay as ' +
    'they are. A call that ends early, with 503 after 20 seconds, is repeated to go on. `cascade` needs the scope ' +
    '`agents:write` too. With `effectiveAt` or `effectiveOn` in the future it is scheduled, without `cascade`.',
  restore: 'Brings it back under its id, in its last state, while that is kept (30 days).',
  example: { name: 'Example office' },
};
