import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
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
  if (settings.defaultCountry !== undefined) throw new RosterError('setting_fixed');
  await sql`
    insert into directory_setting as stored (default_country, updated_at)
    values (${defaultCountry}, ${ctx.now()}::timestamptz)
    on conflict (is_only) do update set default_country = excluded.default_country, updated_at = excluded.updated_at
    where stored.default_country is distinct from excluded.default_country`.execute(db);
  return readSettings(ctx);
}

/** Sets the default country of a directory for which nobody has chosen one. Returns whether it was set. */
export async function chooseFirstCountry(
  db: Kysely<Database>,
  { country, now }: { country: string; now: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into directory_setting (default_country, updated_at) values (${country}, ${now}::timestamptz)
    on conflict do nothing`.execute(db);
  return numAffectedRows === 1n;
}
