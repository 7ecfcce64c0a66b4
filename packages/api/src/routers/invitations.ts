import type { TRPCRouterRecord } from '@trpc/server';
import { z } from 'zod';
import { invitations } from '../invitations/repository.ts';
import {
  Invitation,
  InvitationPage,
  InvitationQuery,
  InvitationWithLink,
  NewInvitation,
} from '../invitations/schemas.ts';
import { createInvitation, getInvitation, revokeInvitation } from '../invitations/service.ts';
import { procedureFor } from '../procedures/procedure.ts';
import { RecordId } from '../resources/fields/schemas.ts';
import { readPage } from '../resources/list/list-records.ts';

const tags = ['Invitations'];
const OneInvitation = z.strictObject({ id: RecordId });
const manageProcedure = procedureFor('people:manage').meta({ isLimited: true });

export const invitationsRouter = {
  list: manageProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/invitations',
        tags,
        summary: 'List invitations',
        description:
          'One page of the invitations, without their links. One that was used or has ended is kept for 90 days.',
      },
      errors: ['invalid_cursor', 'cursor_mismatch'],
    })
    .input(InvitationQuery)
    .output(InvitationPage)
    .query(async ({ ctx, input }) =>
      (await readPage(ctx.db, { resource: invitations, input, limit: ctx.limit })).decode(),
    ),

  create: manageProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/invitations',
        tags,
        summary: 'Make a link for a person',
        description:
          'Whoever opens the link can set up a passkey and sign in as the person from then on. It works once, for days, and ends an earlier ' +
          'one of the person. It also ends when the roles or the e-mail address of the person change, and when all their sessions are ended. ' +
          'You need all rights of the person, and a key that does not expire. Where an identity provider is set up no links are made.',
      },
      status: 201,
      isSecret: true,
      errors: ['not_found', 'link_unavailable', 'limit_reached'],
    })
    .input(NewInvitation)
    .output(InvitationWithLink)
    .mutation(({ ctx, input }) => createInvitation(ctx, input)),

  get: manageProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/invitations/{id}',
        tags,
        summary: 'Read one invitation',
        description: 'Whom it is for, whether it was used, and what the mail server answered if it was sent.',
      },
      errors: ['not_found'],
    })
    .input(OneInvitation)
    .output(Invitation)
    .query(({ ctx, input }) => getInvitation(ctx.db, { id: input.id, limit: ctx.limit })),

  revoke: manageProcedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/invitations/{id}/revoke',
        tags,
        summary: 'Revoke an invitation',
        description:
          'The link works no longer. An invitation that was used or has ended is returned unchanged.',
      },
      errors: ['not_found'],
    })
    .input(OneInvitation)
    .output(Invitation)
    .mutation(({ ctx, input }) => revokeInvitation(ctx, input.id)),
} satisfies TRPCRouterRecord;
