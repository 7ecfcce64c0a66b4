/** Names of the fields of an agent in spreadsheets, besides those that all records have. */
export const synonyms: Readonly<Record<string, string>> = {
  id: 'agent id | member id | contact id | employee id | id do consultor',
  firstName:
    'first | first name | given name | forename | fname | firstname_secondary | nome próprio | primeiro nome | nombre de pila | primer nombre',
  middleName: 'middle | middle initial | mi | additional name | nome do meio | segundo nombre',
  lastName:
    'last | last name | surname | family name | lname | lastname_primary | apelido | apelidos | último nome | sobrenome | apellido | apellidos',
  nickname: 'nick name | preferred name | known as | goes by | alcunha | apodo',
  displayName:
    'name | full name | agent | agent name | name, full | license holder name | nome | nome completo | nombre | nombre completo',
  namePrefix: 'prefix | salutation | courtesy title | tratamento | tratamiento',
  nameSuffix: 'suffix | name suffix | sufixo | sufijo',
  title:
    'title | job title | position | role | organization title | organization 1 - title | cargo | função | puesto',
  type: 'agent type | tipo',
  mobilePhone: 'mobile | mobile phone',
  directPhone: 'direct | direct line | direct dial | direct phone | linha direta | línea directa',
  photoUrl: 'photo | photo url | picture | image | headshot | fotografia | foto',
  languages: 'language | languages | languages spoken | idiomas | línguas | idioma',
  designations: 'designation | certifications | certificações',
  officeName:
    'office | office name | organization 1 - name | account name | employing broker | business name | imobiliária | inmobiliaria',
};

/** `Nome` beside `Apelido` is the first name. A name that can only be a whole one is the display name, whatever is beside it. */
export const parts = [
  {
    whole: 'displayName',
    beside: 'lastName',
    part: 'firstName',
    names: ['name', 'nome', 'nombre'],
  },
] as const;

/** Words that say whose a value is, or which of several, and not what: tried one list after the other. */
export const contexts = [
  ['agent'],
  ['agent', 'work', 'business', 'primary', 'preferred', 'principal', 'current', '1'],
  ['agent', 'address', '1'],
];
