/** Names of the fields of an agent in spreadsheets, besides those that all records have. */
export const synonyms: Readonly<Record<string, readonly string[]>> = {
  id: ['agent id', 'member id', 'contact id', 'employee id', 'id do consultor'],
  firstName: ['first', 'given name', 'forename', 'fname', 'nome próprio', 'primeiro nome'],
  middleName: ['middle', 'middle initial', 'mi', 'additional name', 'nome do meio'],
  lastName: ['last', 'surname', 'family name', 'lname', 'apelido', 'último nome', 'sobrenome'],
  nickname: ['nick name', 'preferred name', 'known as', 'goes by', 'alcunha'],
  displayName: [
    ...[
      'name',
      'full name',
      'agent',
      'agent name',
      'contact name',
      'contact',
      'licensee name',
      'licensee',
      'member name',
    ],
    ...['nome', 'nome completo', 'consultor', 'agente', 'nome do consultor'],
  ],
  namePrefix: ['prefix', 'salutation', 'courtesy title', 'tratamento'],
  nameSuffix: ['suffix', 'sufixo'],
  title: ['job title', 'position', 'role', 'organization 1 - title', 'cargo', 'função'],
  type: ['agent type', 'tipo'],
  mobilePhone: [
    ...['mobile', 'mobile number', 'mobile phone number', 'cell', 'cell phone', 'cell number', 'cellular'],
    ...['telemóvel', 'tlm', 'celular', 'número de telemóvel'],
  ],
  directPhone: ['direct', 'direct line', 'direct number', 'direct dial', 'linha direta', 'telefone direto'],
  photoUrl: ['photo', 'picture', 'image', 'headshot', 'fotografia', 'foto'],
  languages: ['language', 'languages spoken', 'spoken languages', 'idiomas', 'línguas', 'idioma'],
  designations: ['designation', 'certifications', 'certificações'],
  officeName: [
    ...[
      'office',
      'office name',
      'branch',
      'branch name',
      'brokerage',
      'brokerage name',
      'company',
      'company name',
    ],
    ...[
      'organization',
      'organization name',
      'organization 1 - name',
      'account name',
      'employing broker',
      'firm',
      'firm name',
    ],
    ...['business name', 'escritório', 'agência', 'loja', 'imobiliária'],
  ],
};

/** Names that mean a part where a column beside them has the rest: `Nome` beside `Apelido` is the first name. */
export const parts = [{ whole: 'displayName', beside: 'lastName', part: 'firstName' }] as const;
