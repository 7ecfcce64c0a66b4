import { z } from 'zod';
import { Actor } from '../../engine/actor.ts';
import { requiredEmail } from '../../engine/fields/contact.ts';
import { requiredText } from '../../engine/fields/field.ts';
import { answeredTime, assignedId, RecordId } from '../../engine/fields/schemas.ts';
import { pageOf, pageQuery, repeated, SORT_DEFAULT, sortDocs } from '../../engine/list/parameters.ts';
import type { ExampleRequest } from '../../trpc/meta.ts';
import { GRANTS_MAX, Grant, NewGrant } from '../access/roles.ts';

const name = requiredText({ lengthMax: 200 }, { description: 'The name', example: 'Ana Martins' });
const email = requiredEmail({
  description:
    'The e-mail address, unique ignoring case, to which invitations are sent, and by which the first sign-in at an identity provider finds the person',
  example: 'ana@atlantico.example',
});
const grantsDocs = {
  description: 'The roles, each for everything or for some offices; the rights are those of all together',
  example: [{ role: 'manager', officeIds: null }],
};
const grants = z.array(NewGrant).min(1).max(GRANTS_MAX).meta(grantsDocs);

export const PersonStatus = z.enum(['invited', 'active', 'inactive']).meta({
  id: 'PersonStatus',
  description:
    '`invited` until the first sign-in, then `active`; `inactive` if the person may not sign in any more',
  example: 'active',
});

export const SignInWay = z.enum(['provider', 'passkey', 'invitation', 'none']).meta({
  id: 'SignInWay',
  description:
    'How the person signs in now: at the identity provider, with a passkey, or, for the first time, with an invitation that is ' +
    'open; `none` if the person cannot sign in and needs an invitation',
  example: 'passkey',
});

export const Person = z
  .strictObject({
    id: assignedId,
    name: name.output,
    email: email.output,
    status: PersonStatus,
    signInWay: SignInWay,
    grants: z.array(Grant).meta({ ...grantsDocs, maxItems: GRANTS_MAX }),
    createdAt: answeredTime('When the person was invited'),
    createdBy: Actor.nullable().meta({
      description: 'Who invited the person; null if the service did, or if that key or person is gone',
    }),
    updatedAt: answeredTime('When anything in it last changed, except for lastSignedInAt'),
    lastSignedInAt: answeredTime('When the person last signed in; null if never').nullable(),
  })
  .meta({ id: 'Person', description: 'Someone who may sign in, with their roles' });
export type Person = z.infer<typeof Person>;

export const NewPerson = z.strictObject({ name: name.input, email: email.input, grants }).meta({
  id: 'NewPerson',
  description: 'A person to invite',
  example: { name: 'Ana Martins', email: 'ana@atlantico.example', grants: [{ role: 'manager' }] },
});
export type NewPerson = z.output<typeof NewPerson>;

export const PersonPatch = z
  .strictObject({
    id: RecordId,
    name: name.input.optional(),
    email: email.input.optional(),
    grants: grants.optional(),
  })
  .meta({
    id: 'PersonPatch',
    description: 'What to change: JSON Merge Patch (RFC 7396); grants are replaced as a whole',
    example: { name: 'Ana Martins' },
  });
export type PersonPatch = z.output<typeof PersonPatch>;

export const PersonQuery = z.strictObject({
  ...pageQuery,
  sort: z
    .enum(['name', '-name', 'createdAt', '-createdAt'])
    .default(SORT_DEFAULT)
    .meta({ ...sortDocs, example: 'name' }),
  status: repeated(PersonStatus, {
    description: 'Without it people of every status are listed',
    example: 'active',
  }),
});

export const PersonPage = pageOf(Person, 'PersonPage');

/** The request that creates a person to try an operation on, with an address that gets no mail. */
export const examplePerson: ExampleRequest = {
  method: 'POST',
  path: '/people',
  body: { name: 'Example person', email: '{email}', grants: [{ role: 'viewer' }] },
};
