/** The typed client of Roster: one function, one class of errors, and the types of records. */

export {
  type AbortOptions,
  allRecords,
  type PagedResource,
  type PagedResources,
  type RouterInputs,
  type RouterOutputs,
} from './calls/pages.ts';
export { type CallByNameOptions, type CallsByName, callsByName } from './calls-by-name.ts';
export { createRosterClient, type RosterClient, type RosterClientOptions } from './client.ts';
export type * from './contract.d.ts';
/** Such as `offices`. */
export type { JobResource as ResourceName } from './contract.d.ts';
export { type ErrorCode, RosterError } from './errors.ts';
export type { EventsClient, FollowedEvent, FollowOptions, FollowQuery } from './events/follow.ts';
export { readBeginning, type UploadInput, type UploadOptions, uploadImport } from './imports/upload.ts';
export {
  type ThinEvent,
  verifyWebhook,
  type WebhookErrorCode,
  type WebhookMessage,
  type WebhookRequest,
  WebhookVerificationError,
} from './verify-webhook.ts';
