/**
 * The contract: schemas, error codes, operations and the type of the router. Its types do not depend on
 * those of the database; at run time it loads the router, and with it the database package.
 */

export { countries } from '@roster/fields/countries';
export { ImportedAgent } from './agents/import-schemas.ts';
export { Agent, AgentPatch, AgentQuery, AgentTransfer, ListedAgent, NewAgent } from './agents/schemas.ts';
export { type ResourceName, resourceNames } from './directory.ts';
export { Actor } from './engine/actor.ts';
export { PhoneCountry, phoneCountries } from './engine/fields/countries.ts';
export { forms, isStorable, notBlank, withoutNul } from './engine/fields/field.ts';
export { inHeaders, RecordId, rpcOnly, Status, Time } from './engine/fields/schemas.ts';
export { type ErrorCode, errorCodes } from './errors/error-codes.ts';
export { FieldError, invalidParameter, Problem, RosterError } from './errors/roster-error.ts';
export { RecordEvent } from './events/log/schemas.ts';
export { type EventType, RecordEventType } from './events/log/types.ts';
export * from './events/schemas.ts';
export { DeletedRecord } from './history/deleted-records/schemas.ts';
export * from './history/schemas.ts';
export { GRANT_OFFICES_MAX, GRANTS_MAX, Grant, NewGrant, Role } from './identity/access/roles.ts';
export { Scope, scopes } from './identity/access/scopes.ts';
export * from './identity/invitations/schemas.ts';
export * from './identity/keys/schemas.ts';
export * from './identity/passkeys/schemas.ts';
export * from './identity/people/schemas.ts';
export { CurrentCaller } from './identity/sessions/current.ts';
export * from './identity/sessions/schemas.ts';
export * from './imports/file-schemas.ts';
export * from './imports/schemas.ts';
export * from './jobs/bulk-schemas.ts';
export * from './jobs/schemas.ts';
export {
  OfficeDeactivated,
  OfficeDeactivation,
  OfficeReactivated,
  OfficeReactivation,
} from './offices/cascade-schemas.ts';
export { ImportedOffice } from './offices/import-schemas.ts';
export {
  ListedOffice,
  NewOffice,
  Office,
  OfficePatch,
  OfficeQuery,
  OfficeSummary,
} from './offices/schemas.ts';
export { AgentsTransfer, AgentsTransferResult } from './offices/transfer-schemas.ts';
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
export { ImportedTeam } from './teams/import-schemas.ts';
export { ListedTeam, NewTeam, Team, TeamPatch, TeamQuery } from './teams/schemas.ts';
export { NewView, View, ViewPatch, ViewResource } from './views/schemas.ts';
export * from './webhooks/schemas.ts';
