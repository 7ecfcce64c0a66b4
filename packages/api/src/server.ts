/**
 * The parts with which a server hosts the service, beside the schemas and types of index.ts. Unlike that, it exposes the types of the
 * database. What a feature does for its host is one function or one object.
 */

// Calls: the router of a service, the context of a call, and the forms of its result.

export { RawJson } from './engine/json/raw-json.ts';
export { checkVersion, ofVersion, type Precondition } from './engine/write/precondition.ts';
export { pointerTo } from './errors/describe-issue.ts';
export { toRosterError } from './errors/to-roster-error.ts';
export { type Collaborators, createAppRouter, type ServiceRouter } from './router.ts';
export type { Context } from './trpc/context.ts';
export { waitForCapacity } from './trpc/validation-queue.ts';

// Callers: who sends a request, and the rights that it needs.

export { type Authenticator, createAuthenticator } from './access/authenticator.ts';
export { type Caller, limitFor, type NeededRight } from './access/caller.ts';
export { createDenialLog, type DenialLog } from './log/denial-log.ts';

// Sign-in: the rules, for the routes and pages in front of them.

export type { StoredPasskey } from './identity/passkeys/repository.ts';
export type { SendInvitation } from './identity/people/sign-in-ways.ts';
export type { CreatedSession } from './identity/sessions/service.ts';
export type { Confirmed } from './identity/sign-in/admission.ts';
export { EMAIL_LINK_MS, type EmailLink } from './identity/sign-in/email-links.ts';
export { type Enrolling, SignIn, type SignInClient } from './identity/sign-in/sign-in.ts';

// Work without a request: the workers, and the parts that they share with calls.

export { startPeriodicJob } from './engine/queue/periodic-job.ts';
export { maintenanceJobs } from './host/maintenance.ts';
export { type DeliveryOptions, startWorkers } from './host/workers.ts';
export { createEventNotifier, type EventNotifier } from './log/notifier.ts';
export { COUNTING_TIMEOUT_MS } from './stats/service.ts';
export { createSender, type Sender, type SenderOptions } from './webhooks/sender/http-sender.ts';

// Starts and operation: the first start of a directory, and the figures for metrics and warnings.

export { type Backlog, readBacklog } from './host/backlog.ts';
export { createFirstKey, hasKeys } from './identity/keys/service.ts';
export { createFirstLink, hasPeople } from './identity/sign-in/service.ts';
export { readLaggingWebhooks } from './webhooks/backlog.ts';
