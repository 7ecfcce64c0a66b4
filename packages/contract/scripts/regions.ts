import { iso31662 } from 'iso-3166';

/** The names of the regions of each country, by the part of their codes after the hyphen (ISO 3166-2). */
export function regions(): Record<string, Record<string, string>> {
  const byCountry: Record<string, Record<string, string>> = {};
  for (const { code, name } of iso31662) {
    const [country = '', region = ''] = code.split(/-(.*)/);
    byCountry[country] = { ...byCountry[country], [region]: name };
  }
  return byCountry;
}
