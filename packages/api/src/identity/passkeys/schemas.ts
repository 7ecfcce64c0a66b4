import { z } from 'zod';
import { requiredText, returnedId } from '../../engine/fields/field.ts';
import { assignedId, RecordId, returnedTime } from '../../engine/fields/schemas.ts';
import { pageOf, pageQuery, SORT_DEFAULT, sortDocs } from '../../engine/list/parameters.ts';

const name = requiredText(
  { lengthMax: 100 },
  {
    description: 'Name that distinguishes the passkey from others of the person',
    example: 'Chrome on Windows',
  },
);

export const PasskeyName = name.input;

export const Passkey = z
  .strictObject({
    id: assignedId,
    personId: returnedId(
      'ID of the person who signs in with the passkey',
      '01980a3f-3c4d-7e5f-8a6b-7c8d9e0f1a2b',
    ),
    name: name.output,
    isSynced: z.boolean().meta({
      description:
        'Whether the passkey is synchronised to several devices; otherwise, losing the device loses the passkey',
      example: true,
    }),
    createdAt: returnedTime('When the passkey was set up'),
    lastUsedAt: returnedTime('When the passkey was last used; `null` if never').nullable(),
  })
  .meta({
    id: 'Passkey',
    description: 'A passkey (WebAuthn) of a person, without its keys',
  });
export type Passkey = z.infer<typeof Passkey>;

export const PasskeyPatch = z.strictObject({ id: RecordId, name: name.input.optional() }).meta({
  id: 'PasskeyPatch',
  description: 'Fields to change, as JSON Merge Patch (RFC 7396)',
  example: { name: 'Work laptop' },
});
export type PasskeyPatch = z.output<typeof PasskeyPatch>;

export const PasskeyQuery = z.strictObject({
  ...pageQuery,
  sort: z
    .enum(['name', '-name', 'createdAt', '-createdAt'])
    .default(SORT_DEFAULT)
    .meta({ ...sortDocs, example: '-createdAt' }),
  personId: RecordId.meta({
    description: 'List the passkeys of this person instead of your own. Needs `people:manage`.',
  }).optional(),
});

export const PasskeyPage = pageOf(Passkey, 'PasskeyPage');
