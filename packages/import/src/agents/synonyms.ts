/** Names of the fields of an agent in spreadsheets, besides those that all records have. */
export const synonyms: Readonly<Record<string, readonly string[]>> = {
  firstName: ['first', 'given name', 'forename'],
  middleName: ['middle', 'middle initial'],
  lastName: ['last', 'surname', 'family name'],
  displayName: ['name', 'full name', 'agent', 'agent name'],
  namePrefix: ['prefix', 'salutation'],
  nameSuffix: ['suffix'],
  title: ['job title', 'position'],
  mobilePhone: ['mobile', 'mobile number', 'cell', 'cell phone', 'cell number'],
  directPhone: ['direct', 'direct line', 'direct number'],
  photoUrl: ['photo', 'picture', 'image', 'headshot'],
  languages: ['language', 'languages spoken'],
  designations: ['designation'],
  officeName: ['office', 'office name', 'branch', 'brokerage', 'company'],
};
