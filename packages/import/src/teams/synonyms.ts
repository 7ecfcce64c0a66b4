/**
 * Names of the fields of a team in spreadsheets, besides those that all records have, and of its members, whose names in the Data
 * Dictionary are those of TeamMembers.
 */
export const synonyms: Readonly<Record<string, string>> = {
  id: 'team id',
  name: 'team | team name | equipa | nome da equipa | equipo',
  officeName: 'office | office name',
  'members.agentId': 'agent id | member id | MemberKey',
  'members.agentEmail': 'agent email | member email | agent | e-mail do consultor',
  'members.role': 'role | team role | TeamMemberType | papel',
  'members.title': 'title | job title | cargo | função',
  'members.since': 'since | joined | start date | desde | início',
  'members.until': 'until | left | end date | até | fim',
};

/** Words that say whose a value is, or which of several, and not what: tried one list after the other. */
export const contexts = [
  ['team'],
  ['team', 'work', 'business', 'primary', 'main', 'preferred', '1'],
  ['team', 'address', '1'],
];
