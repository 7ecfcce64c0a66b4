/** Names of the fields of an office in spreadsheets, besides those that all records have. */
export const synonyms: Readonly<Record<string, readonly string[]>> = {
  name: ['office', 'office name', 'branch name', 'company', 'company name'],
  legalName: ['registered name'],
  type: ['office type'],
  timeZone: ['timezone', 'tz'],
};
