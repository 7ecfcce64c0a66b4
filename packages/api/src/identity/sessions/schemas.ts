import { z } from 'zod';
import { Actor } from '../../engine/actor.ts';
import { assignedId, RecordId, returnedTime } from '../../engine/fields/schemas.ts';
import { pageOf, pageQuery, SORT_DEFAULT, sortDocs } from '../../engine/list/parameters.ts';

export const SessionMethod = z.enum(['oidc', 'link', 'key', 'passkey', 'email']).meta({
  id: 'SessionMethod',
  description: 'Sign-in method: identity provider, link, key, passkey or a link sent by email',
  example: 'oidc',
});
export type SessionMethod = z.infer<typeof SessionMethod>;

export const Session = z
  .strictObject({
    id: assignedId,
    owner: Actor.meta({ description: 'Person, or the key whose rights the session has' }),
    method: SessionMethod,
    client: z
      .string()
      .nullable()
      .meta({ description: 'Browser or program that signed in (`User-Agent`)', example: 'Mozilla/5.0' }),
    signedInAt: returnedTime(
      "When the person or key signed in. A session opened by a link inherits the time of the link's session.",
    ),
    createdAt: returnedTime('When the session began'),
    expiresAt: returnedTime('When the session expires, regardless of use'),
    lastUsedAt: returnedTime('When the session was last used, to the minute'),
    endedAt: returnedTime('When the session ended early; `null` if it did not').nullable(),
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
    description: 'List the sessions of this person instead of your own. Needs `people:manage`.',
  }).optional(),
  keyId: RecordId.meta({
    description: 'List the sessions of this key instead of your own. Needs `people:manage`.',
  }).optional(),
});

export const SessionPage = pageOf(Session, 'SessionPage');
