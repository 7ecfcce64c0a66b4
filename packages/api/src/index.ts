/**
 * The contract: schemas, error codes, operations and the type of the router. Its types do not depend on
 * those of the database; at run time it loads the router, and with it the database package.
 */

export { Grant, NewGrant, Role } from './access/roles.ts';
export { Scope, scopes } from './access/scopes.ts';
export { ImportedAgent } from './agents/import-schemas.ts';
export { Agent, AgentPatch, AgentQuery, AgentTransfer, ListedAgent, NewAgent } from './agents/schemas.ts';
export * from './api-keys/schemas.ts';
export { DeletedRecord } from './deleted-records/schemas.ts';
export { type ResourceName, resourceNames } from './directory.ts';
export { type ErrorCode, errorCodes } from './errors/error-codes.ts';
export { FieldError, invalidParameter, Problem, RosterError } from './errors/roster-error.ts';
export { RecordEvent } from './event-log/schemas.ts';
export { type EventType, RecordEventType } from './event-log/types.ts';
export * from './events/schemas.ts';
export { ImportMapping } from './file-imports/mapping-schemas.ts';
export { ImportPreview } from './file-imports/preview/schemas.ts';
export * from './file-imports/schemas.ts';
export * from './history/schemas.ts';
export * from './imports/schemas.ts';
export * from './invitations/schemas.ts';
export * from './jobs/bulk-schemas.ts';
export * from './jobs/schemas.ts';
export { ImportedOffice } from './offices/import-schemas.ts';
export {
  AgentsTransfer,
  AgentsTransferResult,
  ListedOffice,
  NewOffice,
  Office,
  OfficePatch,
  OfficeQuery,
  OfficeSummary,
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
export * from './passkeys/schemas.ts';
export * from './people/schemas.ts';
export { Actor } from './resources/actor.ts';
export { countries, PhoneCountry, phoneCountries } from './resources/fields/countries.ts';
export { forms, isStorable, notBlank, withoutNul } from './resources/fields/field.ts';
export { inHeaders, RecordId, rpcOnly, Status, Time } from './resources/fields/schemas.ts';
export type { AppRouter } from './root.ts';
export { CurrentCaller } from './routers/sessions/current.ts';
export * from './scheduled-changes/schemas.ts';
export * from './sessions/schemas.ts';
export * from './settings/schemas.ts';
export { Stats } from './stats/schemas.ts';
export { ImportedTeam } from './teams/import-schemas.ts';
export { ListedTeam, NewTeam, Team, TeamPatch, TeamQuery } from './teams/schemas.ts';
export {
  OfficeDeactivated,
  OfficeDeactivation,
  OfficeReactivated,
  OfficeReactivation,
} from './transitions/offices/cascade-schemas.ts';
export { NewView, View, ViewPatch, ViewResource } from './views/schemas.ts';
export * from './webhooks/schemas.ts';
