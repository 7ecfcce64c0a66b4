import { z } from 'zod';
import { oneTime, scheduledInput } from '../engine/fields/effective-input.ts';
import { count } from '../engine/fields/schemas.ts';
import { JobError } from '../jobs/schemas.ts';
import { Office } from './schemas.ts';

export const OfficeDeactivation = z
  .strictObject({
    ...scheduledInput,
    cascade: z
      .boolean()
      .optional()
      .meta({
        description:
          'Deactivate the active agents of the office too, and end the affiliations of other agents with it: up to 500 agents ' +
          'at once with it, others 500 at a time after it; if it is scheduled, all at once',
        example: true,
      }),
  })
  .meta({
    ...oneTime,
    id: 'OfficeDeactivation',
    description: 'How to deactivate an office; may be left out',
    example: { reason: 'Moved to Porto' },
  });
export type OfficeDeactivation = z.input<typeof OfficeDeactivation>;

/** The rules of a reactivation for the document: one of the times, and none with `cascade`. */
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
          'Take back what the latest deactivation of the office did with `cascade`: reactivate the agents that it has deactivated, ' +
          'and give the affiliations back that it has ended. Agents whose status, office or affiliations have changed since are kept as ' +
          'they are. Not with a time',
        example: true,
      }),
  })
  .refine(
    ({ cascade, effectiveAt, effectiveOn }) =>
      cascade !== true || (effectiveAt === undefined && effectiveOn === undefined),
    {
      message: 'is not allowed with a time',
      params: { code: 'not_allowed' },
      path: ['cascade'],
    },
  )
  .meta({
    ...cascadeOrTime,
    id: 'OfficeReactivation',
    description: 'How to reactivate an office; may be left out',
    example: { reason: 'Deactivated by mistake' },
  });
export type OfficeReactivation = z.input<typeof OfficeReactivation>;

/** An office after its deactivation, with the number of agents that it changed. */
export const OfficeDeactivated = Office.extend({
  cascaded: z
    .strictObject({
      agents: count('How many agents this deactivation of the office has deactivated', 24),
      affiliations: count('From how many other agents it has removed the affiliation with the office', 3),
    })
    .optional()
    .meta({ description: 'With `cascade`, unless it is scheduled: what happened to agents' }),
}).meta({
  id: 'OfficeDeactivated',
  description: 'An office after its deactivation, with what happened to agents',
});
export type OfficeDeactivated = z.infer<typeof OfficeDeactivated>;

/** The agents that a reactivation of an office shows that it could not bring back. */
export const CASCADE_ERRORS_MAX = 10;

/** An office after its reactivation, with what that took back of its deactivation. */
export const OfficeReactivated = Office.extend({
  cascaded: z
    .strictObject({
      agents: count('How many agents are reactivated', 23),
      affiliations: count('How many other agents have their affiliation with the office again', 3),
      rejected: count('How many agents could not be brought back', 1),
      errors: z.array(JobError).meta({
        description: `The first ${CASCADE_ERRORS_MAX} of those, each with the reason`,
        maxItems: CASCADE_ERRORS_MAX,
      }),
    })
    .optional()
    .meta({ description: 'With `cascade`: what was taken back of the latest deactivation' }),
}).meta({
  id: 'OfficeReactivated',
  description: 'An office after its reactivation, with what was taken back of its deactivation',
});
export type OfficeReactivated = z.infer<typeof OfficeReactivated>;
