import { z } from 'zod';
import { Office } from '../directory/offices/schemas.ts';
import { count, oneTime, RecordId, scheduledInput } from '../engine/fields/schemas.ts';
import { formatNumber } from '../errors/issue-text.ts';
import { Job, JobError } from '../jobs/schemas.ts';

export const OfficeDeactivation = z
  .strictObject({
    ...scheduledInput,
    cascade: z
      .boolean()
      .optional()
      .meta({
        description:
          "Set to `true` to also deactivate the office's active agents and end affiliations with the " +
          'office. Defaults to `false`.',
        example: true,
      }),
  })
  .meta({
    ...oneTime,
    id: 'OfficeDeactivation',
    description: 'Optional settings of the deactivation',
    example: { reason: 'Moved to Porto' },
  });
export type OfficeDeactivation = z.input<typeof OfficeDeactivation>;

/** For the document: at most one of the times, and none with `cascade`. */
const cascadeOrTime = {
  ...oneTime,
  if: { properties: { cascade: { const: true } }, required: ['cascade'] },
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
  then: { properties: { effectiveAt: false, effectiveOn: false } },
};

export const OfficeReactivation = z
  .strictObject({
    ...scheduledInput,
    cascade: z
      .boolean()
      .optional()
      .meta({
        description:
          'Set to `true` to undo what `cascade` did in the latest deactivation, except for agents changed since. Cannot be ' +
          'scheduled.',
        example: true,
      }),
  })
  .refine(
    ({ cascade, effectiveAt, effectiveOn }) =>
      cascade !== true || (effectiveAt === undefined && effectiveOn === undefined),
    {
      message: "can't be combined with a time",
      params: { code: 'not_allowed' },
      path: ['cascade'],
    },
  )
  .meta({
    ...cascadeOrTime,
    id: 'OfficeReactivation',
    description: 'Optional settings of the reactivation',
    example: { reason: 'Deactivated by mistake' },
  });
export type OfficeReactivation = z.input<typeof OfficeReactivation>;

export const OfficeDeactivated = Office.extend({
  cascaded: z
    .strictObject({
      agents: count('Number of agents deactivated with the office', 24),
      affiliations: count('Number of other agents whose affiliation with the office ended', 3),
    })
    .optional()
    .meta({ description: 'With `cascade`, unless scheduled: result for the agents' }),
}).meta({
  id: 'OfficeDeactivated',
  description: 'A deactivated office, and the result for its agents',
});
export type OfficeDeactivated = z.infer<typeof OfficeDeactivated>;

export const CASCADE_ERRORS_MAX = 10;

export const OfficeReactivated = Office.extend({
  cascaded: z
    .strictObject({
      agents: count('Number of agents reactivated with the office', 23),
      affiliations: count('Number of other agents whose affiliation with the office was restored', 3),
      rejected: count('Number of agents that could not be restored', 1),
      errors: z.array(JobError).meta({
        description: `First ${CASCADE_ERRORS_MAX} agents that could not be restored, each with the reason`,
        maxItems: CASCADE_ERRORS_MAX,
      }),
    })
    .optional()
    .meta({ description: 'With `cascade`: result of undoing the latest deactivation' }),
}).meta({
  id: 'OfficeReactivated',
  description: 'A reactivated office, and the result for its agents',
});
export type OfficeReactivated = z.infer<typeof OfficeReactivated>;

/** More agents move in a job, because other changes of an agent wait for the transaction that moves it. */
export const AGENTS_OF_TRANSACTION = 1_000;

export const AgentsTransfer = z
  .strictObject({
    ...scheduledInput,
    toOfficeId: RecordId.meta({ description: 'ID of the office that all agents of this office move to' }),
  })
  .meta({
    ...oneTime,
    id: 'AgentsTransfer',
    description: 'The new office, with a reason and a time',
    example: { toOfficeId: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11', reason: 'The office closes' },
  });
export type AgentsTransfer = z.input<typeof AgentsTransfer>;

export const AgentsTransferResult = Office.extend({
  moved: count('Number of agents moved by this request, active and inactive; 0 with a job', 24),
  job: Job.optional().meta({
    description: `Job that moves the agents, if there are more than ${formatNumber(AGENTS_OF_TRANSACTION)}`,
  }),
}).meta({ id: 'AgentsTransferResult', description: 'An office whose agents moved, and their number' });
export type AgentsTransferResult = z.infer<typeof AgentsTransferResult>;
