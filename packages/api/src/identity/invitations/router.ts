import { OneRecord } from '../../engine/fields/schemas.ts';
import { requireRecord } from '../../engine/list/find-record.ts';
import { listPage } from '../../engine/list/list-records.ts';
import type { Given } from '../../trpc/given.ts';
import { type OperationExample, operationsOf } from '../../trpc/meta.ts';
import { procedureFor } from '../../trpc/procedure.ts';
import { examplePerson } from '../people/schemas.ts';
import type { SignInCollaborators } from '../people/sign-in-ways.ts';
import { invitations } from './repository.ts';
import { Invitation, InvitationPage, InvitationQuery, InvitationWithLink, NewInvitation } from './schemas.ts';
import { createInvitation, revokeInvitation } from './service.ts';

const operation = operationsOf('Invitations');
const manageProcedure = procedureFor('people:manage').meta({ isLimited: true });

/** An invitation of a person who is created for it. */
const example: OperationExample = {
  requests: [examplePerson, { method: 'POST', path: '/invitations', body: { personId: '{1/id}' } }],
  path: { id: '{2/id}' },
};

export const invitationsRouter = (signIn: Given<SignInCollaborators>) => ({
  list: manageProcedure
    .meta(
      operation('GET /invitations', {
        summary: 'List invitations',
        description:
          'One page of the invitations, without their links. One that was used or has ended is kept for 90 days.',
      }),
    )
    .input(InvitationQuery)
    .output(InvitationPage)
    .query(({ ctx, input }) => listPage(ctx.db, { resource: invitations, input, limit: ctx.limit })),

  create: manageProcedure
    .use(signIn)
    .meta(
      operation('POST /invitations', {
        summary: 'Make a link for a person',
        description:
          'Whoever opens the link can set up a passkey and sign in as the person from then on. It works once, for days, and ends an earlier ' +
          'one of the person. It also ends when the roles or the e-mail address of the person change, and when all their sessions are ended. ' +
          'You need all rights of the person, and a key that does not expire. Where an identity provider is set up no links are made.',
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
        description: 'Whom it is for, whether it was used, and what the mail server answered if it was sent.',
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
        description:
          'The link works no longer. An invitation that was used or has ended is returned unchanged.',
        example,
      }),
    )
    .input(OneRecord)
    .output(Invitation)
    .mutation(({ ctx, input }) => revokeInvitation(ctx, input.id)),
});
