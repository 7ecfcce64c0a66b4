import json from '../generated/regions.json' with { type: 'json' };

const byCountry: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> = json;

/** The regions of a country by name, as the country writes it: its states, provinces or districts. None of a country without any. */
export function regionsOf(country: string): readonly { code: string; name: string }[] {
  return Object.entries(byCountry[country] ?? {}).map(([code, name]) => ({ code, name }));
}
