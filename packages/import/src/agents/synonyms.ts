/** Names of the fields of an agent in spreadsheets, besides those that all records have. */
export const synonyms: Readonly<Record<string, readonly string[]>> = {
  firstName: ['first', 'given name', 'forename', 'nome próprio', 'primeiro nome'],
  middleName: ['middle', 'middle initial', 'nome do meio'],
  lastName: ['last', 'surname', 'family name', 'apelido', 'último nome', 'sobrenome'],
  displayName: ['name', 'full name', 'agent', 'agent name', 'nome', 'nome completo', 'consultor'],
  namePrefix: ['prefix', 'salutation'],
  nameSuffix: ['suffix'],
  title: ['job title', 'position', 'cargo', 'função'],
  mobilePhone: ['mobile', 'mobile number', 'cell', 'cell phone', 'cell number', 'telemóvel', 'tlm'],
  directPhone: ['direct', 'direct line', 'direct number'],
  photoUrl: ['photo', 'picture', 'image', 'headshot', 'fotografia', 'foto'],
  languages: ['language', 'languages spoken', 'idiomas', 'línguas'],
  designations: ['designation'],
  officeName: [
    'office',
    'office name',
    'branch',
    'brokerage',
    'company',
    'escritório',
    'agência',
    'loja',
    'imobiliária',
  ],
};

/** Names that mean a part where a column beside them has the rest: `Nome` beside `Apelido` is the first name. */
export const parts = [{ whole: 'displayName', beside: 'lastName', part: 'firstName' }] as const;
