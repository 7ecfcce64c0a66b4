import type { TRPCRouterRecord } from '@trpc/server';
import { z } from 'zod';
import { creations, ownerMaxOf } from '../access/creation-limits.ts';
import { readScopes } from '../access/scopes.ts';
import { resourceNames } from '../directory/registry.ts';
import { OneRecord, OneRecordOfVersion } from '../engine/fields/schemas.ts';
import { ignoreUnchanged } from '../records/unchanged-fields.ts';
import { operationsOf } from '../trpc/init.ts';
import { proceduresOf } from '../trpc/procedure.ts';
import { shownRecord } from '../trpc/replay-authorization.ts';
import { views } from './repository.ts';
import { NewView, View, ViewPage, ViewPatch, ViewQuery } from './schemas.ts';
import { createView, deleteView, getView, listViews, updateView } from './service.ts';

/** Views contain no records, so limits don't apply. */
const { procedureFor } = proceduresOf({ shownIn: shownRecord(views) });
const viewProcedure = procedureFor(...readScopes).meta({ isLimited: true });
const operation = operationsOf('Views');

export const viewsRouter = {
  list: viewProcedure
    .meta(
      operation('GET /views', {
        summary: 'List saved views',
        description:
          'Lists your views and shared views of lists you can read. A view stores the parameters of a list, not its ' +
          'records. What you see through a view depends on your access.',
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
          'Saves list parameters and columns as a view, private unless `isShared` is `true`. The list must accept the ' +
          `parameters. You can have at most ${ownerMaxOf('views', creations.views.max)} views.`,
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
        description: 'Retrieves one of your views or a shared view.',
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
          'Deletes a view permanently. To delete a shared view, you must be its owner or have the unrestricted scope ' +
          '`people:manage`.',
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
          'Updates the fields you send (JSON Merge Patch). In `query`, `null` removes a parameter. To change a shared ' +
          'view, you must own it or have the unrestricted scope `people:manage`. Only the owner can make a view private.',
        errors: ['version_conflict', 'version_required'],
      }),
    )
    .use((call) => ignoreUnchanged(call, ViewPatch, getView))
    .input(ViewPatch)
    .output(View)
    .mutation(({ ctx, input }) => updateView(ctx, input)),
} satisfies TRPCRouterRecord;
