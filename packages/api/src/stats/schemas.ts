import { z } from 'zod';
import { type Directory, forEachResource, type ResourceName } from '../directory/registry.ts';
import { count } from '../engine/fields/schemas.ts';
import { integerParameter } from '../engine/list/parameters.ts';
import { byStatus, OFFICES_MAX, ownCounts } from './counts.ts';

export const REGIONS_MAX = 200;
export const MONTHS_MAX = 60;
const OFFICES_DEFAULT = 20;

const regionsOf = (what: string) =>
  z
    .array(
      z.strictObject({
        country: z.string().nullable().meta({ description: 'Country of the address', example: 'PT' }),
        region: z.string().nullable().meta({ description: 'Region of the address', example: '11' }),
        ...byStatus(what),
      }),
    )
    .meta({
      description: `Counts by country and region of the address, largest number of ${what} first`,
      maxItems: REGIONS_MAX,
    });

const monthsOf = (what: string) =>
  z
    .array(
      z.strictObject({
        month: z.string().meta({ description: 'Month in UTC', example: '2026-01' }),
        joined: count(`Number of ${what} created in the month and not deleted`, 12),
        left: count(`Number of ${what} deactivated in the month and still inactive`, 3),
      }),
    )
    .meta({
      description: 'Counts by month, latest first. Months without changes are omitted.',
      maxItems: MONTHS_MAX,
    });

const licensesOf = (what: string) =>
  z
    .strictObject({
      expired: count(`Number of ${what} whose \`nextLicenseExpiresOn\` is before today, in UTC`, 9),
      next30Days: count(
        `Number of ${what} whose \`nextLicenseExpiresOn\` is within the next 30 days, including today`,
        14,
      ),
      next60Days: count('Number for the next 60 days', 31),
      next90Days: count('Number for the next 90 days', 47),
    })
    .meta({ description: 'Counts by the earliest expiry of a licence' });

const resourceOf = <Own extends z.ZodRawShape, Regions extends z.ZodRawShape, Licenses extends z.ZodRawShape>(
  what: string,
  { own, regions, licenses }: { own: Own; regions: Regions; licenses: Licenses },
) =>
  z
    .strictObject({
      ...byStatus(what),
      ...own,
      ...regions,
      byMonth: monthsOf(what),
      ...licenses,
    })
    .meta({ description: `Counts of ${what}` });

export const StatsQuery = z.strictObject({
  officesMax: integerParameter(z.int().min(0).max(OFFICES_MAX))
    .prefault(OFFICES_DEFAULT)
    .meta({ description: 'Maximum number of offices in `agents.byOffice`', example: OFFICES_DEFAULT }),
});

type ResourceStats = {
  [Name in ResourceName]: ReturnType<
    typeof resourceOf<OwnShape<Name>, RegionsShape<Directory[Name]>, LicensesShape<Directory[Name]>>
  >;
};
type OwnShape<Name extends ResourceName> = (typeof ownCounts)[Name] extends {
  shape: infer Shape extends z.ZodRawShape;
}
  ? Shape
  : Record<never, never>;
type RegionsShape<Definition> = Definition extends { fields: { address: unknown } }
  ? { byRegion: ReturnType<typeof regionsOf> }
  : Record<never, never>;
type LicensesShape<Definition> = Definition extends { fields: { licenses: unknown } }
  ? { licenses: ReturnType<typeof licensesOf> }
  : Record<never, never>;

const resources = forEachResource<ResourceStats>(({ name, fields }) => {
  const licenses = 'licenses' in fields ? { licenses: licensesOf(name) } : {};
  const regions = 'address' in fields ? { byRegion: regionsOf(name) } : {};
  return resourceOf(name, { own: ownCounts[name]?.shape ?? {}, regions, licenses });
});

export const Stats = z
  .strictObject({
    asOf: z.string().meta({
      description: 'Time of the snapshot',
      example: '2026-01-31T08:00:00.000Z',
      format: 'date-time',
    }),
    ...resources,
  })
  .meta({ id: 'Stats', description: 'Counts of the directory, from one snapshot' });
export type Stats = z.infer<typeof Stats>;
