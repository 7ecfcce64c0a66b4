import { countryName } from '@roster/import';
import type { Region } from './regions.ts';

/** Countries with their names in a language, as regions are. */
export const countryPlaces = (codes: readonly string[], locale: string): Region[] =>
  codes.map((code) => ({ code, name: countryName(code, locale) }));

/** Sorts countries or regions by their names. */
export const placesByName = (places: readonly Region[], locale: string): Region[] =>
  places.toSorted((one, other) => one.name.localeCompare(other.name, locale));
