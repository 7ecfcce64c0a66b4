/**
 * The contract: schemas, error codes, operations and the type of the router. Its types do not depend on
 * those of the database; at run time it loads the router, and with it the database package.
 */

export { countries } from '@roster/fields/countries';
export { GRANT_OFFICES_MAX, GRANTS_MAX, Grant, NewGrant, Role } from './access/roles.ts';
export { Scope, scopes } from './access/scopes.ts';
export {
  Agent,
  AgentPatch,
  AgentQuery,
  AgentTransfer,
  ImportedAgent,
  ListedAgent,
  NewAgent,
} from './directory/agents/schemas.ts';
export {
  ImportedOffice,
  ListedOffice,
  NewOffice,
  Office,
  OfficePatch,
  OfficeQuery,
  OfficeSummary,
} from './directory/offices/schemas.ts';
export { type ResourceName, resourceNames } from './directory/registry.ts';
export { ImportedTeam, ListedTeam, NewTeam, Team, TeamPatch, TeamQuery } from './directory/teams/schemas.ts';
export { Actor } from './engine/actor.ts';
export { PhoneCountry, phoneCountries } from './engine/fields/countries.ts';
export { forms, isStorable, notBlank, withoutNul } from './engine/fields/field.ts';
export { inHeaders, RecordId, rpcOnly, Status, Time } from './engine/fields/schemas.ts';
export { type ErrorCode, errorCodes } from './errors/error-codes.ts';
export { FieldError, invalidParameter, Problem, RosterError } from './errors/roster-error.ts';
export * from './events/schemas.ts';
export { DeletedRecord } from './history/deleted-records/schemas.ts';
export * from './history/schemas.ts';
export * from './identity/invitations/schemas.ts';
export * from './identity/keys/schemas.ts';
export * from './identity/passkeys/schemas.ts';
export * from './identity/people/schemas.ts';
export { CurrentCaller } from './identity/session-access/current.ts';
export * from './identity/sessions/schemas.ts';
export * from './imports/schemas.ts';
export * from './jobs/bulk/schemas.ts';
export * from './jobs/schemas.ts';
export { RecordEvent } from './log/schemas.ts';
export { type EventType, RecordEventType } from './log/types.ts';
export {
  AgentsTransfer,
  AgentsTransferResult,
  OfficeDeactivated,
  OfficeDeactivation,
  OfficeReactivated,
  OfficeReactivation,
} from './offices/schemas.ts';
export { neededScopes } from './openapi/operation-objects.ts';
export {
  API_VERSION,
  type Operation,
  operations,
  parametersOf,
  type Stream,
  streams,
} from './openapi/operations.ts';
export type { AppRouter } from './router.ts';
export * from './schedule/schemas.ts';
export * from './settings/schemas.ts';
export { Stats } from './stats/schemas.ts';
export { NewView, View, ViewPatch, ViewResource } from './views/schemas.ts';
export * from './webhooks/schemas.ts';
