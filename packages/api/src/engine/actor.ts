import { z } from 'zod';
import { returnedId } from './fields/field.ts';

export const Actor = z
  .strictObject({
    type: z
      .enum(['key', 'person'])
      .meta({ description: 'Whether a key or a person acted', example: 'person' }),
    id: returnedId('ID of the key or person', '01980a3f-3c4d-7e5f-8a6b-7c8d9e0f1a2b'),
    name: z.string().nullable().meta({
      description: 'Current name. For keys, you need `keys:manage` to see it; for people, `people:manage`.',
      example: 'Ana Martins',
    }),
  })
  .meta({ id: 'Actor', description: 'A key or a person' });
export type Actor = z.infer<typeof Actor>;

/** The ID of the ROSTER_ADMIN_KEY in logs and events. That key has no row in the database. */
export const ADMIN_KEY_ID = '00000000-0000-0000-0000-000000000000';
