import { z } from 'zod';
import { CreatedBy } from '../../access/actors.ts';
import { OfficeIds } from '../../access/roles.ts';
import { Scope } from '../../access/scopes.ts';
import { overlapField } from '../../access/secret.ts';
import { requiredText } from '../../engine/fields/field.ts';
import { assignedId, RecordId, returnedTime, Time } from '../../engine/fields/schemas.ts';
import { pageOf, pageQuery, SORT_DEFAULT, sortDocs } from '../../engine/list/parameters.ts';

const name = requiredText(
  { lengthMax: 100 },
  { description: 'Name that describes the purpose of the key', example: 'Website' },
);
const scopes = z
  .array(Scope)
  .min(1)
  .max(20)
  .meta({ description: 'Operations the key can use', example: ['offices:read', 'events:read'] });
const expiresAt = Time.nullable().meta({
  description: 'When the key expires (RFC 3339); `null` for never',
  example: '2099-12-31T23:59:59Z',
});

export const Key = z
  .strictObject({
    id: assignedId,
    name: name.output,
    scopes,
    officeIds: OfficeIds,
    hint: z.string().meta({ description: 'Prefix of the secret', example: 'rst_Zk3vQm1x' }),
    createdAt: returnedTime('When the key was created'),
    createdBy: CreatedBy,
    updatedAt: returnedTime('When the key last changed'),
    expiresAt: returnedTime('When the key expires; `null` for never').nullable(),
    revokedAt: returnedTime('When the key was revoked; `null` if not revoked').nullable(),
    lastUsedAt: returnedTime('When the key was last used, to the minute; `null` if never').nullable(),
  })
  .meta({ id: 'Key', description: 'An API key and its scopes' });
export type Key = z.infer<typeof Key>;

/** The secret is only in the responses of creating and rotating a key. */
export const KeyWithSecret = Key.extend({
  secret: z.string().meta({
    description: 'Secret of the key, returned only once and not stored. Send it as `Authorization: Bearer …`',
    example: 'rst_Zk3vQm1xJ8b0sT5wYh2nLr7cPq9dKf4gVa6eUi1oXzM3a1b2c3d',
  }),
}).meta({ id: 'KeyWithSecret', description: 'A key with its new secret' });
export type KeyWithSecret = z.infer<typeof KeyWithSecret>;

const officeIds = OfficeIds.optional();

export const NewKey = z
  .strictObject({ name: name.input, scopes, officeIds, expiresAt: expiresAt.optional() })
  .meta({
    id: 'NewKey',
    description: 'Key to create. Without `officeIds`, the key has the office restriction of its creator.',
    example: { name: 'Website', scopes: ['offices:read', 'events:read'] },
  });
export type NewKey = z.input<typeof NewKey>;

export const KeyPatch = z
  .strictObject({
    id: RecordId,
    name: name.input.optional(),
    scopes: scopes.optional(),
    officeIds,
    expiresAt: expiresAt.optional(),
  })
  .meta({
    id: 'KeyPatch',
    description: 'Fields to change, as JSON Merge Patch (RFC 7396)',
    example: { name: 'Website' },
  });

export const KeyRotation = z
  .strictObject({
    id: RecordId,
    overlapSeconds: overlapField('Seconds the previous secret remains valid. Defaults to a day.'),
  })
  .meta({
    id: 'KeyRotation',
    description: 'Optional overlap for the rotation',
    example: { overlapSeconds: 3600 },
  });

export const KeyQuery = z.strictObject({
  ...pageQuery,
  sort: z
    .enum(['name', '-name', 'createdAt', '-createdAt'])
    .default(SORT_DEFAULT)
    .meta({ ...sortDocs, example: 'name' }),
});

export const KeyPage = pageOf(Key, 'KeyPage');
