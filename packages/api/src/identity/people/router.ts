import { z } from 'zod';
import { OneRecord } from '../../engine/fields/schemas.ts';
import { listPage } from '../../engine/list/list-records.ts';
import { ignoreUnchanged } from '../../records/unchanged-fields.ts';
import { type Given, operationsOf } from '../../trpc/init.ts';
import { everyCallerChangeProcedure, proceduresOf } from '../../trpc/procedure.ts';
import { shownRecord } from '../../trpc/replay-authorization.ts';
import { people, peopleOf } from './repository.ts';
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
const { keyChangeProcedureFor, procedureFor } = proceduresOf({ shownIn: shownRecord(people) });
const manageProcedure = procedureFor('people:manage').meta({ isLimited: true });
const changeProcedure = keyChangeProcedureFor('people:manage').meta({ isLimited: true });

export const peopleRouter = (signIn: Given<SignInCollaborators>) => ({
  list: manageProcedure
    .use(signIn)
    .meta(
      operation('GET /people', {
        summary: 'List people',
        description: 'Lists people with access, including deactivated people.',
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
          'Invites a person, who becomes active at the first sign-in: at the identity provider, or with a link from `POST ' +
          '/invitations`. No email is sent. You can only grant roles and offices you have, with a key without expiry.',
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
        description: 'Retrieves a person, with their roles and last sign-in.',
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
          'Deletes a person permanently, and ends their sessions on all servers within a second. Their changes keep the ' +
          "person's ID. To keep the name, deactivate the person instead.",
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
          'Updates the fields you send (JSON Merge Patch). Takes effect on all servers within a second, including sessions ' +
          'and open streams. You can only change people, and grant roles and offices, within your own rights.',
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
          'Deactivates a person and ends their sessions on all servers within a second. Has no effect if the person is ' +
          'already inactive.',
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
        description: 'Reactivates a person with their previous roles.',
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
          'Ends all sessions of a person on all servers within a second. The person can sign in again. For other people, ' +
          'you need the scope `people:manage`.',
        errors: ['insufficient_scope'],
      }),
    )
    .input(OneRecord)
    .output(Person)
    .mutation(({ ctx, input }) => revokeSessionsOf(ctx, input.id)),
});
