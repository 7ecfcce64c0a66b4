import { z } from 'zod';
import { Actor } from '../../engine/actor.ts';
import { answeredId } from '../../engine/fields/field.ts';
import { count } from '../../engine/fields/schemas.ts';

/** The record of the event `access.denied`, of which each caller and procedure has at most one a minute. */
export const AccessDenial = z
  .strictObject({
    id: answeredId('Assigned by the server: each of these events is about one of its own'),
    caller: Actor.nullable().meta({ description: 'Who was denied the right; null of a failed sign-in' }),
    procedure: z.string().nullable().meta({
      description: 'What was called, by its name in RPC; null of a failed sign-in',
      example: 'keys.create',
    }),
    errorCode: z.string().meta({ description: 'The error code', example: 'insufficient_scope' }),
    detail: z.string().meta({ description: 'The first error in words' }),
    count: count('How often, since the event before', 3),
  })
  .meta({ id: 'AccessDenial', description: 'A right that was denied, or a sign-in that failed' });
export type AccessDenial = z.infer<typeof AccessDenial>;
