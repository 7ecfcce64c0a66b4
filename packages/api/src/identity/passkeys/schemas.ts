import { z } from 'zod';
import { answeredId, requiredText } from '../../engine/fields/field.ts';
import { answeredTime, assignedId, RecordId } from '../../engine/fields/schemas.ts';
import { pageOf, pageQuery, SORT_DEFAULT, sortDocs } from '../../engine/list/parameters.ts';

const name = requiredText(
  { lengthMax: 100 },
  { description: 'The name by which its person tells it from others', example: 'Chrome on Windows' },
);

export const PasskeyName = name.input;

export const Passkey = z
  .strictObject({
    id: assignedId,
    personId: answeredId('Who signs in with it', '01980a3f-3c4d-7e5f-8a6b-7c8d9e0f1a2b'),
    name: name.output,
    isSynced: z.boolean().meta({
      description:
        'Whether it is kept on several devices of the person, such as those of one account; else a loss of the device loses it',
      example: true,
    }),
    createdAt: answeredTime('When it was set up'),
    lastUsedAt: answeredTime('When the person last signed in with it; null if never').nullable(),
  })
  .meta({
    id: 'Passkey',
    description: 'A passkey (WebAuthn) with which a person signs in, without its keys',
  });
export type Passkey = z.infer<typeof Passkey>;

export const PasskeyPatch = z.strictObject({ id: RecordId, name: name.input.optional() }).meta({
  id: 'PasskeyPatch',
  description: 'What to change: JSON Merge Patch (RFC 7396)',
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
    description: 'The passkeys of this person, not your own: needs `people:manage`',
  }).optional(),
});

export const PasskeyPage = pageOf(Passkey, 'PasskeyPage');
