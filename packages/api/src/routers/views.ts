import type { TRPCRouterRecord } from '@trpc/server';
import { z } from 'zod';
import { readScopes } from '../access/scopes.ts';
import { procedureFor } from '../procedures/procedure.ts';
import {
  NewView,
  OneView,
  OneViewOfVersion,
  View,
  ViewPage,
  ViewPatch,
  ViewQuery,
} from '../views/schemas.ts';
import { createView, deleteView, getView, listViews, updateView } from '../views/service.ts';

/** For everyone who may read a list: a view has no records, so an office limit hides none of it. */
const viewProcedure = procedureFor(...readScopes).meta({ isLimited: true });
const tags = ['Views'];

export const viewsRouter = {
  list: viewProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/views',
        tags,
        summary: 'List saved views',
        description:
          'One page of your own views and of the shared ones, of the lists that you may read. A view holds parameters of a ' +
          'list and no records: what you see through it is what you may see in the list.',
      },
      errors: ['invalid_cursor', 'cursor_mismatch'],
    })
    .input(ViewQuery)
    .output(ViewPage)
    .query(({ ctx, input }) => listViews(ctx, input)),

  create: viewProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/views',
        tags,
        summary: 'Save a view',
        description:
          'Saves the parameters of a list, with its columns, as a view of your own, private unless `isShared` is true. The list must ' +
          'accept the parameters. A key or a person has at most 200 views.',
      },
      status: 201,
      errors: ['idempotency_in_progress', 'idempotency_key_reused', 'not_found', 'limit_reached'],
    })
    .input(NewView)
    .output(View)
    .mutation(({ ctx, input }) => createView(ctx, input)),

  get: viewProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/views/{id}',
        tags,
        summary: 'Read one saved view',
        description: 'One of your own views, or a shared one.',
      },
      errors: ['not_found'],
    })
    .input(OneView)
    .output(View)
    .query(({ ctx, input }) => getView(ctx, input.id)),

  delete: viewProcedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/views/{id}',
        tags,
        summary: 'Delete a saved view',
        description:
          'Permanent. A shared view is deleted by its owner, or with the scope `people:manage` for everything.',
      },
      status: 204,
      errors: ['version_conflict', 'version_required', 'not_found'],
    })
    .input(OneViewOfVersion)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteView(ctx, input)),

  update: viewProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/views/{id}',
        tags,
        summary: 'Change a saved view',
        description:
          'JSON Merge Patch: a null in `query` removes a parameter. A shared view is changed by its owner, or with the scope ' +
          '`people:manage` for everything; only the owner makes it private.',
        contentTypes: ['application/merge-patch+json', 'application/json'],
      },
      errors: [
        'idempotency_in_progress',
        'idempotency_key_reused',
        'version_conflict',
        'version_required',
        'not_found',
      ],
    })
    .input(ViewPatch)
    .output(View)
    .mutation(({ ctx, input }) => updateView(ctx, input)),
} satisfies TRPCRouterRecord;
