import { z } from 'zod';
import { GRANTS_MAX, Grant, NewGrant } from '../../access/roles.ts';
import { Actor } from '../../engine/actor.ts';
import { requiredEmail } from '../../engine/fields/contact.ts';
import { requiredText } from '../../engine/fields/field.ts';
import { assignedId, RecordId, returnedTime } from '../../engine/fields/schemas.ts';
import { pageOf, pageQuery, repeated, SORT_DEFAULT, sortDocs } from '../../engine/list/parameters.ts';
import type { ExampleRequest } from '../../trpc/init.ts';

const name = requiredText({ lengthMax: 200 }, { description: 'Name of the person', example: 'Ana Martins' });
const email = requiredEmail({
  description:
    'Email address, unique ignoring case. Used for invitations, and for the first sign-in at an identity provider.',
  example: 'ana@atlantico.example',
});

export const PersonEmail = email.input;

const grantsDocs = {
  description:
    'Roles, each for all offices or some offices. The person has the rights of all roles together.',
  example: [{ role: 'manager', officeIds: null }],
};
const grants = z.array(NewGrant).min(1).max(GRANTS_MAX).meta(grantsDocs);

export const PersonStatus = z.enum(['invited', 'active', 'inactive']).meta({
  id: 'PersonStatus',
  description: '`invited` until the first sign-in, then `active`; `inactive` if the person was deactivated',
  example: 'active',
});

export const SignInWay = z.enum(['provider', 'passkey', 'invitation', 'none']).meta({
  id: 'SignInWay',
  description:
    'Current way to sign in: at the identity provider, with a passkey, or with an open invitation; otherwise `none`',
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
    createdAt: returnedTime('When the person was invited'),
    createdBy: Actor.nullable().meta({
      description: 'Key or person that sent the invitation; `null` if the service did, or if it was deleted',
    }),
    updatedAt: returnedTime('When the person last changed, not counting sign-ins'),
    lastSignedInAt: returnedTime('When the person last signed in; `null` if never').nullable(),
  })
  .meta({ id: 'Person', description: 'A person with access, and their roles' });
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
    description: 'Fields to change, as JSON Merge Patch (RFC 7396). Grants are replaced as a whole.',
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
    description: 'Filter by status. Defaults to all.',
    example: 'active',
  }),
});

export const PersonPage = pageOf(Person, 'PersonPage');

/** The address receives no mail. */
export const examplePerson: ExampleRequest = {
  method: 'POST',
  path: '/people',
  body: { name: 'Example person', email: '{email}', grants: [{ role: 'viewer' }] },
};
