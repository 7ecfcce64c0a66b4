/** Names of the fields of an office in spreadsheets, besides those that all records have. */
export const synonyms: Readonly<Record<string, readonly string[]>> = {
  id: ['office id', 'branch id', 'id do escritório'],
  name: [
    ...[
      'office',
      'office name',
      'branch',
      'branch name',
      'company',
      'company name',
      'account name',
      'organization',
    ],
    ...['organization name', 'brokerage', 'brokerage name', 'firm name', 'business name', 'licensee name'],
    ...['nome', 'escritório', 'nome do escritório', 'agência', 'loja'],
  ],
  legalName: ['registered name', 'legal entity', 'legal business name', 'denominação social', 'firma'],
  type: ['office type'],
  timeZone: ['timezone', 'tz'],
};
