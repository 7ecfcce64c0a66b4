/** The only door of the package: the contract. How it is kept (context, SQL, tables) stays inside. */
export * from './agents/schemas.ts';
export type { AppRouter } from './contract.ts';
export { FieldError, Problem, RosterError } from './errors.ts';
export * from './events/schemas.ts';
export * from './imports/schemas.ts';
export * from './keys/schemas.ts';
export { Scope, scopes } from './keys/scopes.ts';
export * from './offices/schemas.ts';
export { API_VERSION, openApiDocument } from './openapi.ts';
export { type Operation, operations, type Stream, streams } from './operations.ts';
export { type Reason, reasons } from './reasons.ts';
export { notBlank, withoutNul } from './records/fields.ts';
export { inHeaders, RecordId, rpcOnly, Status } from './records/schemas.ts';
export * from './webhooks/schemas.ts';
