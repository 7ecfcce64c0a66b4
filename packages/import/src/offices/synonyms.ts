/** Names of the fields of an office in spreadsheets, besides those that all records have. */
export const synonyms: Readonly<Record<string, string>> = {
  id: 'office id | branch id | id do escritório',
  name: 'name | office | office name | account name | business name | =licensee name | nome | nombre | nome do escritório',
  legalName:
    'registered name | legal entity | legal name | legal business name | denominação social | firma | razón social',
  type: 'office type',
  timeZone: 'timezone | time zone | tz | fuso horário | zona horaria',
};

/** Words that say whose a value is, or which of several, and not what: tried one list after the other. */
export const contexts = [
  ['office'],
  ['office', 'work', 'business', 'primary', 'main', 'principal', 'current', '1'],
  ['office', 'address', '1'],
];
