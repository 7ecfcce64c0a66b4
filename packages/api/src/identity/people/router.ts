import { z } from 'zod';
import { OneRecord } from '../../engine/fields/schemas.ts';
import { listPage } from '../../engine/list/list-records.ts';
import type { Given } from '../../trpc/given.ts';
import { operationsOf } from '../../trpc/meta.ts';
import { everyCallerChangeProcedure, keyChangeProcedureFor, procedureFor } from '../../trpc/procedure.ts';
import { ignoreUnchanged } from '../../trpc/unchanged-fields.ts';
import { peopleOf } from './repository.ts';
import { examplePerson, NewPerson, Person, PersonPage, PersonPatch, PersonQuery } from './schemas.ts';
import {
  deactivatePerson,
  deletePerson,
  getPerson,
  invitePerson,
  reactivatePerson,
  revokeSessionsOf,
  updatePerson,
} from './service.ts';
import type { SignInCollaborators } from './sign-in-ways.ts';

const operation = operationsOf('People');
const manageProcedure = procedureFor('people:manage').meta({ isLimited: true });
const changeProcedure = keyChangeProcedureFor('people:manage').meta({ isLimited: true });

export const peopleRouter = (signIn: Given<SignInCollaborators>) => ({
  list: manageProcedure
    .use(signIn)
    .meta(
      operation('GET /people', {
        summary: 'List people',
        description: 'One page of the people who may sign in, or might once they are active again.',
      }),
    )
    .input(PersonQuery)
    .output(PersonPage)
    .query(({ ctx, input }) => listPage(ctx.db, { resource: peopleOf(ctx.signIn), input, limit: ctx.limit })),

  invite: manageProcedure
    .use(signIn)
    .meta(
      operation('POST /people', {
        summary: 'Invite a person',
        description:
          'The person can sign in from now on at the identity provider with the e-mail address, or, if the service has none, with a link ' +
          'that you make next (`POST /invitations`), and is active from the first time. Nothing is sent by this. ' +
          'Nobody can give roles or offices that they do not have; a key that expires cannot give any.',
        status: 201,
        errors: ['person_email_taken', 'reference_not_found'],
        example: { requests: [examplePerson] },
      }),
    )
    .input(NewPerson)
    .output(Person)
    .mutation(({ ctx, input }) => invitePerson(ctx, input)),

  get: manageProcedure
    .use(signIn)
    .meta(
      operation('GET /people/{id}', {
        summary: 'Read one person',
        description: 'The person with their roles, and when they last signed in.',
      }),
    )
    .input(OneRecord)
    .output(Person)
    .query(({ ctx, input }) => getPerson(ctx.db, { id: input.id, limit: ctx.limit }, ctx.signIn)),

  delete: changeProcedure
    .use(signIn)
    .meta(
      operation('DELETE /people/{id}', {
        summary: 'Delete a person',
        description:
          'Permanent; ends their sessions on all servers within a second. Their changes keep the id. Deactivate them instead ' +
          'to keep the name.',
        status: 204,
        errors: ['last_admin'],
      }),
    )
    .input(OneRecord)
    .output(z.void())
    .mutation(({ ctx, input }) => deletePerson(ctx, input.id)),

  update: changeProcedure
    .use(signIn)
    .meta(
      operation('PATCH /people/{id}', {
        summary: 'Change a person',
        description:
          'JSON Merge Patch. Takes effect on all servers within a second, also for sessions and open streams. Nobody can ' +
          'change a person with roles or offices that they do not have, or give such.',
        errors: ['person_email_taken', 'last_admin', 'reference_not_found'],
      }),
    )
    .use((call) =>
      ignoreUnchanged(call, PersonPatch, ({ db, limit }, id) =>
        getPerson(db, { id, limit }, call.ctx.signIn),
      ),
    )
    .input(PersonPatch)
    .output(Person)
    .mutation(({ ctx, input }) => updatePerson(ctx, input)),

  deactivate: changeProcedure
    .use(signIn)
    .meta(
      operation('PUT /people/{id}/deactivate', {
        summary: 'Deactivate a person',
        description:
          'The person can no longer sign in, and their sessions end on all servers within a second. Deactivating an inactive ' +
          'person returns them unchanged.',
        errors: ['last_admin'],
      }),
    )
    .input(OneRecord)
    .output(Person)
    .mutation(({ ctx, input }) => deactivatePerson(ctx, input.id)),

  reactivate: changeProcedure
    .use(signIn)
    .meta(
      operation('PUT /people/{id}/reactivate', {
        summary: 'Reactivate a person',
        description: 'The person can sign in again, with the same roles as before.',
      }),
    )
    .input(OneRecord)
    .output(Person)
    .mutation(({ ctx, input }) => reactivatePerson(ctx, input.id)),

  revokeSessions: everyCallerChangeProcedure
    .use(signIn)
    .meta(
      operation('PUT /people/{id}/revoke-sessions', {
        summary: 'End all sessions of a person',
        description:
          'Takes effect on all servers within a second; the person can sign in again. Those of another person need the scope ' +
          '`people:manage`.',
        errors: ['insufficient_scope'],
      }),
    )
    .input(OneRecord)
    .output(Person)
    .mutation(({ ctx, input }) => revokeSessionsOf(ctx, input.id)),
});
