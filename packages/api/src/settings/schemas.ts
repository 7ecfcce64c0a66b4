import { z } from 'zod';
import { PhoneCountry } from '../engine/fields/countries.ts';
import { requiredText } from '../engine/fields/field.ts';
import { returnedTime } from '../engine/fields/schemas.ts';

/** The name of a directory that has not been named. */
export const DEFAULT_NAME = 'Roster';

const nameDocs = {
  description: 'Name of the directory, which the console shows. With `null`, it is the default name, Roster.',
  example: 'Casa Clara',
};
const name = requiredText({ lengthMax: 100 }, nameDocs);

const defaultCountryDocs = {
  description:
    'Default country of phone numbers without a country code (ISO 3166-1 alpha-2). With `null`, they need a country code.',
  example: 'PT',
};

export const Settings = z
  .strictObject({
    name: name.output,
    defaultCountry: z
      .string()
      .nullable()
      .meta({ ...defaultCountryDocs, format: 'country' }),
    isDefaultCountryFixed: z.boolean().meta({
      description: 'Whether `ROSTER_DEFAULT_COUNTRY` sets the default country, so you cannot change it here',
      example: false,
    }),
    updatedAt: returnedTime('When a setting was last changed; `null` for never').nullable(),
  })
  .meta({ id: 'Settings', description: 'Settings of the directory' });
export type Settings = z.infer<typeof Settings>;

export const SettingsPatch = z
  .strictObject({
    name: name.input.nullable().optional().meta(nameDocs),
    defaultCountry: PhoneCountry.nullable().optional().meta(defaultCountryDocs),
  })
  .meta({
    id: 'SettingsPatch',
    description: 'Settings to change, as JSON Merge Patch (RFC 7396)',
    example: { name: 'Casa Clara', defaultCountry: 'PT' },
  });
export type SettingsPatch = z.output<typeof SettingsPatch>;
