/** Names of the fields of an office in spreadsheets, besides those that all records have. */
export const synonyms: Readonly<Record<string, readonly string[]>> = {
  name: [
    'office',
    'office name',
    'branch name',
    'company',
    'company name',
    'nome',
    'escritório',
    'agência',
    'loja',
  ],
  legalName: ['registered name', 'denominação social', 'firma'],
  type: ['office type'],
  timeZone: ['timezone', 'tz'],
};
