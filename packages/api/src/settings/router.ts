import { keysOf } from '@roster/fields/objects';
import { z } from 'zod';
import { RosterError } from '../errors/roster-error.ts';
import type { RecordCollaborators, RecordContext } from '../records/procedure.ts';
import { type Given, operationsOf } from '../trpc/init.ts';
import { everyCallerProcedure, procedureFor } from '../trpc/procedure.ts';
import { DEFAULT_NAME, Settings, SettingsPatch } from './schemas.ts';

/** Reads the settings of the directory. A country that the environment sets overrides that of the table. */
async function readSettings({
  db,
  settings: { defaultCountry },
}: Pick<RecordContext, 'db' | 'settings'>): Promise<Settings> {
  const row = await db.selectFrom('directory_setting').selectAll().executeTakeFirst();
  return {
    name: row?.name ?? DEFAULT_NAME,
    defaultCountry: defaultCountry ?? row?.default_country ?? null,
    isDefaultCountryFixed: defaultCountry !== undefined,
    updatedAt: row?.updated_at.toISOString() ?? null,
  };
}

/** Changes the settings of the directory. Throws `setting_fixed` for one that the environment sets. */
async function updateSettings(ctx: RecordContext, patch: SettingsPatch): Promise<Settings> {
  const { db, settings } = ctx;
  const { name, defaultCountry } = patch;
  if (defaultCountry !== undefined && settings.defaultCountry !== undefined)
    throw new RosterError('setting_fixed', 'The server was started with ROSTER_DEFAULT_COUNTRY.');
  const changes = {
    ...(name !== undefined && { name }),
    ...(defaultCountry !== undefined && { default_country: defaultCountry }),
  };
  const columns = keysOf(changes);
  if (columns.length === 0) return readSettings(ctx);
  const values = { ...changes, updated_at: ctx.now() };
  await db
    .insertInto('directory_setting')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .column('is_only')
        .doUpdateSet(values)
        .where(({ eb, or }) =>
          or(
            columns.map((column) =>
              eb(`directory_setting.${column}`, 'is distinct from', changes[column] ?? null),
            ),
          ),
        ),
    )
    .execute();
  return readSettings(ctx);
}

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
