import { RosterError } from '../errors/roster-error.ts';
import type { RecordContext } from '../records/settings.ts';
import type { Settings, SettingsPatch } from './schemas.ts';

/** Reads the settings of the directory. A country that the environment sets overrides that of the table. */
export async function readSettings({
  db,
  settings: { defaultCountry },
}: Pick<RecordContext, 'db' | 'settings'>): Promise<Settings> {
  const row = await db.selectFrom('directory_setting').selectAll().executeTakeFirst();
  return {
    defaultCountry: defaultCountry ?? row?.default_country ?? null,
    isDefaultCountryFixed: defaultCountry !== undefined,
    updatedAt: row?.updated_at.toISOString() ?? null,
  };
}

/** Changes the settings of the directory. Throws `setting_fixed` for one that the environment sets. */
export async function updateSettings(
  ctx: RecordContext,
  { defaultCountry }: SettingsPatch,
): Promise<Settings> {
  const { db, settings } = ctx;
  if (defaultCountry === undefined) return readSettings(ctx);
  if (settings.defaultCountry !== undefined)
    throw new RosterError('setting_fixed', 'The server was started with ROSTER_DEFAULT_COUNTRY.');
  const values = { default_country: defaultCountry, updated_at: ctx.now() };
  await db
    .insertInto('directory_setting')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .column('is_only')
        .doUpdateSet(values)
        .where('directory_setting.default_country', 'is distinct from', defaultCountry),
    )
    .execute();
  return readSettings(ctx);
}
