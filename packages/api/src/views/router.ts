import type { TRPCRouterRecord } from '@trpc/server';
import { z } from 'zod';
import { resourceNames } from '../directory.ts';
import { OneRecord, OneRecordOfVersion } from '../engine/fields/schemas.ts';
import { readScopes } from '../identity/access/scopes.ts';
import { operationsOf } from '../trpc/meta.ts';
import { procedureFor } from '../trpc/procedure.ts';
import { ignoreUnchanged } from '../trpc/unchanged-fields.ts';
import { NewView, View, ViewPage, ViewPatch, ViewQuery } from './schemas.ts';
import { createView, deleteView, getView, listViews, updateView } from './service.ts';

/** For everyone who may read a list: a view has no records, so an office limit hides none of it. */
const viewProcedure = procedureFor(...readScopes).meta({ isLimited: true });
const operation = operationsOf('Views');

export const viewsRouter = {
  list: viewProcedure
    .meta(
      operation('GET /views', {
        summary: 'List saved views',
        description:
          'One page of your own views and of the shared ones, of the lists that you may read. A view holds parameters of a ' +
          'list and no records: what you see through it is what you may see in the list.',
      }),
    )
    .input(ViewQuery)
    .output(ViewPage)
    .query(({ ctx, input }) => listViews(ctx, input)),

  create: viewProcedure
    .meta(
      operation('POST /views', {
        summary: 'Save a view',
        description:
          'Saves the parameters of a list, with its columns, as a view of your own, private unless `isShared` is true. The list must ' +
          'accept the parameters. A key or a person has at most 200 views.',
        status: 201,
        errors: ['limit_reached'],
        example: {
          requests: [
            { method: 'POST', path: '/views', body: { name: 'Example view', resource: resourceNames[0] } },
          ],
        },
      }),
    )
    .input(NewView)
    .output(View)
    .mutation(({ ctx, input }) => createView(ctx, input)),

  get: viewProcedure
    .meta(
      operation('GET /views/{id}', {
        summary: 'Read one saved view',
        description: 'One of your own views, or a shared one.',
        errors: ['version_conflict'],
      }),
    )
    .input(OneRecord)
    .output(View)
    .query(({ ctx, input }) => getView(ctx, input.id)),

  delete: viewProcedure
    .meta(
      operation('DELETE /views/{id}', {
        summary: 'Delete a saved view',
        description:
          'Permanent. A shared view is deleted by its owner, or with the scope `people:manage` for everything.',
        status: 204,
        errors: ['version_conflict', 'version_required'],
      }),
    )
    .input(OneRecordOfVersion)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteView(ctx, input)),

  update: viewProcedure
    .meta(
      operation('PATCH /views/{id}', {
        summary: 'Change a saved view',
        description:
          'JSON Merge Patch: a null in `query` removes a parameter. A shared view is changed by its owner, or with the scope ' +
          '`people:manage` for everything; only the owner makes it private.',
        errors: ['version_conflict', 'version_required'],
      }),
    )
    .use((call) => ignoreUnchanged(call, ViewPatch, getView))
    .input(ViewPatch)
    .output(View)
    .mutation(({ ctx, input }) => updateView(ctx, input)),
} satisfies TRPCRouterRecord;
