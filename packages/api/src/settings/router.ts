import { z } from 'zod';
import type { RecordCollaborators } from '../records/settings.ts';
import type { Given } from '../trpc/given.ts';
import { operationsOf } from '../trpc/meta.ts';
import { everyCallerProcedure, procedureFor } from '../trpc/procedure.ts';
import { Settings, SettingsPatch } from './schemas.ts';
import { readSettings, updateSettings } from './service.ts';

const operation = operationsOf('Settings');

export const settingsRouter = (settings: Given<RecordCollaborators>) => ({
  get: everyCallerProcedure
    .use(settings)
    .meta(
      operation('GET /settings', {
        summary: 'Read the settings',
        description: 'Returns the settings of the directory. Available to every key and person.',
      }),
    )
    .input(z.strictObject({}))
    .output(Settings)
    .query(({ ctx }) => readSettings(ctx)),

  update: procedureFor('people:manage')
    .use(settings)
    .meta(
      operation('PATCH /settings', {
        summary: 'Change the settings',
        description:
          'Updates the settings you send (JSON Merge Patch), on all servers at once. Stored phone numbers keep their ' +
          'values. Your access must not be restricted to certain offices.',
        errors: ['setting_fixed'],
        example: { reason: 'This would change the settings of the whole directory.' },
      }),
    )
    .input(SettingsPatch)
    .output(Settings)
    .mutation(({ ctx, input }) => updateSettings(ctx, input)),
});
