/** The parameters of a view, as in the query of the API: text, or a list of texts of which any matches. */
export type SearchParams = Record<string, string | string[] | undefined>;

export function listValues(search: SearchParams, name: string): string[] {
  return [search[name] ?? []].flat();
}

/** Reads the query of a URL. A parameter that is there more than once is a list. */
export function parseSearch(query: string): SearchParams {
  const params = new URLSearchParams(query);
  const parsed: SearchParams = {};
  for (const name of new Set(params.keys())) {
    const values = params.getAll(name);
    parsed[name] = values.length === 1 ? values[0] : values;
  }
  return parsed;
}

/** Writes the query of a URL, so that it reads like a query of the API: `?status=active&region=11&region=08`. */
export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    for (const one of [value].flat()) {
      if (one !== undefined && one !== null && one !== '') params.append(name, String(one));
    }
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
