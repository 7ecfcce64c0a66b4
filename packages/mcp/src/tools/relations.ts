import { z } from 'zod';
import { changeRecord } from '../changes/change-record.ts';
import type { Page } from '../service.ts';
import { pageOutput, tool } from '../tool.ts';
import { changeOutput, PREVIEWED } from './change.ts';
import { restOf } from './find.ts';
import { changeOptions, cursor, limit, recordId, status } from './inputs.ts';
import { summaryOf } from './summaries.ts';

/** The scopes that each of the two tools needs. */
export const rosterScopes = ['offices:read', 'agents:read'];
export const transferScopes = ['agents:read', 'agents:write'];

export const officeRoster = tool({
  name: 'office_roster',
  title: 'Agents of an office',
  description:
    'One office with its numbers of agents and branches, and its agents by last name: those who work there and, unless ' +
    '`affiliation` is `primary`, those who are affiliated with it.',
  kind: 'reads',
  input: z.strictObject({
    officeId: recordId('the office'),
    status: status.default('active').describe('Of the agents'),
    affiliation: z
      .enum(['primary', 'any'])
      .default('any')
      .describe('`primary`: without those who are affiliated with it'),
    limit: limit(25, 100),
    cursor,
  }),
  output: {
    ...pageOutput,
    data: z
      .looseObject({ agents: z.array(z.looseObject({})).describe('Those of this page') })
      .describe('The `office`, and its agents'),
  },
  run: async ({ officeId, ...query }, { service, signal }) => {
    const [office, page] = await Promise.all([
      service.query('offices.get', { id: officeId, expand: 'counts' }, { signal }),
      service.query('agents.list', { ...query, officeId, sort: 'lastName' }, { signal }),
    ]);
    const { items } = page as Page;
    const data = {
      office: summaryOf('offices', office as Page['items'][0]),
      agents: items.map((agent) => summaryOf('agents', agent)),
    };
    return { data, ...restOf(page as Page) };
  },
});

export const transfer = tool({
  name: 'transfer',
  title: 'Transfer an agent',
  description: `Moves the one agent that is named to another office. ${PREVIEWED}`,
  kind: 'changes',
  input: z.strictObject({
    id: recordId('the agent'),
    officeId: recordId('the office that the agent moves to; it must be active'),
    ...changeOptions,
  }),
  output: changeOutput,
  run: ({ id, officeId, reason, ifVersion, dryRun }, call) => {
    const input = { officeId, ...(reason !== undefined && { reason }) };
    const change = {
      resource: 'agents',
      id,
      ifVersion,
      operation: 'transfer',
      input,
      patch: { officeId },
    } as const;
    return changeRecord(change, dryRun, call);
  },
});
