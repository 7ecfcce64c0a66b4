import { OneRecord } from '../../engine/fields/schemas.ts';
import { requireRecord } from '../../engine/list/find-record.ts';
import { listPage } from '../../engine/list/list-records.ts';
import { type Given, type OperationExample, operationsOf } from '../../trpc/init.ts';
import { procedureFor } from '../../trpc/procedure.ts';
import { examplePerson } from '../people/schemas.ts';
import type { SignInCollaborators } from '../people/sign-in-ways.ts';
import { invitations, KEPT_DAYS } from './repository.ts';
import { Invitation, InvitationPage, InvitationQuery, InvitationWithLink, NewInvitation } from './schemas.ts';
import { createInvitation, revokeInvitation } from './service.ts';

const operation = operationsOf('Invitations');
const manageProcedure = procedureFor('people:manage').meta({ isLimited: true });

const example: OperationExample = {
  requests: [examplePerson, { method: 'POST', path: '/invitations', body: { personId: '{1/id}' } }],
  path: { id: '{2/id}' },
};

export const invitationsRouter = (signIn: Given<SignInCollaborators>) => ({
  list: manageProcedure
    .meta(
      operation('GET /invitations', {
        summary: 'List invitations',
        description: `Lists invitations, without their links. Used or expired invitations are kept for ${KEPT_DAYS} days.`,
      }),
    )
    .input(InvitationQuery)
    .output(InvitationPage)
    .query(({ ctx, input }) => listPage(ctx.db, { resource: invitations, input, limit: ctx.limit })),

  create: manageProcedure
    .use(signIn)
    .meta(
      operation('POST /invitations', {
        summary: 'Create a sign-in link for a person',
        description:
          'Creates a single-use invitation link and revokes any earlier one. Anyone who opens the link can set up a ' +
          'passkey for this person. You need all of their rights, and a key without expiry. Not available with an ' +
          'identity provider.',
        status: 201,
        isSecret: true,
        errors: ['not_found', 'link_unavailable', 'limit_reached'],
        example: { requests: [examplePerson], body: { personId: '{1/id}' } },
      }),
    )
    .input(NewInvitation)
    .output(InvitationWithLink)
    .mutation(({ ctx, input }) => createInvitation(ctx, input)),

  get: manageProcedure
    .meta(
      operation('GET /invitations/{id}', {
        summary: 'Read one invitation',
        description:
          'Retrieves an invitation: the person, whether the link was used, and the response of the mail server.',
        example,
      }),
    )
    .input(OneRecord)
    .output(Invitation)
    .query(({ ctx, input }) => requireRecord(ctx.db, invitations, { id: input.id, limit: ctx.limit })),

  revoke: manageProcedure
    .meta(
      operation('PUT /invitations/{id}/revoke', {
        summary: 'Revoke an invitation',
        description: 'Revokes an invitation. Has no effect if it was already used or has expired.',
        example,
      }),
    )
    .input(OneRecord)
    .output(Invitation)
    .mutation(({ ctx, input }) => revokeInvitation(ctx, input.id)),
});
