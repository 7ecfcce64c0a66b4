import { z } from 'zod';
import { Actor } from '../../engine/actor.ts';
import { answeredTime, assignedId, RecordId } from '../../engine/fields/schemas.ts';
import { pageOf, pageQuery, SORT_DEFAULT, sortDocs } from '../../engine/list/parameters.ts';

export const SessionMethod = z.enum(['oidc', 'link', 'key', 'passkey']).meta({
  id: 'SessionMethod',
  description:
    'How it was signed in: at an identity provider, with a link of this service, with a key, or with a passkey',
  example: 'oidc',
});
export type SessionMethod = z.infer<typeof SessionMethod>;

export const Session = z
  .strictObject({
    id: assignedId,
    owner: Actor.meta({ description: 'Who is signed in: the person, or the key whose rights it has' }),
    method: SessionMethod,
    client: z
      .string()
      .nullable()
      .meta({ description: 'What it was signed in with (User-Agent)', example: 'Mozilla/5.0' }),
    signedInAt: answeredTime(
      'When the person or the key signed in. A session that a link opened has the time of the session that made the link',
    ),
    createdAt: answeredTime('When the session began'),
    expiresAt: answeredTime('When it ends, however much it is used'),
    lastUsedAt: answeredTime('When it was last used, to the minute'),
    endedAt: answeredTime('When it was ended before; null if it was not').nullable(),
  })
  .meta({ id: 'Session', description: 'A session of a person or of a key, without its token' });
export type Session = z.infer<typeof Session>;

export const SessionQuery = z.strictObject({
  ...pageQuery,
  sort: z
    .enum(['createdAt', '-createdAt'])
    .default(SORT_DEFAULT)
    .meta({ ...sortDocs, example: '-createdAt' }),
  personId: RecordId.meta({
    description: 'The sessions of this person, not your own: needs `people:manage`',
  }).optional(),
  keyId: RecordId.meta({
    description: 'The sessions of this key, not your own: needs `people:manage`',
  }).optional(),
});

export const SessionPage = pageOf(Session, 'SessionPage');
