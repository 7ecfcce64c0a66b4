import { z } from 'zod';
import { Actor } from '../engine/actor.ts';
import { returnedId } from '../engine/fields/field.ts';
import { count } from '../engine/fields/schemas.ts';

/** The event `access.denied`: at most one a minute for each caller and procedure. */
export const AccessDenial = z
  .strictObject({
    id: returnedId('ID assigned by the server, unique to this event'),
    caller: Actor.nullable().meta({
      description: 'Key or person that was denied the right; `null` for a failed sign-in',
    }),
    procedure: z.string().nullable().meta({
      description: 'Name of the RPC procedure; `null` for a failed sign-in',
      example: 'keys.create',
    }),
    errorCode: z.string().meta({ description: 'The error code', example: 'insufficient_scope' }),
    detail: z.string().meta({ description: 'First error, as text' }),
    count: count('Number of denials since the previous event', 3),
  })
  .meta({ id: 'AccessDenial', description: 'A denied right or a failed sign-in' });
export type AccessDenial = z.infer<typeof AccessDenial>;
