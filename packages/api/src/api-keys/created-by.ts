import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { ADMIN_KEY_ID } from './authenticator.ts';

/** The key that created a key or a webhook. */
export const CreatedBy = z
  .strictObject({
    keyId: z.string().meta({
      description: 'The id of the key',
      example: '01980a3f-3c4d-7e5f-8a6b-7c8d9e0f1a2b',
      format: 'uuid',
    }),
    keyName: z.string().nullable().meta({ description: 'Its current name', example: 'Website' }),
  })
  .nullable()
  .meta({ description: 'The key that created it; null if the service did, or before this was recorded' });

/** The SQL expression of the same, from the id of the key. */
export function createdByJson(id: RawBuilder<string | null>): RawBuilder<z.infer<typeof CreatedBy>> {
  const name = sql`case when ${id} = ${sql.lit(ADMIN_KEY_ID)}::uuid then 'ROSTER_ADMIN_KEY'
    else (select creator.name from api_key as creator where creator.id = ${id}) end`;
  return sql`case when ${id} is not null then json_build_object('keyId', ${id}, 'keyName', ${name}) end`;
}
