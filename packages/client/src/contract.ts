// Generated from the schemas of the service by packages/contract.
import type {
  TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODE_NUMBER, TRPCBuiltRouter, TRPCMutationProcedure, TRPCQueryProcedure,
  TRPCSubscriptionProcedure,
} from '@trpc/server';

/** A right that was denied, or a sign-in that failed */
export type AccessDenial = {
/** Assigned by the server: each of these events is about one of its own; UUID */
id: string;
/** Who was denied the right; null of a failed sign-in */
caller: Actor | null;
/** What was called, by its name in RPC; null of a failed sign-in */
procedure: string | null;
/** The error code */
errorCode: string;
/** The first error in words */
detail: string;
/** How often, since the event before */
count: number;
};

/** A change of an access */
export type AccessEvent = {
/** The position in the log, from 1; no event appears before it later */
position: number;
/** The id of the record; UUID */
subject: string;
/** The version of the record after the change; of a deleted record its last version; of what is no record the number of its event */
version: number;
/** When it happened; RFC 3339 */
occurredAt: string;
/** The id of the key or the person that made the change; null if the service itself did; UUID */
actorId: string | null;
/** The same with the type and, for callers that may read it, the current name; null for a person who was deleted */
actor: Actor | null;
/** The X-Request-Id of the request */
requestId: string | null;
/** The reason given with the change */
reason: string | null;
/** What the change was part of, and between which offices an agent was transferred; null if nothing */
details: EventDetails | null;
/** What happened. More types may be added: ignore those that you do not know. */
type: "access.denied";
/** The record after the change; of a deleted record its last state; null if it was purged */
record: AccessDenial | null;
/** The previous values of the changed fields; merged into the record, they give the previous record */
previous: {
/** Assigned by the server: each of these events is about one of its own; UUID */
id?: string | undefined;
/** Who was denied the right; null of a failed sign-in */
caller?: Actor | null | undefined;
/** What was called, by its name in RPC; null of a failed sign-in */
procedure?: string | null | undefined;
/** The error code */
errorCode?: string | undefined;
/** The first error in words */
detail?: string | undefined;
/** How often, since the event before */
count?: number | undefined;
};
};

/** A key or a person */
export type Actor = {
/** A key or a person */
type: "key" | "person";
/** The id of the key or of the person; UUID */
id: string;
/** The current name, for callers that may read it: `keys:manage` for the names of keys, `people:manage` for those of people */
name: string | null;
};

/** A postal address; at least one part is not null */
export type Address = {
/** Street and number; at most 100 characters */
line1: string | null;
/** Floor, suite, unit; at most 100 characters */
line2: string | null;
/** City or town; at most 100 characters */
city: string | null;
/** County or parish; at most 100 characters */
county: string | null;
/** State or province: the part of an ISO 3166-2 code after the hyphen; at most 3 characters */
region: string | null;
/** Postal code, as it is written there; at most 16 characters */
postalCode: string | null;
/** Country: ISO 3166-1 alpha-2, in capitals; at most 2 characters */
country: string | null;
};

/** An office that an agent belongs to beside the primary one */
export type Affiliation = {
/** The office; each at most once, and never the one of `officeId` (RESO OfficeKey); UUID */
officeId: string;
/** What the agent is there (RESO JobTitle); at most 100 characters */
title: string | null;
/** Whether the office shows the agent to the public */
isVisible: boolean;
/** The first day of the affiliation, if known; YYYY-MM-DD */
since: string | null;
};

/** An agent */
export type Agent = {
/** Given by the server: UUID, version 7 (RESO OfficeKey, MemberKey) */
id: string;
status: Status;
/** Why it was deactivated, if a reason was given; null when active */
statusReason: string | null;
/** When the status last changed, or the record was created; RFC 3339 */
statusChangedAt: string;
/** When it was deactivated; null when active; RFC 3339 */
deactivatedAt: string | null;
/** When the record was created (RESO OriginalEntryTimestamp); RFC 3339 */
createdAt: string;
/** When anything in it last changed (RESO ModificationTimestamp); RFC 3339 */
updatedAt: string;
/** From 1, one more with every change; the ETag is made of it */
version: number;
/** Given name (RESO MemberFirstName); 1 to 100 characters */
firstName: string;
/** Family name (RESO MemberLastName); 1 to 100 characters */
lastName: string;
/** Middle name (RESO MemberMiddleName); at most 100 characters */
middleName: string | null;
/** Nickname (RESO MemberNickname); at most 100 characters */
nickname: string | null;
/** Before the name (RESO MemberNamePrefix); at most 20 characters */
namePrefix: string | null;
/** After the name (RESO MemberNameSuffix); at most 20 characters */
nameSuffix: string | null;
/** The name to show (RESO MemberFullName) */
displayName: string;
/** Job title (RESO JobTitle); at most 100 characters */
title: string | null;
/** The kind of member (RESO MemberType); at most 50 characters */
type: string | null;
/** Offices the agent belongs to beside officeId, each at most once; one that becomes officeId is removed; at most 20 of them */
affiliations: Affiliation[];
/** E-mail; unique among agents, ignoring case (RESO MemberEmail); at most 254 characters */
email: string | null;
/** The telephone to call first (RESO MemberPreferredPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone: string | null;
/** Extension (RESO MemberPreferredPhoneExt); at most 10 characters */
phoneExt: string | null;
/** Mobile telephone (RESO MemberMobilePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
mobilePhone: string | null;
/** Direct line (RESO MemberDirectPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
directPhone: string | null;
/** Fax (RESO MemberFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax: string | null;
/** Number in the MLS (RESO MemberMlsId); at most 50 characters */
mlsId: string | null;
/** Number in the national association (RESO MemberNationalAssociationId); at most 50 characters */
nationalAssociationId: string | null;
/** Licences of the agent (RESO MemberStateLicense …); at most 50 of them */
licenses: License[];
/** The earliest last day of its licences, also if it has passed; null if none has one. Follows from licenses; YYYY-MM-DD */
nextLicenseExpiresOn: string | null;
/** Business address (RESO MemberAddress1, MemberCity …) */
address: Address | null;
/** Languages spoken, as BCP 47 tags (RESO MemberLanguages); at most 20 of them */
languages: string[];
/** Professional designations (RESO MemberDesignation); at most 30 of them */
designations: string[];
/** The agent this one assists (RESO MemberIsAssistantTo); UUID */
assistantToAgentId: string | null;
/** Website, http or https; at most 2048 characters */
website: string | null;
/** A portrait, http or https; at most 2048 characters */
photoUrl: string | null;
/** About the agent (RESO MemberBio); at most 4000 characters */
bio: string | null;
/** Where the record came from; unique together per collection */
source: Source | null;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata: Record<string, string>;
/** The changes that are scheduled, in the order of their times; at most 20 of them */
scheduledChanges: PendingChange[];
/** The office the agent works in (RESO OfficeKey); UUID */
officeId: string | null;
/** When officeId last changed; null when it never did (RESO MemberTransferDate); RFC 3339 */
transferredAt: string | null;
};

/** A change of all agents that a filter selects */
export type AgentBulk = {
/** Which records: the filters of the list, all of which must match. `q` finds the words themselves, never similar ones */
filter: {
/** Every word of it occurs in a name, the e-mail, the MLS id or the city, ignoring case, accents and punctuation; if no record has them, words with a typo or two. At most 8 words, not counting those that are repeated or contained in another. A telephone number of seven digits or more also finds the records with it, in whatever form either is; 1 to 200 characters */
q?: string | undefined;
/** Without it both states are listed; repeated: any of them; 1 to 100 of them */
status?: Status | Status[] | undefined;
/** Just these records; repeated: any of them; 1 to 200 of them */
ids?: string | string[] | undefined;
/** The e-mail, ignoring case; repeated: any of them; 1 to 100 of them */
email?: string | string[] | undefined;
/** The MLS id; repeated: any of them; 1 to 100 of them */
mlsId?: string | string[] | undefined;
/** The city of the address, ignoring case; repeated: any of them; 1 to 100 of them */
city?: string | string[] | undefined;
/** The region of the address, ignoring case; repeated: any of them; 1 to 100 of them */
region?: string | string[] | undefined;
/** The country of the address, ignoring case; repeated: any of them; 1 to 100 of them */
country?: string | string[] | undefined;
/** The system it came from; repeated: any of them; 1 to 100 of them */
sourceName?: string | string[] | undefined;
/** The record's key in that system; repeated: any of them; 1 to 100 of them */
sourceKey?: string | string[] | undefined;
/** Created at this time or later (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
createdSince?: string | undefined;
/** Created before this time (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
createdBefore?: string | undefined;
/** Last changed at this time or later (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
updatedSince?: string | undefined;
/** Last changed before this time (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
updatedBefore?: string | undefined;
/** Deactivated at this time or later (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
deactivatedSince?: string | undefined;
/** The number of a licence, ignoring case, spaces and punctuation; repeated: any of them; 1 to 100 of them */
licenseNumber?: string | string[] | undefined;
/** No licence of it expires before this day: nextLicenseExpiresOn is it or later (YYYY-MM-DD, or a duration from today in UTC such as `P60D` or `-P30D`) */
licenseExpiresSince?: string | undefined;
/** A licence of it expires before this day, or has expired: nextLicenseExpiresOn is earlier (YYYY-MM-DD, or a duration from today in UTC such as `P60D` or `-P30D`) */
licenseExpiresBefore?: string | undefined;
/** This field is null, or an empty list; repeated: any of them; 1 to 100 of them */
empty?: "email" | "phone" | "mlsId" | "licenses" | "address" | "source" | "officeId" | ("email" | "phone" | "mlsId" | "licenses" | "address" | "source" | "officeId")[] | undefined;
/** This field has a value; repeated: any of them; 1 to 100 of them */
notEmpty?: "email" | "phone" | "mlsId" | "licenses" | "address" | "source" | "officeId" | ("email" | "phone" | "mlsId" | "licenses" | "address" | "source" | "officeId")[] | undefined;
/** Agents of this office, whose primary or affiliated office it is; repeated: any of them; 1 to 100 of them */
officeId?: string | string[] | undefined;
/** With officeId: `primary` finds those whose primary office it is, `any` (the default) those who are affiliated with it too; without officeId it has no effect */
affiliation?: "primary" | "any" | undefined;
/** Selects all records; required if there is no other filter, else not allowed */
all?: true | undefined;
};
/** What is done to each record */
change: {
/** Changes fields */
type: "update";
/** JSON Merge Patch (RFC 7396) for each record */
patch: {
/** Given name (RESO MemberFirstName); 1 to 100 characters */
firstName?: string | undefined;
/** Family name (RESO MemberLastName); 1 to 100 characters */
lastName?: string | undefined;
/** Middle name (RESO MemberMiddleName); at most 100 characters */
middleName?: string | null | undefined;
/** Nickname (RESO MemberNickname); at most 100 characters */
nickname?: string | null | undefined;
/** Before the name (RESO MemberNamePrefix); at most 20 characters */
namePrefix?: string | null | undefined;
/** After the name (RESO MemberNameSuffix); at most 20 characters */
nameSuffix?: string | null | undefined;
/** The name to show (RESO MemberFullName); first and last name unless given, null returns to that; at most 255 characters */
displayName?: string | null | undefined;
/** Job title (RESO JobTitle); at most 100 characters */
title?: string | null | undefined;
/** The kind of member (RESO MemberType); at most 50 characters */
type?: string | null | undefined;
/** The office the agent works in (RESO OfficeKey); UUID */
officeId?: string | null | undefined;
/** Offices the agent belongs to beside officeId, each at most once; one that becomes officeId is removed; at most 20 of them */
affiliations?: NewAffiliation[] | null | undefined;
/** E-mail; unique among agents, ignoring case (RESO MemberEmail); at most 254 characters */
email?: string | null | undefined;
/** The telephone to call first (RESO MemberPreferredPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone?: string | null | undefined;
/** Extension (RESO MemberPreferredPhoneExt); at most 10 characters */
phoneExt?: string | null | undefined;
/** Mobile telephone (RESO MemberMobilePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
mobilePhone?: string | null | undefined;
/** Direct line (RESO MemberDirectPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
directPhone?: string | null | undefined;
/** Fax (RESO MemberFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax?: string | null | undefined;
/** Number in the MLS (RESO MemberMlsId); at most 50 characters */
mlsId?: string | null | undefined;
/** Number in the national association (RESO MemberNationalAssociationId); at most 50 characters */
nationalAssociationId?: string | null | undefined;
/** Licences of the agent (RESO MemberStateLicense …); at most 50 of them */
licenses?: NewLicense[] | null | undefined;
/** Business address (RESO MemberAddress1, MemberCity …) */
address?: NewAddress | null | undefined;
/** Languages spoken, as BCP 47 tags (RESO MemberLanguages); at most 20 of them */
languages?: string[] | null | undefined;
/** Professional designations (RESO MemberDesignation); at most 30 of them */
designations?: string[] | null | undefined;
/** The agent this one assists (RESO MemberIsAssistantTo); UUID */
assistantToAgentId?: string | null | undefined;
/** Website, http or https; at most 2048 characters */
website?: string | null | undefined;
/** A portrait, http or https; at most 2048 characters */
photoUrl?: string | null | undefined;
/** About the agent (RESO MemberBio); at most 4000 characters */
bio?: string | null | undefined;
/** Where the record came from; unique together per collection */
source?: {
/** The system (RESO OriginatingSystemName); 1 to 255 characters */
name?: string | null | undefined;
/** The record's key there; 1 to 255 characters */
key?: string | null | undefined;
} | null | undefined;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata?: Record<string, string | null> | null | undefined;
};
} | {
/** Deactivates; inactive records are left unchanged */
type: "deactivate";
} | {
/** Reactivates; active records are left unchanged */
type: "reactivate";
} | {
/** Deletes, if no other record refers to it */
type: "delete";
} | {
/** Moves the agent to another office */
type: "transfer";
/** The office, which must be active; UUID */
officeId: string;
};
/** How many the filter selects: another number is rejected. Required unless `dryRun` is true; at most 1000000 */
expectedCount?: number | undefined;
/** Changes nothing: answers how many records match, and what would happen to the first 500 of them */
dryRun?: boolean | undefined;
/** Why; kept in the events, and of deactivations as statusReason until a record is active again; at most 500 characters */
reason?: string | null | undefined;
};

/** Two records that may be the same */
export type AgentDuplicate = {
/** Assigned by the server; UUID */
id: string;
/** The estimated probability that they are the same, from 0 to 1 */
score: number;
/** What they have in common; at most 20 of them */
reasons: DuplicateReason[];
/** When they were found; RFC 3339 */
foundAt: string;
/** Both records as they are now, in the order of their ids; 2 to 2 of them */
records: Agent[];
/** When it was decided that they are not the same; null if it was not; RFC 3339 */
dismissedAt: string | null;
/** The reason that was given for that */
dismissalReason: string | null;
/** The id of the key or the person that decided it; UUID */
actorId: string | null;
/** The same with the type and, for callers that may read it, the current name; null for a person who was deleted */
actor: Actor | null;
};

/** One page of a list */
export type AgentDuplicatePage = {
/** The records of this page; at most 200 of them */
items: AgentDuplicate[];
/** The way to the next page; absent on the last */
nextCursor?: string | undefined;
/** The way to the page before; absent on the first */
prevCursor?: string | undefined;
/** With includeTotal: how many records match */
total?: number | undefined;
};

/** Which records, in which order, and how many on a page */
export type AgentDuplicateQuery = {
/** Records a page: 1 to 200; more is 200; at least 1 */
limit?: number | undefined;
/** Where to go on: `nextCursor` or `prevCursor` of a page, with the same filters, `sort` and `startAt`; 1 to 4000 characters */
cursor?: string | undefined;
/** Sent by the infinite queries of tRPC; `backward` requires a `prevCursor` as the cursor */
direction?: "forward" | "backward" | undefined;
/** The order, `-` for descending; the id breaks ties; "-score" unless given */
sort?: "-score" | "score" | "-foundAt" | "foundAt" | undefined;
/** The least score: 0.5, below which no pair is kept, to 1; 0.5 to 1 */
minScore?: number | undefined;
/** Pairs that have this in common; repeated: any of them; 1 to 100 of them */
kind?: DuplicateReasonKind | DuplicateReasonKind[] | undefined;
/** Pairs with a record of this office; repeated: any of them; 1 to 100 of them */
officeId?: string | string[] | undefined;
/** Pairs with this record; UUID */
recordId?: string | undefined;
/** `open` finds pairs that nobody has decided about, `dismissed` those that were decided not to be the same, `any` both; "open" unless given */
state?: "open" | "dismissed" | "any" | undefined;
/** Count all pairs that match, in the same snapshot as the page */
includeTotal?: boolean | undefined;
};

/** A change of an agent */
export type AgentEvent = {
/** The position in the log, from 1; no event appears before it later */
position: number;
/** The id of the record; UUID */
subject: string;
/** The version of the record after the change; of a deleted record its last version; of what is no record the number of its event */
version: number;
/** When it happened; RFC 3339 */
occurredAt: string;
/** The id of the key or the person that made the change; null if the service itself did; UUID */
actorId: string | null;
/** The same with the type and, for callers that may read it, the current name; null for a person who was deleted */
actor: Actor | null;
/** The X-Request-Id of the request */
requestId: string | null;
/** The reason given with the change */
reason: string | null;
/** What the change was part of, and between which offices an agent was transferred; null if nothing */
details: EventDetails | null;
/** What happened. More types may be added: ignore those that you do not know. */
type: "agent.created" | "agent.updated" | "agent.deactivated" | "agent.reactivated" | "agent.deleted" | "agent.restored" | "agent.purged" | "agent.license_expiring" | "agent.change_failed" | "agent.merged" | "agent.transferred";
/** The record after the change; of a deleted record its last state; null if it was purged */
record: Agent | null;
/** The previous values of the changed fields; merged into the record, they give the previous record */
previous: {
/** Given by the server: UUID, version 7 (RESO OfficeKey, MemberKey) */
id?: string | undefined;
status?: Status | undefined;
/** Why it was deactivated, if a reason was given; null when active */
statusReason?: string | null | undefined;
/** When the status last changed, or the record was created; RFC 3339 */
statusChangedAt?: string | undefined;
/** When it was deactivated; null when active; RFC 3339 */
deactivatedAt?: string | null | undefined;
/** When the record was created (RESO OriginalEntryTimestamp); RFC 3339 */
createdAt?: string | undefined;
/** When anything in it last changed (RESO ModificationTimestamp); RFC 3339 */
updatedAt?: string | undefined;
/** From 1, one more with every change; the ETag is made of it */
version?: number | undefined;
/** Given name (RESO MemberFirstName); 1 to 100 characters */
firstName?: string | undefined;
/** Family name (RESO MemberLastName); 1 to 100 characters */
lastName?: string | undefined;
/** Middle name (RESO MemberMiddleName); at most 100 characters */
middleName?: string | null | undefined;
/** Nickname (RESO MemberNickname); at most 100 characters */
nickname?: string | null | undefined;
/** Before the name (RESO MemberNamePrefix); at most 20 characters */
namePrefix?: string | null | undefined;
/** After the name (RESO MemberNameSuffix); at most 20 characters */
nameSuffix?: string | null | undefined;
/** The name to show (RESO MemberFullName) */
displayName?: string | undefined;
/** Job title (RESO JobTitle); at most 100 characters */
title?: string | null | undefined;
/** The kind of member (RESO MemberType); at most 50 characters */
type?: string | null | undefined;
/** Offices the agent belongs to beside officeId, each at most once; one that becomes officeId is removed; at most 20 of them */
affiliations?: Affiliation[] | undefined;
/** E-mail; unique among agents, ignoring case (RESO MemberEmail); at most 254 characters */
email?: string | null | undefined;
/** The telephone to call first (RESO MemberPreferredPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone?: string | null | undefined;
/** Extension (RESO MemberPreferredPhoneExt); at most 10 characters */
phoneExt?: string | null | undefined;
/** Mobile telephone (RESO MemberMobilePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
mobilePhone?: string | null | undefined;
/** Direct line (RESO MemberDirectPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
directPhone?: string | null | undefined;
/** Fax (RESO MemberFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax?: string | null | undefined;
/** Number in the MLS (RESO MemberMlsId); at most 50 characters */
mlsId?: string | null | undefined;
/** Number in the national association (RESO MemberNationalAssociationId); at most 50 characters */
nationalAssociationId?: string | null | undefined;
/** Licences of the agent (RESO MemberStateLicense …); at most 50 of them */
licenses?: License[] | undefined;
/** The earliest last day of its licences, also if it has passed; null if none has one. Follows from licenses; YYYY-MM-DD */
nextLicenseExpiresOn?: string | null | undefined;
/** Business address (RESO MemberAddress1, MemberCity …) */
address?: Address | null | undefined;
/** Languages spoken, as BCP 47 tags (RESO MemberLanguages); at most 20 of them */
languages?: string[] | undefined;
/** Professional designations (RESO MemberDesignation); at most 30 of them */
designations?: string[] | undefined;
/** The agent this one assists (RESO MemberIsAssistantTo); UUID */
assistantToAgentId?: string | null | undefined;
/** Website, http or https; at most 2048 characters */
website?: string | null | undefined;
/** A portrait, http or https; at most 2048 characters */
photoUrl?: string | null | undefined;
/** About the agent (RESO MemberBio); at most 4000 characters */
bio?: string | null | undefined;
/** Where the record came from; unique together per collection */
source?: Source | null | undefined;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata?: Record<string, string> | undefined;
/** The changes that are scheduled, in the order of their times; at most 20 of them */
scheduledChanges?: PendingChange[] | undefined;
/** The office the agent works in (RESO OfficeKey); UUID */
officeId?: string | null | undefined;
/** When officeId last changed; null when it never did (RESO MemberTransferDate); RFC 3339 */
transferredAt?: string | null | undefined;
};
};

/** Agents to import */
export type AgentImport = {
/** The records, 1 to 500; a branch may stand before its main office; 1 to 500 of them */
records: ImportedAgent[];
/** `create`: every record is new. `upsert`: each names its `source`; a record that came from there is changed as by a merge patch (absent leaves, null clears), a new one is created. `match`: the same, and one without a `source` is matched by its e-mail address (an office: by e-mail address and name, where one office alone has both), else created; "create" unless given */
mode?: "create" | "upsert" | "match" | undefined;
/** All or nothing; if false, the valid records are written, and the status is 207 if others are rejected; true unless given */
isAtomic?: boolean | undefined;
/** Whether a record that was matched by its e-mail address alone may get another name; if false, that is an error of the record (`name_differs`). Case, accents and white space make no other name; false unless given */
acceptRenames?: boolean | undefined;
/** Answer what would happen, and change nothing; false unless given */
dryRun?: boolean | undefined;
};

/** A record that a new one looks like, and why */
export type AgentLookAlike = {
/** The estimated probability that they are the same, from 0 to 1 */
score: number;
/** What they have in common; at most 20 of them */
reasons: DuplicateReason[];
record: Agent;
};

/** The records that a new one looks like */
export type AgentLookAlikes = {
/** The most probable first; empty if it looks like none; at most 5 of them */
lookAlikes: AgentLookAlike[];
};

/** The merge of all pairs of agents from a score on */
export type AgentMerges = {
/** Which pairs: the filters of their list. Those that were decided not to be the same are none */
filter: {
/** The least score, from 0.5 to 1, when the job is accepted and when a pair is merged */
minScore: number;
/** Pairs that have this in common; repeated: any of them; 1 to 100 of them */
kind?: DuplicateReasonKind | DuplicateReasonKind[] | undefined;
/** Pairs with a record of this office; repeated: any of them; 1 to 100 of them */
officeId?: string | string[] | undefined;
/** Pairs with this record; UUID */
recordId?: string | undefined;
};
/** How many the filter selects: another number is rejected. Required unless `dryRun` is true; at most 1000000 */
expectedCount?: number | undefined;
/** Changes nothing: answers how many pairs there are, and what would become of the first 50 */
dryRun?: boolean | undefined;
/** Why; kept in the events, and of deactivations as statusReason until a record is active again; at most 500 characters */
reason?: string | null | undefined;
};

/** One page of a list */
export type AgentPage = {
/** The records of this page; at most 200 of them */
items: ListedAgent[];
/** The way to the next page; absent on the last */
nextCursor?: string | undefined;
/** The way to the page before; absent on the first */
prevCursor?: string | undefined;
/** With includeTotal: how many records match */
total?: number | undefined;
/** True if no record has the words of q, and these have similar ones */
isSimilar?: boolean | undefined;
/** With highlight: where q was found, for each item in their order; at most 200 of them */
highlights?: (Highlight[])[] | undefined;
};

/** What to change: JSON Merge Patch (RFC 7396) */
export type AgentPatch = {
/** The id of the record; UUID */
id: string;
/** Reject the change if the record has another version; at least 1 */
ifVersion?: number | undefined;
/** Given name (RESO MemberFirstName); 1 to 100 characters */
firstName?: string | undefined;
/** Family name (RESO MemberLastName); 1 to 100 characters */
lastName?: string | undefined;
/** Middle name (RESO MemberMiddleName); at most 100 characters */
middleName?: string | null | undefined;
/** Nickname (RESO MemberNickname); at most 100 characters */
nickname?: string | null | undefined;
/** Before the name (RESO MemberNamePrefix); at most 20 characters */
namePrefix?: string | null | undefined;
/** After the name (RESO MemberNameSuffix); at most 20 characters */
nameSuffix?: string | null | undefined;
/** The name to show (RESO MemberFullName); first and last name unless given, null returns to that; at most 255 characters */
displayName?: string | null | undefined;
/** Job title (RESO JobTitle); at most 100 characters */
title?: string | null | undefined;
/** The kind of member (RESO MemberType); at most 50 characters */
type?: string | null | undefined;
/** The office the agent works in (RESO OfficeKey); UUID */
officeId?: string | null | undefined;
/** Offices the agent belongs to beside officeId, each at most once; one that becomes officeId is removed; at most 20 of them */
affiliations?: NewAffiliation[] | null | undefined;
/** E-mail; unique among agents, ignoring case (RESO MemberEmail); at most 254 characters */
email?: string | null | undefined;
/** The telephone to call first (RESO MemberPreferredPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone?: string | null | undefined;
/** Extension (RESO MemberPreferredPhoneExt); at most 10 characters */
phoneExt?: string | null | undefined;
/** Mobile telephone (RESO MemberMobilePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
mobilePhone?: string | null | undefined;
/** Direct line (RESO MemberDirectPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
directPhone?: string | null | undefined;
/** Fax (RESO MemberFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax?: string | null | undefined;
/** Number in the MLS (RESO MemberMlsId); at most 50 characters */
mlsId?: string | null | undefined;
/** Number in the national association (RESO MemberNationalAssociationId); at most 50 characters */
nationalAssociationId?: string | null | undefined;
/** Licences of the agent (RESO MemberStateLicense …); at most 50 of them */
licenses?: NewLicense[] | null | undefined;
/** Business address (RESO MemberAddress1, MemberCity …) */
address?: NewAddress | null | undefined;
/** Languages spoken, as BCP 47 tags (RESO MemberLanguages); at most 20 of them */
languages?: string[] | null | undefined;
/** Professional designations (RESO MemberDesignation); at most 30 of them */
designations?: string[] | null | undefined;
/** The agent this one assists (RESO MemberIsAssistantTo); UUID */
assistantToAgentId?: string | null | undefined;
/** Website, http or https; at most 2048 characters */
website?: string | null | undefined;
/** A portrait, http or https; at most 2048 characters */
photoUrl?: string | null | undefined;
/** About the agent (RESO MemberBio); at most 4000 characters */
bio?: string | null | undefined;
/** Where the record came from; unique together per collection */
source?: {
/** The system (RESO OriginatingSystemName); 1 to 255 characters */
name?: string | null | undefined;
/** The record's key there; 1 to 255 characters */
key?: string | null | undefined;
} | null | undefined;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata?: Record<string, string | null> | null | undefined;
};

/** Which records, in which order, and how many on a page */
export type AgentQuery = {
/** Records a page: 1 to 200; more is 200; at least 1 */
limit?: number | undefined;
/** Where to go on: `nextCursor` or `prevCursor` of a page, with the same filters, `sort` and `startAt`; 1 to 4000 characters */
cursor?: string | undefined;
/** Sent by the infinite queries of tRPC; `backward` requires a `prevCursor` as the cursor */
direction?: "forward" | "backward" | undefined;
/** Begin at the first record whose value of the sort is this one or comes after it in the order of the list: a time, or the beginning of a name; with a cursor, which page it is follows from the cursor; 1 to 255 characters */
startAt?: string | undefined;
/** Count all records that match, in the same snapshot as the page */
includeTotal?: boolean | undefined;
/** Say in `highlights` where in each record q was found */
highlight?: boolean | undefined;
/** Every word of it occurs in a name, the e-mail, the MLS id or the city, ignoring case, accents and punctuation; if no record has them, words with a typo or two. At most 8 words, not counting those that are repeated or contained in another. A telephone number of seven digits or more also finds the records with it, in whatever form either is; 1 to 200 characters */
q?: string | undefined;
/** Without it both states are listed; repeated: any of them; 1 to 100 of them */
status?: Status | Status[] | undefined;
/** Just these records; repeated: any of them; 1 to 200 of them */
ids?: string | string[] | undefined;
/** The e-mail, ignoring case; repeated: any of them; 1 to 100 of them */
email?: string | string[] | undefined;
/** The MLS id; repeated: any of them; 1 to 100 of them */
mlsId?: string | string[] | undefined;
/** The city of the address, ignoring case; repeated: any of them; 1 to 100 of them */
city?: string | string[] | undefined;
/** The region of the address, ignoring case; repeated: any of them; 1 to 100 of them */
region?: string | string[] | undefined;
/** The country of the address, ignoring case; repeated: any of them; 1 to 100 of them */
country?: string | string[] | undefined;
/** The system it came from; repeated: any of them; 1 to 100 of them */
sourceName?: string | string[] | undefined;
/** The record's key in that system; repeated: any of them; 1 to 100 of them */
sourceKey?: string | string[] | undefined;
/** Created at this time or later (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
createdSince?: string | undefined;
/** Created before this time (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
createdBefore?: string | undefined;
/** Last changed at this time or later (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
updatedSince?: string | undefined;
/** Last changed before this time (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
updatedBefore?: string | undefined;
/** Deactivated at this time or later (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
deactivatedSince?: string | undefined;
/** The order, `-` for descending. Agents with the same last name are in the order of their first names, and the other way round; the id breaks ties. `relevance` requires q: the best match first, of 200 at most; "-createdAt" unless given */
sort?: "lastName" | "-lastName" | "firstName" | "-firstName" | "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt" | "nextLicenseExpiresOn" | "-nextLicenseExpiresOn" | "relevance" | undefined;
/** The number of a licence, ignoring case, spaces and punctuation; repeated: any of them; 1 to 100 of them */
licenseNumber?: string | string[] | undefined;
/** No licence of it expires before this day: nextLicenseExpiresOn is it or later (YYYY-MM-DD, or a duration from today in UTC such as `P60D` or `-P30D`) */
licenseExpiresSince?: string | undefined;
/** A licence of it expires before this day, or has expired: nextLicenseExpiresOn is earlier (YYYY-MM-DD, or a duration from today in UTC such as `P60D` or `-P30D`) */
licenseExpiresBefore?: string | undefined;
/** This field is null, or an empty list; repeated: any of them; 1 to 100 of them */
empty?: "email" | "phone" | "mlsId" | "licenses" | "address" | "source" | "officeId" | ("email" | "phone" | "mlsId" | "licenses" | "address" | "source" | "officeId")[] | undefined;
/** This field has a value; repeated: any of them; 1 to 100 of them */
notEmpty?: "email" | "phone" | "mlsId" | "licenses" | "address" | "source" | "officeId" | ("email" | "phone" | "mlsId" | "licenses" | "address" | "source" | "officeId")[] | undefined;
/** Agents of this office, whose primary or affiliated office it is; repeated: any of them; 1 to 100 of them */
officeId?: string | string[] | undefined;
/** With officeId: `primary` finds those whose primary office it is, `any` (the default) those who are affiliated with it too; without officeId it has no effect */
affiliation?: "primary" | "any" | undefined;
/** Embed a summary of the office of each agent */
expand?: "office" | undefined;
};

/** An agent in a few fields */
export type AgentSummary = {
/** Given by the server: UUID, version 7 (RESO OfficeKey, MemberKey) */
id: string;
/** The name to show (RESO MemberFullName) */
displayName: string;
status: Status;
/** The office the agent works in (RESO OfficeKey); UUID */
officeId: string | null;
/** Number in the MLS (RESO MemberMlsId); at most 50 characters */
mlsId: string | null;
/** The telephone to call first (RESO MemberPreferredPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone: string | null;
/** E-mail; unique among agents, ignoring case (RESO MemberEmail); at most 254 characters */
email: string | null;
};

/** To which office, why, and when */
export type AgentTransfer = {
/** The id of the record; UUID */
id: string;
/** Reject the change if the record has another version; at least 1 */
ifVersion?: number | undefined;
/** Why; kept in the event, and of a deactivation as statusReason until the record is active again; at most 500 characters */
reason?: string | null | undefined;
/** When it happens (RFC 3339); now unless given, and if the time has passed */
effectiveAt?: string | undefined;
/** On which day it happens: at 00:00 in the time zone of the office concerned, or in UTC if there is none; YYYY-MM-DD */
effectiveOn?: string | undefined;
/** The office that the agent moves to; UUID */
officeId: string;
};

/** To which office, why, and when */
export type AgentsTransfer = {
/** The id of the record; UUID */
id: string;
/** Reject the change if the record has another version; at least 1 */
ifVersion?: number | undefined;
/** Why; kept in the event, and of a deactivation as statusReason until the record is active again; at most 500 characters */
reason?: string | null | undefined;
/** When it happens (RFC 3339); now unless given, and if the time has passed */
effectiveAt?: string | undefined;
/** On which day it happens: at 00:00 in the time zone of the office concerned, or in UTC if there is none; YYYY-MM-DD */
effectiveOn?: string | undefined;
/** The office that all agents of this one move to; UUID */
toOfficeId: string;
};

/** An office whose agents moved, and their number */
export type AgentsTransferResult = {
/** Given by the server: UUID, version 7 (RESO OfficeKey, MemberKey) */
id: string;
status: Status;
/** Why it was deactivated, if a reason was given; null when active */
statusReason: string | null;
/** When the status last changed, or the record was created; RFC 3339 */
statusChangedAt: string;
/** When it was deactivated; null when active; RFC 3339 */
deactivatedAt: string | null;
/** When the record was created (RESO OriginalEntryTimestamp); RFC 3339 */
createdAt: string;
/** When anything in it last changed (RESO ModificationTimestamp); RFC 3339 */
updatedAt: string;
/** From 1, one more with every change; the ETag is made of it */
version: number;
/** The name people use (RESO OfficeName); 1 to 255 characters */
name: string;
/** The registered name, where it differs; at most 255 characters */
legalName: string | null;
/** Main office, branch or an office of its own (RESO OfficeBranchType) */
branchType: "main" | "branch" | "stand_alone" | null;
/** The kind of business (RESO OfficeType); at most 50 characters */
type: string | null;
/** The office it is a branch of, over no circle (RESO MainOfficeKey); UUID */
mainOfficeId: string | null;
/** The agent responsible by law (RESO OfficeBrokerKey); UUID */
brokerAgentId: string | null;
/** The agent who runs it (RESO OfficeManagerKey); UUID */
managerAgentId: string | null;
/** The franchise it belongs to (RESO FranchiseAffiliation); at most 100 characters */
franchise: string | null;
/** Its number in the MLS (RESO OfficeMlsId); at most 50 characters */
mlsId: string | null;
/** Its number in the national association (RESO OfficeNationalAssociationId); at most 50 characters */
nationalAssociationId: string | null;
/** Licences of the office (RESO OfficeCorporateLicense); at most 20 of them */
licenses: License[];
/** The earliest last day of its licences, also if it has passed; null if none has one. Follows from licenses; YYYY-MM-DD */
nextLicenseExpiresOn: string | null;
/** Telephone (RESO OfficePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone: string | null;
/** Extension (RESO OfficePhoneExt); at most 10 characters */
phoneExt: string | null;
/** Fax (RESO OfficeFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax: string | null;
/** E-mail (RESO OfficeEmail); at most 254 characters */
email: string | null;
/** Website, http or https; at most 2048 characters */
website: string | null;
/** Where it is (RESO OfficeAddress1, OfficeCity …) */
address: Address | null;
/** Where its post goes, if elsewhere (RESO OfficeMailAddress1 …) */
mailingAddress: Address | null;
/** IANA time zone; at most 64 characters */
timeZone: string | null;
/** About the office (RESO OfficeBio); at most 4000 characters */
bio: string | null;
/** Where the record came from; unique together per collection */
source: Source | null;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata: Record<string, string>;
/** The changes that are scheduled, in the order of their times; at most 20 of them */
scheduledChanges: PendingChange[];
/** How many agents moved, active and inactive */
moved: number;
};

/** The server that answers */
export type AnsweringServer = {
/** One for each start of a server; UUID */
id: string;
/** The name of its machine or container */
host: string;
/** Its process id there */
pid: number;
/** Its version */
version: string;
/** When it started; RFC 3339 */
startedAt: string;
/** For how long it has been running; at least 0 */
uptimeS: number;
};

/** The change that set each field of a record last */
export type BlameAnswer = {
/** Every field that has a value, or once had one; at most 1000 of them */
items: FieldBlame[];
};

/** What a change of many records would do */
export type BulkPreview = {
/** How many records, or pairs, the filter selects: the `expectedCount` of the change; at least 0 */
count: number;
/** On how many of them the change was tried: the first 500 by id, or fewer pairs of a merge; at least 0 */
checked: number;
/** Of those: how many would be changed; at least 0 */
changed: number;
/** Of the changed: how many would keep some fields, because these have changed since; at least 0 */
partlyChanged: number;
/** Of those: how many have the values already; at least 0 */
unchanged: number;
/** Of those: how many could not be changed; at least 0 */
rejected: number;
/** The first 5 records that would be changed; at most 5 of them */
samples: BulkSample[];
/** The records that could not be changed, or only in part, each with the reason; at most 500 of them */
errors: JobError[];
};

/** A record that would be changed, and what would change in it */
export type BulkSample = {
/** The id of the record; UUID */
id: string;
/** Its name */
name: string;
/** The fields that would change. Empty if the record would be deleted or restored.; at most 100 of them */
changes: ({
/** The field */
field: string;
/** Its value */
from: unknown;
/** What it would become */
to: unknown;
})[];
};

/** Which change: the operation of that name */
export type ChangeKind = "deactivate" | "reactivate" | "transfer" | "transfer_agents";

/** `open` while the answering server cannot connect and rejects what needs a new connection */
export type CircuitState = "closed" | "open";

/** The key or the person that makes the request */
export type CurrentCaller = {
/** A key or a person */
type: "key" | "person";
/** The id of the key or of the person; UUID */
id: string;
/** The current name */
name: string;
/** The scopes of all grants together; at most 20 of them */
scopes: Scope[];
/** What the caller may do, and where; at most 20 of them */
grants: ({
/** The role of a person; null of a key */
role: Role | null;
/** The operations that it allows; at most 20 of them */
scopes: Scope[];
/** The offices it is limited to, with their branches; null for everything; at most 100 of them */
officeIds: string[] | null;
})[];
/** The session; null if the request has a key */
session: Session | null;
/** When the session, the key or its secret expires; null for never; RFC 3339 */
expiresAt: string | null;
};

/** The primary database */
export type DatabaseStatus = {
/** The version of PostgreSQL */
version: string;
/** The size of the database; at least 0 */
sizeBytes: number;
/** Connections to PostgreSQL */
connections: {
/** Connections of all clients to the server of PostgreSQL; at least 0 */
open: number;
/** How many it accepts; at least 0 */
max: number;
};
/** The circuit breakers of the answering server */
circuits: {
requests: CircuitState;
workers: CircuitState;
};
/** Migrations of the schema */
migrations: {
/** The last one that has run */
latest: string | null;
/** Those of the answering server that have not run; at most 200 of them */
pending: string[];
/** Those that have run and are of a later release; at most 200 of them */
unknown: string[];
};
};

/** One of the deleted agents, which can be restored */
export type DeletedAgent = {
/** The id of the record; UUID */
id: string;
/** The resource */
resource: "agents";
/** When it was deleted; RFC 3339 */
deletedAt: string;
/** Until when it can be restored; RFC 3339 */
restorableUntil: string;
/** The id of the key or the person that deleted it; UUID */
actorId: string | null;
/** The same with the type and, for callers that may read it, the current name; null for a person who was deleted */
actor: Actor | null;
/** The reason given with the change */
reason: string | null;
/** Its last state */
record: Agent;
};

/** One of the deleted offices, which can be restored */
export type DeletedOffice = {
/** The id of the record; UUID */
id: string;
/** The resource */
resource: "offices";
/** When it was deleted; RFC 3339 */
deletedAt: string;
/** Until when it can be restored; RFC 3339 */
restorableUntil: string;
/** The id of the key or the person that deleted it; UUID */
actorId: string | null;
/** The same with the type and, for callers that may read it, the current name; null for a person who was deleted */
actor: Actor | null;
/** The reason given with the change */
reason: string | null;
/** Its last state */
record: Office;
};

/** A deleted record, which can be restored */
export type DeletedRecord = DeletedOffice | DeletedAgent | DeletedTeam;

/** One page of a list */
export type DeletedRecordPage = {
/** The records of this page; at most 200 of them */
items: DeletedRecord[];
/** The way to the next page; absent on the last */
nextCursor?: string | undefined;
/** The way to the page before; absent on the first */
prevCursor?: string | undefined;
/** With includeTotal: how many records match */
total?: number | undefined;
};

/** Which records, in which order, and how many on a page */
export type DeletedRecordQuery = {
/** Records a page: 1 to 200; more is 200; at least 1 */
limit?: number | undefined;
/** Where to go on: `nextCursor` or `prevCursor` of a page, with the same filters, `sort` and `startAt`; 1 to 4000 characters */
cursor?: string | undefined;
/** Sent by the infinite queries of tRPC; `backward` requires a `prevCursor` as the cursor */
direction?: "forward" | "backward" | undefined;
/** Begin at the first record whose value of the sort is this one or comes after it in the order of the list: a time, or the beginning of a name; with a cursor, which page it is follows from the cursor; 1 to 255 characters */
startAt?: string | undefined;
/** The order, `-` for descending; the id breaks ties; "-deletedAt" unless given */
sort?: "deletedAt" | "-deletedAt" | undefined;
/** Only records of this resource; without it, of those that the caller may change; repeated: any of them; 1 to 100 of them */
resource?: "offices" | "agents" | "teams" | ("offices" | "agents" | "teams")[] | undefined;
};

/** One of the deleted teams, which can be restored */
export type DeletedTeam = {
/** The id of the record; UUID */
id: string;
/** The resource */
resource: "teams";
/** When it was deleted; RFC 3339 */
deletedAt: string;
/** Until when it can be restored; RFC 3339 */
restorableUntil: string;
/** The id of the key or the person that deleted it; UUID */
actorId: string | null;
/** The same with the type and, for callers that may read it, the current name; null for a person who was deleted */
actor: Actor | null;
/** The reason given with the change */
reason: string | null;
/** Its last state */
record: Team;
};

/** Why they are not the same; may be left out */
export type Dismissal = {
/** The id of the pair; UUID */
id: string;
/** Why; kept in the event, and of a deactivation as statusReason until the record is active again; at most 500 characters */
reason?: string | null | undefined;
};

/** Why two records may be the same */
export type DuplicateReason = {
kind: DuplicateReasonKind;
/** In words */
text: string;
/** What both have; left out of a name */
value?: string | undefined;
/** The field that has the number */
field?: string | undefined;
/** Whether the names are similar and not the same */
isSimilar?: true | undefined;
/** Where both names are */
place?: "office" | "address" | "city" | undefined;
};

/** What two records have in common */
export type DuplicateReasonKind = "telephone" | "email" | "license" | "number" | "source" | "name";

/** A change of a record, whose kind follows from `type`. More types may be added: ignore those that you do not know. */
export type Event = OfficeEvent | AgentEvent | TeamEvent | KeyEvent | WebhookEvent | PersonEvent | InvitationEvent | PasskeyEvent | SessionEvent | AccessEvent;

/** What an event says of its change beside the record */
export type EventDetails = {
/** Of a transfer: the previous office; null if the agent had none; UUID */
fromOfficeId?: string | null | undefined;
/** Of a transfer: the new office; null if an undo leaves the agent without one; UUID */
toOfficeId?: string | null | undefined;
/** Of a scheduled change: its id; UUID */
scheduledChangeId?: string | undefined;
/** Of a scheduled change: the key that scheduled it; UUID */
scheduledBy?: string | undefined;
/** Of a scheduled change: when it was scheduled; RFC 3339 */
scheduledAt?: string | undefined;
/** Of a scheduled change that failed: which change */
change?: string | undefined;
/** Of a scheduled change that failed: the error code */
errorCode?: string | undefined;
/** Of a scheduled change that failed: why, in words */
error?: string | undefined;
/** Of a revert: the version whose values the record got */
revertedTo?: number | undefined;
/** Of a change of many records: the id of the job; UUID */
bulkId?: string | undefined;
/** Of a change of an agent by `cascade`: the office that was deactivated; UUID */
cascadeOfficeId?: string | undefined;
/** Of a change of an agent by `cascade`: the version of the office by its deactivation */
cascadeVersion?: number | undefined;
/** Of a change of an agent that takes back what the deactivation of the office did; else absent */
undoesCascade?: true | undefined;
/** Of a merge of two records, and of what moved with it: the id of the merge; UUID */
mergeId?: string | undefined;
/** Of a record that was merged into another one: the ID of the survivor. Absent if your access does not include it; UUID */
mergedInto?: string | undefined;
/** Of the survivor of a merge: the ID of the record that was merged into it. Absent if your access does not include it; UUID */
mergedFrom?: string | undefined;
/** Of a change that takes back what a merge did; else absent */
undoesMerge?: true | undefined;
/** Of a licence that expires soon: the licence */
license?: License | undefined;
/** Of a licence that expires soon: the days until its last day, which is 0 */
daysLeft?: number | undefined;
};

/** One page of events and the next cursor */
export type EventPage = {
/** Events in the order of their positions; at most 200 of them */
items: Event[];
/** The cursor for the next request, also if there were no events */
nextAfter: string;
/** Whether there are more events now */
hasMore: boolean;
};

/** Which records, in which order, and how many on a page */
export type EventQuery = {
/** Return events after this cursor: `nextAfter` of the previous page, the position of an event, `0` for the start, or `latest` for the current end of the log; "0" unless given */
after?: string | undefined;
/** Only events of this type; without it, those of offices, agents and teams; repeated: any of them; 1 to 100 of them */
types?: EventType | EventType[] | undefined;
/** Only events of this record; UUID */
subject?: string | undefined;
/** Only events of changes that this key or person made; of denied rights those that were denied to them; UUID */
actorId?: string | undefined;
/** Records a page: 1 to 200; more is 200; at least 1 */
limit?: number | undefined;
};

/** Which events, and after which cursor */
export type EventStreamQuery = {
/** Return events after this cursor: `nextAfter` of the previous page, the position of an event, `0` for the start, or `latest` for the current end of the log; "latest" unless given */
after?: string | undefined;
/** Return events after this cursor: `nextAfter` of the previous page, the position of an event, `0` for the start, or `latest` for the current end of the log */
lastEventId?: string | undefined;
/** Only events of this type; without it, those of offices, agents and teams; repeated: any of them; 1 to 100 of them */
types?: EventType | EventType[] | undefined;
/** Only events of this record; UUID */
subject?: string | undefined;
/** Only events of changes that this key or person made; of denied rights those that were denied to them; UUID */
actorId?: string | undefined;
};

/** What happened, to which resource. More types may be added: ignore those that you do not know. */
export type EventType = "office.created" | "office.updated" | "office.deactivated" | "office.reactivated" | "office.deleted" | "office.restored" | "office.purged" | "office.license_expiring" | "office.change_failed" | "office.merged" | "agent.created" | "agent.updated" | "agent.deactivated" | "agent.reactivated" | "agent.deleted" | "agent.restored" | "agent.purged" | "agent.license_expiring" | "agent.change_failed" | "agent.merged" | "agent.transferred" | "team.created" | "team.updated" | "team.deactivated" | "team.reactivated" | "team.deleted" | "team.restored" | "team.purged" | "team.change_failed" | "team.merged" | "key.created" | "key.updated" | "key.rotated" | "key.revoked" | "webhook.created" | "webhook.updated" | "webhook.rotated" | "webhook.replayed" | "webhook.deleted" | "person.invited" | "person.updated" | "person.deactivated" | "person.reactivated" | "person.deleted" | "invitation.created" | "invitation.revoked" | "invitation.accepted" | "passkey.created" | "passkey.updated" | "passkey.deleted" | "session.created" | "session.ended" | "access.denied";

/** A field and the change that set it last; all null but the value if the log no longer has that change */
export type FieldBlame = {
/** The field; a part of an object follows a dot: `address.city`, `metadata.costCentre` */
field: string;
/** Its value; null if the change cleared it */
value: unknown;
/** The position of its event in the log; null in the moment before it has one */
position: number | null | null;
/** The version of the record after the change; of a deleted record its last version; of what is no record the number of its event */
version: number | null;
/** When it happened; RFC 3339 */
occurredAt: string | null;
/** The id of the key or the person that made the change; null if the service itself did; UUID */
actorId: string | null | null;
/** The same with the type and, for callers that may read it, the current name; null for a person who was deleted */
actor: Actor | null | null;
/** The X-Request-Id of the request */
requestId: string | null | null;
/** The reason given with the change */
reason: string | null | null;
/** What the change was part of, and between which offices an agent was transferred; null if nothing */
details: EventDetails | null | null;
/** What happened, to an office or an agent or a team. More types may be added: ignore those that you do not know. */
type: RecordEventType | null;
/** The name of the actor; null for the service itself and ROSTER_ADMIN_KEY, and for callers that may not read it */
actorName: string | null | null;
/** The merge that it is part of, or takes back (`details.undoesMerge`); null without one */
merge: MergeOfChange | null | null;
};

/** A field with its value before and after a change */
export type FieldChange = {
/** The field; a part of an object follows a dot: `address.city`, `metadata.costCentre` */
field: string;
/** The value before; null without one */
before: unknown;
/** The value after; null without one */
after: unknown;
};

/** A field that an undo keeps, because it has changed since */
export type FieldConflict = {
/** The field. A part of an object follows a dot, such as `address.city` */
field: string;
/** The value before the change that is undone */
previous?: unknown | undefined;
/** The value that the change set */
set?: unknown | undefined;
/** The current value, which is kept */
current?: unknown | undefined;
};

/** One error of one field or parameter */
export type FieldError = {
/** The field of the body, as a JSON Pointer in a URI fragment (RFC 6901, section 6) */
pointer?: string | undefined;
/** The name of the path or query parameter */
parameter?: string | undefined;
/** What is wrong, for programs */
code: string;
/** What is wrong, for people */
detail: string;
};

/** A role for everything, or for some offices with their branches */
export type Grant = {
role: Role;
/** The offices it is limited to, with their branches; null for everything; 1 to 100 of them */
officeIds: string[] | null;
};

/** A part of a field that matches the search */
export type Highlight = {
/** The field of the item */
field: string;
/** Where the match begins, in UTF-16 code units, as `slice` of JavaScript */
start: number;
/** Where it ends: the code unit after its last */
end: number;
};

/** One page of the history of a record */
export type HistoryPage = {
/** Changes, newest first; at most 200 of them */
items: RecordChange[];
/** The way to older changes; absent on the last page */
nextCursor?: string | undefined;
};

/** Which records, in which order, and how many on a page */
export type HistoryQuery = {
/** The id of the record; UUID */
id: string;
/** Records a page: 1 to 200; more is 200; at least 1 */
limit?: number | undefined;
/** Where to go on: `nextCursor` of the page before; 1 to 4000 characters */
cursor?: string | undefined;
/** Pages go back in time; sent by the infinite queries of tRPC */
direction?: "forward" | undefined;
};

/** A file that is imported by a job in the background */
export type Import = {
/** Assigned by the server; also that of its job, and the `bulkId` in the details of its events; UUID */
id: string;
/** The resource whose records the file has */
resource: "offices" | "agents" | "teams";
/** The name of the file */
name: string | null;
/** The format that it is read as */
format: "csv" | "ndjson";
/** The encoding that it is read in */
encoding: string;
/** Between the cells of CSV */
delimiter: "," | ";" | "\t" | "|";
/** The columns of CSV in their order; none of NDJSON, and of imports that were received by a release before 0.2; at most 268435456 of them */
columns: ({
/** The name of the column */
name: string;
/** The field that it sets; null if it is left out */
field: string | null;
})[];
/** Its rows are read into the service, checked, and written: which of these it does, or did last. An import that ended with `check` has written nothing */
step: "read" | "check" | "write";
status: JobStatus;
/** The rows of the file; those that were read so far while it is read; at least 0 */
total: number;
/** The rows with which the step is done; at least 0 */
processed: number;
/** The records that it has created; at least 0 */
created: number;
/** The records that it has changed; at least 0 */
updated: number;
/** The rows whose records were as they say; at least 0 */
unchanged: number;
/** The rows that were rejected, by the check or since; at least 0 */
rejected: number;
/** What the check says; null until it has ended */
findings: ImportFindings | null;
/** What must be confirmed or skipped before the file is written; `renames`: records that an e-mail address alone led to, and that would get another name; `clears`: records that would lose the value of a field by an empty cell; `moves`, `deactivations`: of at least 10 records and a tenth of the rows; at most 5 of them */
unconfirmed: ("rejected" | "renames" | "clears" | "moves" | "deactivations")[];
/** Why it has failed; null if it has not */
failure: JobFailure | null;
/** The latest job that undoes it; null if there is none; UUID */
undoneBy: string | null;
/** When the file was received; RFC 3339 */
createdAt: string;
/** The key or the person that created it; null if the service did, if that person is gone, or before this was recorded */
createdBy: {
/** A key or a person */
type: "key" | "person";
/** The id of the key or of the person; UUID */
id: string;
/** The current name */
name: string | null;
/** The id of the key; null if a person created it; UUID */
keyId: string | null;
/** The current name of the key; null if a person created it */
keyName: string | null;
} | null;
/** When its last step ended; null until then; RFC 3339 */
finishedAt: string | null;
};

/** What became of the records */
export type ImportAnswer = {
/** One for each record, in the order they came in; at most 500 of them */
results: ImportResult[];
/** How many were created */
created: number;
/** How many were changed */
updated: number;
/** How many were already as given */
unchanged: number;
/** How many were rejected */
rejected: number;
};

/** Why a row of a file is rejected */
export type ImportError = {
/** The row, counted as in a spreadsheet: the header is row 1; at least 1 */
row: number;
/** The line of the file in which the row begins; at least 1 */
line: number;
/** The name of the column in the file; empty for the whole row */
column: string;
/** The text of the cell; null without one */
value: string | null;
/** A code for programs, as of other field errors */
code: string;
/** What is wrong */
detail: string;
};

/** One page of a list */
export type ImportErrorPage = {
/** The records of this page; at most 200 of them */
items: ImportError[];
/** The way to the next page; absent on the last */
nextCursor?: string | undefined;
/** The way to the page before; absent on the first */
prevCursor?: string | undefined;
/** With includeTotal: how many records match */
total?: number | undefined;
};

/** Which records, in which order, and how many on a page */
export type ImportErrorQuery = {
/** The id of the record; UUID */
id: string;
/** Records a page: 1 to 200; more is 200; at least 1 */
limit?: number | undefined;
/** Where to go on: `nextCursor` or `prevCursor` of a page, with the same filters, `sort` and `startAt`; 1 to 4000 characters */
cursor?: string | undefined;
/** Sent by the infinite queries of tRPC; `backward` requires a `prevCursor` as the cursor */
direction?: "forward" | "backward" | undefined;
/** Begin at the first record whose value of the sort is this one or comes after it in the order of the list: a time, or the beginning of a name; with a cursor, which page it is follows from the cursor; 1 to 255 characters */
startAt?: string | undefined;
};

/** What a check says: how many rows would do what */
export type ImportFindings = {
/** Rows that would create a record; at least 0 */
created: number;
/** Rows that would change one; at least 0 */
updated: number;
/** Rows whose record is as they say; at least 0 */
unchanged: number;
/** Rows that could not be written; at least 0 */
rejected: number;
/** Rows that would give another name to a record that their e-mail address alone leads to; at least 0 */
renames: number;
/** Rows that would clear a field of a record by an empty cell; at least 0 */
clears: number;
/** How many records would lose the value of each field by an empty cell */
clearedFields: Record<string, number>;
/** Rows that would move a record to another office; at least 0 */
moves: number;
/** Rows that would deactivate a record; at least 0 */
deactivations: number;
/** Of the created: those without a key; at least 0 */
createdWithoutKey: number;
/** Of these: those without an e-mail address, which the file would create again; at least 0 */
createdWithoutEmail: number;
/** Of the updated and unchanged: those that an e-mail address led to; at least 0 */
matchedByEmail: number;
/** Of the created: those that look like a record that is there, or an earlier row of the file; at least 0 */
lookAlikes: number;
};

/** What the columns of a file and their cells mean */
export type ImportMapping = {
/** The field of each column by its name in the file; an empty text for one that is ignored. Others are known by their names */
columns?: Record<string, string> | undefined;
/** What the cells of a column stand for, by their text */
values?: Record<string, Record<string, string>> | undefined;
/** How the days of a column are written */
dates?: Record<string, "iso" | "day-first" | "month-first" | "year-first"> | undefined;
/** What empty cells of a column do, if not what `emptyCells` of the import says: `keep` or `clear` the field */
emptyCells?: Record<string, "keep" | "clear"> | undefined;
};

/** One page of a list */
export type ImportPage = {
/** The records of this page; at most 200 of them */
items: Import[];
/** The way to the next page; absent on the last */
nextCursor?: string | undefined;
/** The way to the page before; absent on the first */
prevCursor?: string | undefined;
/** With includeTotal: how many records match */
total?: number | undefined;
};

/** How a file would be read, and what its columns are taken for */
export type ImportPreview = {
/** The resource whose records the file has */
resource: "offices" | "agents" | "teams";
/** The format that it is read as */
format: "csv" | "ndjson";
/** The encoding that it is read in */
encoding: string;
/** Between the cells of CSV */
delimiter: "," | ";" | "\t" | "|";
/** The columns in their order; at most 131072 of them */
columns: ({
/** The name of the column */
name: string;
/** The field that it sets; null if it is left out */
field: string | null;
/** Its most frequent texts, at most three; at most 3 of them */
samples: string[];
/** Its texts, if the field takes a few values: the 100 most frequent; else null; at most 100 of them */
values: ({
/** The text of a cell */
text: string;
/** The rows that have it; at least 0 */
count: number;
/** The value that it stands for; null if that is not known */
choice: string | null;
})[] | null;
/** How its days are written, if the field is a day; else null */
dates: "iso" | "day-first" | "month-first" | "year-first" | null;
/** The rows that have an empty cell in this column; at least 0 */
empty: number;
})[];
/** Why the file cannot be imported so; at most 2 of them */
problems: ({
/** `repeated`: two columns set one field. `no_columns`: none sets any */
code: "repeated" | "no_columns";
/** Which columns; at most 2 of them */
columns: string[];
})[];
};

/** The beginning of a file, and what is said of it already */
export type ImportPreviewQuery = {
/** The first bytes of the file, in base64: at most 128 KiB; of a file with more, exactly these; at most 174764 characters */
beginning: string;
/** The resource whose records the file has; without it the one that most columns fit, of those that the key may change */
resource?: "offices" | "agents" | "teams" | undefined;
/** The name of the file, for lists; 1 to 255 characters */
name?: string | undefined;
/** The format; without it as the media type says, else by how the file begins */
format?: "csv" | "ndjson" | undefined;
/** The encoding (WHATWG Encoding); without it the `charset` of the media type, or that of the byte order mark, UTF-16 or UTF-8 if the file is that, else windows-1252; 1 to 40 characters */
encoding?: string | undefined;
/** Between the cells of CSV; without it the one of these that the header has most of */
delimiter?: "," | ";" | "\t" | "|" | undefined;
/** What columns and cells mean, as JSON */
mapping?: ImportMapping | undefined;
};

/** Which records, in which order, and how many on a page */
export type ImportQuery = {
/** Records a page: 1 to 200; more is 200; at least 1 */
limit?: number | undefined;
/** Where to go on: `nextCursor` or `prevCursor` of a page, with the same filters, `sort` and `startAt`; 1 to 4000 characters */
cursor?: string | undefined;
/** Sent by the infinite queries of tRPC; `backward` requires a `prevCursor` as the cursor */
direction?: "forward" | "backward" | undefined;
/** Begin at the first record whose value of the sort is this one or comes after it in the order of the list: a time, or the beginning of a name; with a cursor, which page it is follows from the cursor; 1 to 255 characters */
startAt?: string | undefined;
/** The order, `-` for descending; the id breaks ties; "-createdAt" unless given */
sort?: "createdAt" | "-createdAt" | undefined;
/** Only imports with this status; repeated: any of them; 1 to 100 of them */
status?: JobStatus | JobStatus[] | undefined;
/** Only imports of this resource; without it, of those that the key may read; repeated: any of them; 1 to 100 of them */
resource?: "offices" | "agents" | "teams" | ("offices" | "agents" | "teams")[] | undefined;
};

/** What became of one record */
export type ImportResult = {
/** Which of the records, from 0 */
index: number;
/** What became of it; in a dry run, what would */
status: "created" | "updated" | "unchanged" | "rejected";
/** The id of the record; null if it was rejected, or if a dry run would create it; UUID */
id: string | null;
/** The version it has now; null if it was rejected */
version: number | null;
/** What led to the record that was there already, also if the change is rejected: its `source`, its `email` alone, or, for offices, `emailAndName`; null if nothing did */
matchedBy: "source" | "email" | "emailAndName" | null;
/** Why it was rejected */
error?: {
/** The error code; later releases may add codes */
code: ProblemCode;
/** What is wrong, in a sentence */
detail: string;
/** What is wrong with the record; at most 100 faults, and 1,000 of all records together; at most 100 of them */
errors: FieldError[];
/** The number of errors that are not in `errors` */
errorsOmitted?: number | undefined;
} | undefined;
};

/** A row of a file, and what becomes of it */
export type ImportRow = {
/** The row, counted as in a spreadsheet: the header is row 1; at least 1 */
row: number;
/** The line of the file in which the row begins; at least 1 */
line: number;
/** What became of it; as long as nothing is written, what would; null until it is checked */
outcome: "created" | "updated" | "unchanged" | "rejected" | "skipped" | null;
/** Its record; null if there is none yet; UUID */
recordId: string | null;
/** What led to the record that was there; null if nothing did */
matchedBy: "source" | "id" | "email" | "emailAndName" | "name" | null;
/** The texts of its cells, in the order of the columns; of NDJSON the line; null if they were not kept; at most 268435456 of them */
cells: string[] | null;
/** Why it is rejected: all of it; at most 1000 of them */
errors: ({
/** The name of the column in the file; empty for the whole row */
column: string;
/** A code for programs, as of other field errors */
code: string;
/** What is wrong */
detail: string;
})[];
/** The fields that the check says change; of a new record none; at most 100 of them */
changes: ({
/** The field */
field: string;
/** Its value before */
from: unknown;
/** Its value after */
to: unknown;
})[];
/** The fields that an empty cell would clear. A part of an object follows a dot.; at most 1000 of them */
cleared: string[];
/** Why it is suspicious, if there are enough of these rows; at most 4 of them */
suspicious: ("renames" | "clears" | "moves" | "deactivations")[];
/** The records, and the earlier rows of the file, that a row which would create a record looks like, as the check found, the most probable first. They keep nothing from being written; `skip: lookAlikes` leaves such rows out; at most 5 of them */
lookAlikes: ({
/** The record that is there; null of a row of the file; UUID */
recordId: string | null;
/** The earlier row of the file that would create one like it; null of a record that is there */
row: number | null;
/** Its name */
name: string;
/** The estimated probability that they are the same, from 0 to 1 */
score: number;
/** What they have in common; at most 20 of them */
reasons: DuplicateReason[];
})[];
};

/** One page of a list */
export type ImportRowPage = {
/** The records of this page; at most 200 of them */
items: ImportRow[];
/** The way to the next page; absent on the last */
nextCursor?: string | undefined;
/** The way to the page before; absent on the first */
prevCursor?: string | undefined;
/** With includeTotal: how many records match */
total?: number | undefined;
};

/** Which records, in which order, and how many on a page */
export type ImportRowQuery = {
/** The id of the record; UUID */
id: string;
/** Records a page: 1 to 200; more is 200; at least 1 */
limit?: number | undefined;
/** Where to go on: `nextCursor` or `prevCursor` of a page, with the same filters, `sort` and `startAt`; 1 to 4000 characters */
cursor?: string | undefined;
/** Sent by the infinite queries of tRPC; `backward` requires a `prevCursor` as the cursor */
direction?: "forward" | "backward" | undefined;
/** Begin at the first record whose value of the sort is this one or comes after it in the order of the list: a time, or the beginning of a name; with a cursor, which page it is follows from the cursor; 1 to 255 characters */
startAt?: string | undefined;
/** Only rows with this outcome; repeated: any of them; 1 to 100 of them */
outcome?: "created" | "updated" | "unchanged" | "rejected" | "skipped" | ("created" | "updated" | "unchanged" | "rejected" | "skipped")[] | undefined;
/** Only rows that are suspicious in this way; repeated: any of them; 1 to 100 of them */
suspicious?: "renames" | "clears" | "moves" | "deactivations" | ("renames" | "clears" | "moves" | "deactivations")[] | undefined;
/** Only rows that look like a record that is there or an earlier row, or only others */
looksLike?: boolean | undefined;
};

/** A file to import */
export type ImportUpload = {
/** The resource whose records the file has */
resource: "offices" | "agents" | "teams";
/** `check`: nothing is written until `write` is called. `write`: it is written after its check, unless rows are rejected or suspicious and neither confirmed nor skipped; "check" unless given */
mode?: "check" | "write" | undefined;
/** The name of the file, for lists; 1 to 255 characters */
name?: string | undefined;
/** The format; without it as the media type says, else by how the file begins */
format?: "csv" | "ndjson" | undefined;
/** The encoding (WHATWG Encoding); without it the `charset` of the media type, or that of the byte order mark, UTF-16 or UTF-8 if the file is that, else windows-1252; 1 to 40 characters */
encoding?: string | undefined;
/** Between the cells of CSV; without it the one of these that the header has most of */
delimiter?: "," | ";" | "\t" | "|" | undefined;
/** The system that the file comes from: the ids in it are its keys; 1 to 255 characters */
sourceName?: string | undefined;
/** The column with the key of each row in its source; 1 to 255 characters */
keyColumn?: string | undefined;
/** What columns and cells mean, as JSON */
mapping?: ImportMapping | undefined;
/** What an empty cell of a CSV file does to a field that has a value: `keep` or `clear` it. `mapping` can say otherwise for a column. In NDJSON, `null` clears a field. Defaults to `keep`. */
emptyCells?: "keep" | "clear" | undefined;
/** Whether columns that are not known are ignored */
ignoreUnknown?: boolean | undefined;
/** What may be written although the check finds it suspicious. `renames`: records that an e-mail address alone led to, and that would get another name; `clears`: records that would lose the value of a field by an empty cell; `moves`, `deactivations`: of at least 10 records and a tenth of the rows; repeated: any of them; 1 to 100 of them */
confirm?: "renames" | "clears" | "moves" | "deactivations" | ("renames" | "clears" | "moves" | "deactivations")[] | undefined;
/** Rows that are left out when the others are written: those that are rejected, that would create what looks like a record that is there, or that are suspicious; repeated: any of them; 1 to 100 of them */
skip?: "rejected" | "lookAlikes" | "renames" | "clears" | "moves" | "deactivations" | ("rejected" | "lookAlikes" | "renames" | "clears" | "moves" | "deactivations")[] | undefined;
/** The text of the file; in REST it is the body; at most 3145728 characters */
content?: string | undefined;
};

/** What is written although the check rejects or suspects some of it */
export type ImportWrite = {
/** The id of the record; UUID */
id: string;
/** What may be written although the check finds it suspicious; at most 4 of them */
confirm?: ("renames" | "clears" | "moves" | "deactivations")[] | undefined;
/** Rows that are left out; at most 6 of them */
skip?: ("rejected" | "lookAlikes" | "renames" | "clears" | "moves" | "deactivations")[] | undefined;
};

/** An agent to import: one to create, or what is known of them */
export type ImportedAgent = {
/** Given name (RESO MemberFirstName); 1 to 100 characters */
firstName: string;
/** Family name (RESO MemberLastName); 1 to 100 characters */
lastName: string;
/** Middle name (RESO MemberMiddleName); at most 100 characters */
middleName?: string | null | undefined;
/** Nickname (RESO MemberNickname); at most 100 characters */
nickname?: string | null | undefined;
/** Before the name (RESO MemberNamePrefix); at most 20 characters */
namePrefix?: string | null | undefined;
/** After the name (RESO MemberNameSuffix); at most 20 characters */
nameSuffix?: string | null | undefined;
/** The name to show (RESO MemberFullName); first and last name unless given, null returns to that; at most 255 characters */
displayName?: string | null | undefined;
/** Job title (RESO JobTitle); at most 100 characters */
title?: string | null | undefined;
/** The kind of member (RESO MemberType); at most 50 characters */
type?: string | null | undefined;
/** The office the agent works in (RESO OfficeKey); UUID */
officeId?: string | null | undefined;
/** Offices the agent belongs to beside officeId, each at most once; one that becomes officeId is removed; at most 20 of them */
affiliations?: NewAffiliation[] | null | undefined;
/** E-mail; unique among agents, ignoring case (RESO MemberEmail); at most 254 characters */
email?: string | null | undefined;
/** The telephone to call first (RESO MemberPreferredPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone?: string | null | undefined;
/** Extension (RESO MemberPreferredPhoneExt); at most 10 characters */
phoneExt?: string | null | undefined;
/** Mobile telephone (RESO MemberMobilePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
mobilePhone?: string | null | undefined;
/** Direct line (RESO MemberDirectPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
directPhone?: string | null | undefined;
/** Fax (RESO MemberFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax?: string | null | undefined;
/** Number in the MLS (RESO MemberMlsId); at most 50 characters */
mlsId?: string | null | undefined;
/** Number in the national association (RESO MemberNationalAssociationId); at most 50 characters */
nationalAssociationId?: string | null | undefined;
/** Licences of the agent (RESO MemberStateLicense …); at most 50 of them */
licenses?: NewLicense[] | null | undefined;
/** Business address (RESO MemberAddress1, MemberCity …) */
address?: NewAddress | null | undefined;
/** Languages spoken, as BCP 47 tags (RESO MemberLanguages); at most 20 of them */
languages?: string[] | null | undefined;
/** Professional designations (RESO MemberDesignation); at most 30 of them */
designations?: string[] | null | undefined;
/** The agent this one assists (RESO MemberIsAssistantTo); UUID */
assistantToAgentId?: string | null | undefined;
/** Website, http or https; at most 2048 characters */
website?: string | null | undefined;
/** A portrait, http or https; at most 2048 characters */
photoUrl?: string | null | undefined;
/** About the agent (RESO MemberBio); at most 4000 characters */
bio?: string | null | undefined;
/** Where the record came from; unique together per collection */
source?: {
/** The system (RESO OriginatingSystemName); 1 to 255 characters */
name: string;
/** The record's key there; 1 to 255 characters */
key: string;
} | null | undefined;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata?: Record<string, string | null> | null | undefined;
/** The office the agent works in, by where it came from; instead of its id */
officeSource?: {
/** The system (RESO OriginatingSystemName); 1 to 255 characters */
name: string;
/** The record's key there; 1 to 255 characters */
key: string;
} | null | undefined;
/** The office the agent works in, by its key in the source of the record; instead of its id; at most 255 characters */
officeSourceKey?: string | null | undefined;
/** The office the agent works in, by a name that one office alone has, ignoring case; at most 255 characters */
officeName?: string | null | undefined;
};

/** An office to import: one to create, or what is known of it */
export type ImportedOffice = {
/** The name people use (RESO OfficeName); 1 to 255 characters */
name: string;
/** The registered name, where it differs; at most 255 characters */
legalName?: string | null | undefined;
/** Main office, branch or an office of its own (RESO OfficeBranchType) */
branchType?: "main" | "branch" | "stand_alone" | null | undefined;
/** The kind of business (RESO OfficeType); at most 50 characters */
type?: string | null | undefined;
/** The office it is a branch of, over no circle (RESO MainOfficeKey); UUID */
mainOfficeId?: string | null | undefined;
/** The agent responsible by law (RESO OfficeBrokerKey); UUID */
brokerAgentId?: string | null | undefined;
/** The agent who runs it (RESO OfficeManagerKey); UUID */
managerAgentId?: string | null | undefined;
/** The franchise it belongs to (RESO FranchiseAffiliation); at most 100 characters */
franchise?: string | null | undefined;
/** Its number in the MLS (RESO OfficeMlsId); at most 50 characters */
mlsId?: string | null | undefined;
/** Its number in the national association (RESO OfficeNationalAssociationId); at most 50 characters */
nationalAssociationId?: string | null | undefined;
/** Licences of the office (RESO OfficeCorporateLicense); at most 20 of them */
licenses?: NewLicense[] | null | undefined;
/** Telephone (RESO OfficePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone?: string | null | undefined;
/** Extension (RESO OfficePhoneExt); at most 10 characters */
phoneExt?: string | null | undefined;
/** Fax (RESO OfficeFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax?: string | null | undefined;
/** E-mail (RESO OfficeEmail); at most 254 characters */
email?: string | null | undefined;
/** Website, http or https; at most 2048 characters */
website?: string | null | undefined;
/** Where it is (RESO OfficeAddress1, OfficeCity …) */
address?: NewAddress | null | undefined;
/** Where its post goes, if elsewhere (RESO OfficeMailAddress1 …) */
mailingAddress?: NewAddress | null | undefined;
/** IANA time zone; at most 64 characters */
timeZone?: string | null | undefined;
/** About the office (RESO OfficeBio); at most 4000 characters */
bio?: string | null | undefined;
/** Where the record came from; unique together per collection */
source?: {
/** The system (RESO OriginatingSystemName); 1 to 255 characters */
name: string;
/** The record's key there; 1 to 255 characters */
key: string;
} | null | undefined;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata?: Record<string, string | null> | null | undefined;
/** The main office, which may be in the same call, by where it came from; instead of its id */
mainOfficeSource?: {
/** The system (RESO OriginatingSystemName); 1 to 255 characters */
name: string;
/** The record's key there; 1 to 255 characters */
key: string;
} | null | undefined;
/** The main office, which may be in the same call, by its key in the source of the record; instead of its id; at most 255 characters */
mainOfficeSourceKey?: string | null | undefined;
};

/** A team to import: one to create, or what is known of it */
export type ImportedTeam = {
/** The name people use (RESO TeamName); 1 to 255 characters */
name: string;
/** About the team (RESO TeamDescription); at most 4000 characters */
description?: string | null | undefined;
/** Its number in the MLS; at most 50 characters */
mlsId?: string | null | undefined;
/** The office it belongs to, if it does; its members may be of others; UUID */
officeId?: string | null | undefined;
/** The agents in it, in the order of their ids; at most one is the lead on a day (RESO TeamMembers, TeamLeadKey). An agent who is deactivated stays; one who is deleted leaves; at most 100 of them */
members?: ImportedTeamMember[] | null | undefined;
/** The telephone to call first (RESO TeamPreferredPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone?: string | null | undefined;
/** Extension (RESO TeamPreferredPhoneExt); at most 10 characters */
phoneExt?: string | null | undefined;
/** Telephone at the office (RESO TeamOfficePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
officePhone?: string | null | undefined;
/** Extension at the office (RESO TeamOfficePhoneExt); at most 10 characters */
officePhoneExt?: string | null | undefined;
/** Mobile telephone (RESO TeamMobilePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
mobilePhone?: string | null | undefined;
/** Direct line (RESO TeamDirectPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
directPhone?: string | null | undefined;
/** Telephone that costs callers nothing (RESO TeamTollFreePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
tollFreePhone?: string | null | undefined;
/** Fax (RESO TeamFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax?: string | null | undefined;
/** E-mail (RESO TeamEmail); at most 254 characters */
email?: string | null | undefined;
/** Website, http or https; at most 2048 characters */
website?: string | null | undefined;
/** Where it is in social networks (RESO SocialMedia); at most 10 of them */
socialLinks?: string[] | null | undefined;
/** Where it is, if not at its office (RESO TeamAddress1, TeamCity …) */
address?: NewAddress | null | undefined;
/** Where the record came from; unique together per collection */
source?: {
/** The system (RESO OriginatingSystemName); 1 to 255 characters */
name: string;
/** The record's key there; 1 to 255 characters */
key: string;
} | null | undefined;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata?: Record<string, string | null> | null | undefined;
/** The office the team belongs to, by where it came from; instead of its id */
officeSource?: {
/** The system (RESO OriginatingSystemName); 1 to 255 characters */
name: string;
/** The record's key there; 1 to 255 characters */
key: string;
} | null | undefined;
/** The office the team belongs to, by its key in the source of the record; instead of its id; at most 255 characters */
officeSourceKey?: string | null | undefined;
/** The office the team belongs to, by a name that one office alone has, ignoring case; at most 255 characters */
officeName?: string | null | undefined;
};

/** A member of a team to import, whose agent is named in one way */
export type ImportedTeamMember = {
/** The agent; each at most once (RESO MemberKey); UUID */
agentId?: string | undefined;
/** The agent, by where it came from; instead of its id */
agentSource?: {
/** The system (RESO OriginatingSystemName); 1 to 255 characters */
name: string;
/** The record's key there; 1 to 255 characters */
key: string;
} | null | undefined;
/** The agent, by the e-mail address; at most 254 characters */
agentEmail?: string | null | undefined;
/** What the agent does there (RESO TeamMemberType): `lead` is Team Lead, `member` Team Member, `assistant` Administration Assistant, `coordinator` Transaction Coordinator, the others have their names; at most one is the lead on a day; "member" unless given */
role?: "lead" | "member" | "assistant" | "buyer_agent" | "listing_agent" | "showing_agent" | "lead_manager" | "marketing_assistant" | "operations_manager" | "coordinator" | undefined;
/** What the agent is called there (RESO JobTitle); at most 100 characters */
title?: string | null | undefined;
/** The first day in the team, if known; YYYY-MM-DD */
since?: string | null | undefined;
/** The last day in the team, if known; YYYY-MM-DD */
until?: string | null | undefined;
};

/** A link with which a person signs in for the first time and sets up a passkey, without its secret */
export type Invitation = {
/** Assigned by the server; UUID */
id: string;
/** Who is invited */
person: {
/** Assigned by the server; UUID */
id: string;
/** The current name */
name: string;
};
/** When the link was made; RFC 3339 */
createdAt: string;
/** Who made the link; null if that key or person is gone */
createdBy: Actor | null;
/** Until when the link works; RFC 3339 */
expiresAt: string;
/** When the person used the link; null if they have not; RFC 3339 */
acceptedAt: string | null;
/** When the link ended before it was used: it was revoked or replaced by a newer one, or the person was changed; null if it did not; RFC 3339 */
revokedAt: string | null;
/** The e-mail with the link; null if none was sent */
mail: InvitationMail | null;
};

/** A change of an invitation */
export type InvitationEvent = {
/** The position in the log, from 1; no event appears before it later */
position: number;
/** The id of the record; UUID */
subject: string;
/** The version of the record after the change; of a deleted record its last version; of what is no record the number of its event */
version: number;
/** When it happened; RFC 3339 */
occurredAt: string;
/** The id of the key or the person that made the change; null if the service itself did; UUID */
actorId: string | null;
/** The same with the type and, for callers that may read it, the current name; null for a person who was deleted */
actor: Actor | null;
/** The X-Request-Id of the request */
requestId: string | null;
/** The reason given with the change */
reason: string | null;
/** What the change was part of, and between which offices an agent was transferred; null if nothing */
details: EventDetails | null;
/** What happened. More types may be added: ignore those that you do not know. */
type: "invitation.created" | "invitation.revoked" | "invitation.accepted";
/** The record after the change; of a deleted record its last state; null if it was purged */
record: Invitation | null;
/** The previous values of the changed fields; merged into the record, they give the previous record */
previous: {
/** Assigned by the server; UUID */
id?: string | undefined;
/** Who is invited */
person?: {
/** Assigned by the server; UUID */
id: string;
/** The current name */
name: string;
} | undefined;
/** When the link was made; RFC 3339 */
createdAt?: string | undefined;
/** Who made the link; null if that key or person is gone */
createdBy?: Actor | null | undefined;
/** Until when the link works; RFC 3339 */
expiresAt?: string | undefined;
/** When the person used the link; null if they have not; RFC 3339 */
acceptedAt?: string | null | undefined;
/** When the link ended before it was used: it was revoked or replaced by a newer one, or the person was changed; null if it did not; RFC 3339 */
revokedAt?: string | null | undefined;
/** The e-mail with the link; null if none was sent */
mail?: InvitationMail | null | undefined;
};
};

/** The e-mail with which an invitation was sent */
export type InvitationMail = {
/** The address it was sent to */
to: string;
/** When it was handed to the mail server; RFC 3339 */
sentAt: string;
/** Whether the mail server took it; null if the service does not know, because it stopped before the answer */
isAccepted: boolean | null;
/** What the mail server answered, or what went wrong; null if the service does not know */
answer: string | null;
};

/** One page of a list */
export type InvitationPage = {
/** The records of this page; at most 200 of them */
items: Invitation[];
/** The way to the next page; absent on the last */
nextCursor?: string | undefined;
/** The way to the page before; absent on the first */
prevCursor?: string | undefined;
/** With includeTotal: how many records match */
total?: number | undefined;
};

/** Which records, in which order, and how many on a page */
export type InvitationQuery = {
/** Records a page: 1 to 200; more is 200; at least 1 */
limit?: number | undefined;
/** Where to go on: `nextCursor` or `prevCursor` of a page, with the same filters, `sort` and `startAt`; 1 to 4000 characters */
cursor?: string | undefined;
/** Sent by the infinite queries of tRPC; `backward` requires a `prevCursor` as the cursor */
direction?: "forward" | "backward" | undefined;
/** Begin at the first record whose value of the sort is this one or comes after it in the order of the list: a time, or the beginning of a name; with a cursor, which page it is follows from the cursor; 1 to 255 characters */
startAt?: string | undefined;
/** The order, `-` for descending; the id breaks ties; "-createdAt" unless given */
sort?: "createdAt" | "-createdAt" | undefined;
/** Only those of this person; UUID */
personId?: string | undefined;
/** Only those whose link works now (true), or does not any more (false) */
isOpen?: boolean | undefined;
};

/** An invitation with its link */
export type InvitationWithLink = {
/** Assigned by the server; UUID */
id: string;
/** Who is invited */
person: {
/** Assigned by the server; UUID */
id: string;
/** The current name */
name: string;
};
/** When the link was made; RFC 3339 */
createdAt: string;
/** Who made the link; null if that key or person is gone */
createdBy: Actor | null;
/** Until when the link works; RFC 3339 */
expiresAt: string;
/** When the person used the link; null if they have not; RFC 3339 */
acceptedAt: string | null;
/** When the link ended before it was used: it was revoked or replaced by a newer one, or the person was changed; null if it did not; RFC 3339 */
revokedAt: string | null;
/** The e-mail with the link; null if none was sent */
mail: InvitationMail | null;
/** The link, shown only here: whoever opens it first can sign in as the person from then on */
link: string;
};

/** A change of many records, which runs in the background */
export type Job = {
/** Assigned by the server; the `bulkId` in the details of its events; UUID */
id: string;
resource: JobResource;
status: JobStatus;
/** The filter that selected the records; null if it undoes another job */
filter: Record<string, unknown> | null;
/** What is done to each record; null if it undoes another job */
change: Record<string, unknown> | null;
/** The job that it undoes; null if it undoes none; UUID */
undoes: string | null;
/** The latest job that undoes it; null if there is none; UUID */
undoneBy: string | null;
/** The reason that its events have */
reason: string | null;
/** The records that it is about, fixed when it was accepted; at least 0 */
total: number;
/** The records that are done: changed, unchanged or rejected; at least 0 */
processed: number;
/** The records that it has changed, each with one event; at least 0 */
changed: number;
/** How many of the changed records kept some fields, because these have changed since. Only an undo changes records in part.; at least 0 */
partlyChanged: number;
/** The records that had the values already; at least 0 */
unchanged: number;
/** The records that could not be changed; at least 0 */
rejected: number;
/** The first 10 records that were rejected or only partly changed; all are at `/jobs/{id}/errors`; at most 10 of them */
errors: JobError[];
/** Why it has failed: the batches before stay done; null if it has not, or failed before a release that records it */
failure: JobFailure | null;
/** When it was accepted; RFC 3339 */
createdAt: string;
/** The key or the person that created it; null if the service did, if that person is gone, or before this was recorded */
createdBy: {
/** A key or a person */
type: "key" | "person";
/** The id of the key or of the person; UUID */
id: string;
/** The current name */
name: string | null;
/** The id of the key; null if a person created it; UUID */
keyId: string | null;
/** The current name of the key; null if a person created it */
keyName: string | null;
} | null;
/** When the first records were changed; null while it is queued; RFC 3339 */
startedAt: string | null;
/** When it ended; null until then; RFC 3339 */
finishedAt: string | null;
};

/** Why a change of many records did not change a record, or some of its fields */
export type JobError = {
/** The id of the record; UUID */
id: string;
/** The error code */
code: "bad_request" | "invalid_json" | "invalid_parameter" | "invalid_cursor" | "cursor_mismatch" | "sign_in_failed" | "invalid_logout_token" | "unauthenticated" | "sign_in_denied" | "insufficient_scope" | "not_found" | "no_such_route" | "method_not_allowed" | "request_timeout" | "email_taken" | "person_email_taken" | "last_admin" | "source_taken" | "office_inactive" | "office_cycle" | "too_many_agents" | "change_finished" | "key_revoked" | "link_unavailable" | "test_in_progress" | "limit_reached" | "idempotency_in_progress" | "count_mismatch" | "job_not_finished" | "import_unconfirmed" | "import_undone" | "has_dependents" | "record_merged" | "cursor_expired" | "version_conflict" | "payload_too_large" | "uri_too_long" | "unsupported_media_type" | "validation_failed" | "reference_not_found" | "idempotency_key_reused" | "version_required" | "rate_limited" | "headers_too_large" | "internal" | "not_implemented" | "timeout" | "overloaded" | "unavailable";
/** Why the record, or some of its fields, could not be changed */
detail: string;
/** The fields that an undo keeps. Empty if the error is about the whole record.; at most 1000 of them */
fields: FieldConflict[];
};

/** One page of a list */
export type JobErrorPage = {
/** The records of this page; at most 200 of them */
items: JobError[];
/** The way to the next page; absent on the last */
nextCursor?: string | undefined;
/** The way to the page before; absent on the first */
prevCursor?: string | undefined;
/** With includeTotal: how many records match */
total?: number | undefined;
};

/** Which records, in which order, and how many on a page */
export type JobErrorQuery = {
/** The id of the record; UUID */
id: string;
/** Records a page: 1 to 200; more is 200; at least 1 */
limit?: number | undefined;
/** Where to go on: `nextCursor` or `prevCursor` of a page, with the same filters, `sort` and `startAt`; 1 to 4000 characters */
cursor?: string | undefined;
/** Sent by the infinite queries of tRPC; `backward` requires a `prevCursor` as the cursor */
direction?: "forward" | "backward" | undefined;
/** Begin at the first record whose value of the sort is this one or comes after it in the order of the list: a time, or the beginning of a name; with a cursor, which page it is follows from the cursor; 1 to 255 characters */
startAt?: string | undefined;
};

/** Why a job has failed */
export type JobFailure = {
/** The error code */
code: "bad_request" | "invalid_json" | "invalid_parameter" | "invalid_cursor" | "cursor_mismatch" | "sign_in_failed" | "invalid_logout_token" | "unauthenticated" | "sign_in_denied" | "insufficient_scope" | "not_found" | "no_such_route" | "method_not_allowed" | "request_timeout" | "email_taken" | "person_email_taken" | "last_admin" | "source_taken" | "office_inactive" | "office_cycle" | "too_many_agents" | "change_finished" | "key_revoked" | "link_unavailable" | "test_in_progress" | "limit_reached" | "idempotency_in_progress" | "count_mismatch" | "job_not_finished" | "import_unconfirmed" | "import_undone" | "has_dependents" | "record_merged" | "cursor_expired" | "version_conflict" | "payload_too_large" | "uri_too_long" | "unsupported_media_type" | "validation_failed" | "reference_not_found" | "idempotency_key_reused" | "version_required" | "rate_limited" | "headers_too_large" | "internal" | "not_implemented" | "timeout" | "overloaded" | "unavailable";
/** Which batch it was, and where to look */
detail: string;
};

/** One page of a list */
export type JobPage = {
/** The records of this page; at most 200 of them */
items: Job[];
/** The way to the next page; absent on the last */
nextCursor?: string | undefined;
/** The way to the page before; absent on the first */
prevCursor?: string | undefined;
/** With includeTotal: how many records match */
total?: number | undefined;
};

/** Which records, in which order, and how many on a page */
export type JobQuery = {
/** Records a page: 1 to 200; more is 200; at least 1 */
limit?: number | undefined;
/** Where to go on: `nextCursor` or `prevCursor` of a page, with the same filters, `sort` and `startAt`; 1 to 4000 characters */
cursor?: string | undefined;
/** Sent by the infinite queries of tRPC; `backward` requires a `prevCursor` as the cursor */
direction?: "forward" | "backward" | undefined;
/** Begin at the first record whose value of the sort is this one or comes after it in the order of the list: a time, or the beginning of a name; with a cursor, which page it is follows from the cursor; 1 to 255 characters */
startAt?: string | undefined;
/** The order, `-` for descending; the id breaks ties; "-createdAt" unless given */
sort?: "createdAt" | "-createdAt" | undefined;
/** Only jobs with this status; repeated: any of them; 1 to 100 of them */
status?: JobStatus | JobStatus[] | undefined;
/** Only jobs of this resource; without it, of those that the key may read; repeated: any of them; 1 to 100 of them */
resource?: JobResource | JobResource[] | undefined;
};

/** The resource whose records a job changes */
export type JobResource = "offices" | "agents" | "teams";

/** Queued until its first records are done, then running. Completed if every record was changed or had the values already, with errors if some were rejected or only partly changed; failed if an internal error ended it; cancelled by a caller */
export type JobStatus = "queued" | "running" | "completed" | "completed_with_errors" | "failed" | "cancelled";

/** Why; may be left out */
export type JobUndo = {
/** The id of the record; UUID */
id: string;
/** Why; kept in the events, and of deactivations as statusReason until a record is active again; at most 500 characters */
reason?: string | null | undefined;
};

/** An API key and its scopes */
export type Key = {
/** Assigned by the server; UUID */
id: string;
/** What the key is for; 1 to 100 characters */
name: string;
/** The operations that it allows; 1 to 20 of them */
scopes: Scope[];
/** The offices it is limited to, with their branches; null for everything; 1 to 100 of them */
officeIds: string[] | null;
/** The prefix of its secret */
hint: string;
/** When it was created; RFC 3339 */
createdAt: string;
/** The key or the person that created it; null if the service did, if that person is gone, or before this was recorded */
createdBy: {
/** A key or a person */
type: "key" | "person";
/** The id of the key or of the person; UUID */
id: string;
/** The current name */
name: string | null;
/** The id of the key; null if a person created it; UUID */
keyId: string | null;
/** The current name of the key; null if a person created it */
keyName: string | null;
} | null;
/** When it last changed; RFC 3339 */
updatedAt: string;
/** When it expires; null for never; RFC 3339 */
expiresAt: string | null;
/** When it was revoked; null while it is valid; RFC 3339 */
revokedAt: string | null;
/** When it was last used, to the minute; null if never; RFC 3339 */
lastUsedAt: string | null;
};

/** A change of a key */
export type KeyEvent = {
/** The position in the log, from 1; no event appears before it later */
position: number;
/** The id of the record; UUID */
subject: string;
/** The version of the record after the change; of a deleted record its last version; of what is no record the number of its event */
version: number;
/** When it happened; RFC 3339 */
occurredAt: string;
/** The id of the key or the person that made the change; null if the service itself did; UUID */
actorId: string | null;
/** The same with the type and, for callers that may read it, the current name; null for a person who was deleted */
actor: Actor | null;
/** The X-Request-Id of the request */
requestId: string | null;
/** The reason given with the change */
reason: string | null;
/** What the change was part of, and between which offices an agent was transferred; null if nothing */
details: EventDetails | null;
/** What happened. More types may be added: ignore those that you do not know. */
type: "key.created" | "key.updated" | "key.rotated" | "key.revoked";
/** The record after the change; of a deleted record its last state; null if it was purged */
record: Key | null;
/** The previous values of the changed fields; merged into the record, they give the previous record */
previous: {
/** Assigned by the server; UUID */
id?: string | undefined;
/** What the key is for; 1 to 100 characters */
name?: string | undefined;
/** The operations that it allows; 1 to 20 of them */
scopes?: Scope[] | undefined;
/** The offices it is limited to, with their branches; null for everything; 1 to 100 of them */
officeIds?: string[] | null | undefined;
/** The prefix of its secret */
hint?: string | undefined;
/** When it was created; RFC 3339 */
createdAt?: string | undefined;
/** The key or the person that created it; null if the service did, if that person is gone, or before this was recorded */
createdBy?: {
/** A key or a person */
type: "key" | "person";
/** The id of the key or of the person; UUID */
id: string;
/** The current name */
name: string | null;
/** The id of the key; null if a person created it; UUID */
keyId: string | null;
/** The current name of the key; null if a person created it */
keyName: string | null;
} | null | undefined;
/** When it last changed; RFC 3339 */
updatedAt?: string | undefined;
/** When it expires; null for never; RFC 3339 */
expiresAt?: string | null | undefined;
/** When it was revoked; null while it is valid; RFC 3339 */
revokedAt?: string | null | undefined;
/** When it was last used, to the minute; null if never; RFC 3339 */
lastUsedAt?: string | null | undefined;
};
};

/** One page of a list */
export type KeyPage = {
/** The records of this page; at most 200 of them */
items: Key[];
/** The way to the next page; absent on the last */
nextCursor?: string | undefined;
/** The way to the page before; absent on the first */
prevCursor?: string | undefined;
/** With includeTotal: how many records match */
total?: number | undefined;
};

/** What to change: JSON Merge Patch (RFC 7396) */
export type KeyPatch = {
/** The id of the record; UUID */
id: string;
/** What the key is for; 1 to 100 characters */
name?: string | undefined;
/** The operations that it allows; 1 to 20 of them */
scopes?: Scope[] | undefined;
/** The offices it is limited to, with their branches; null for everything; 1 to 100 of them */
officeIds?: string[] | null | undefined;
/** When it expires (RFC 3339); null for never */
expiresAt?: string | null | undefined;
};

/** Which records, in which order, and how many on a page */
export type KeyQuery = {
/** Records a page: 1 to 200; more is 200; at least 1 */
limit?: number | undefined;
/** Where to go on: `nextCursor` or `prevCursor` of a page, with the same filters, `sort` and `startAt`; 1 to 4000 characters */
cursor?: string | undefined;
/** Sent by the infinite queries of tRPC; `backward` requires a `prevCursor` as the cursor */
direction?: "forward" | "backward" | undefined;
/** Begin at the first record whose value of the sort is this one or comes after it in the order of the list: a time, or the beginning of a name; with a cursor, which page it is follows from the cursor; 1 to 255 characters */
startAt?: string | undefined;
/** The order, `-` for descending; the id breaks ties; "-createdAt" unless given */
sort?: "name" | "-name" | "createdAt" | "-createdAt" | undefined;
};

/** How to rotate a key; optional */
export type KeyRotation = {
/** The id of the record; UUID */
id: string;
/** Seconds for which the previous secret stays valid; a day unless given; at most 2592000 */
overlapSeconds?: number | undefined;
};

/** A key with its new secret */
export type KeyWithSecret = {
/** Assigned by the server; UUID */
id: string;
/** What the key is for; 1 to 100 characters */
name: string;
/** The operations that it allows; 1 to 20 of them */
scopes: Scope[];
/** The offices it is limited to, with their branches; null for everything; 1 to 100 of them */
officeIds: string[] | null;
/** The prefix of its secret */
hint: string;
/** When it was created; RFC 3339 */
createdAt: string;
/** The key or the person that created it; null if the service did, if that person is gone, or before this was recorded */
createdBy: {
/** A key or a person */
type: "key" | "person";
/** The id of the key or of the person; UUID */
id: string;
/** The current name */
name: string | null;
/** The id of the key; null if a person created it; UUID */
keyId: string | null;
/** The current name of the key; null if a person created it */
keyName: string | null;
} | null;
/** When it last changed; RFC 3339 */
updatedAt: string;
/** When it expires; null for never; RFC 3339 */
expiresAt: string | null;
/** When it was revoked; null while it is valid; RFC 3339 */
revokedAt: string | null;
/** When it was last used, to the minute; null if never; RFC 3339 */
lastUsedAt: string | null;
/** The secret, which is shown only once and is not stored: send it as `Authorization: Bearer …` */
secret: string;
};

/** A licence */
export type License = {
/** The number of the licence (RESO MemberStateLicense); 1 to 50 characters */
number: string;
/** Who granted it: state or province (RESO MemberStateLicenseState); at most 3 characters */
region: string | null;
/** Its kind (RESO MemberStateLicenseType); at most 30 characters */
type: string | null;
/** The last day it is valid; YYYY-MM-DD */
expiresOn: string | null;
};

/** An agent in a list */
export type ListedAgent = {
/** Given by the server: UUID, version 7 (RESO OfficeKey, MemberKey) */
id: string;
status: Status;
/** Why it was deactivated, if a reason was given; null when active */
statusReason: string | null;
/** When the status last changed, or the record was created; RFC 3339 */
statusChangedAt: string;
/** When it was deactivated; null when active; RFC 3339 */
deactivatedAt: string | null;
/** When the record was created (RESO OriginalEntryTimestamp); RFC 3339 */
createdAt: string;
/** When anything in it last changed (RESO ModificationTimestamp); RFC 3339 */
updatedAt: string;
/** From 1, one more with every change; the ETag is made of it */
version: number;
/** Given name (RESO MemberFirstName); 1 to 100 characters */
firstName: string;
/** Family name (RESO MemberLastName); 1 to 100 characters */
lastName: string;
/** Middle name (RESO MemberMiddleName); at most 100 characters */
middleName: string | null;
/** Nickname (RESO MemberNickname); at most 100 characters */
nickname: string | null;
/** Before the name (RESO MemberNamePrefix); at most 20 characters */
namePrefix: string | null;
/** After the name (RESO MemberNameSuffix); at most 20 characters */
nameSuffix: string | null;
/** The name to show (RESO MemberFullName) */
displayName: string;
/** Job title (RESO JobTitle); at most 100 characters */
title: string | null;
/** The kind of member (RESO MemberType); at most 50 characters */
type: string | null;
/** Offices the agent belongs to beside officeId, each at most once; one that becomes officeId is removed; at most 20 of them */
affiliations: Affiliation[];
/** E-mail; unique among agents, ignoring case (RESO MemberEmail); at most 254 characters */
email: string | null;
/** The telephone to call first (RESO MemberPreferredPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone: string | null;
/** Extension (RESO MemberPreferredPhoneExt); at most 10 characters */
phoneExt: string | null;
/** Mobile telephone (RESO MemberMobilePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
mobilePhone: string | null;
/** Direct line (RESO MemberDirectPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
directPhone: string | null;
/** Fax (RESO MemberFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax: string | null;
/** Number in the MLS (RESO MemberMlsId); at most 50 characters */
mlsId: string | null;
/** Number in the national association (RESO MemberNationalAssociationId); at most 50 characters */
nationalAssociationId: string | null;
/** Licences of the agent (RESO MemberStateLicense …); at most 50 of them */
licenses: License[];
/** The earliest last day of its licences, also if it has passed; null if none has one. Follows from licenses; YYYY-MM-DD */
nextLicenseExpiresOn: string | null;
/** Business address (RESO MemberAddress1, MemberCity …) */
address: Address | null;
/** Languages spoken, as BCP 47 tags (RESO MemberLanguages); at most 20 of them */
languages: string[];
/** Professional designations (RESO MemberDesignation); at most 30 of them */
designations: string[];
/** The agent this one assists (RESO MemberIsAssistantTo); UUID */
assistantToAgentId: string | null;
/** Website, http or https; at most 2048 characters */
website: string | null;
/** A portrait, http or https; at most 2048 characters */
photoUrl: string | null;
/** About the agent (RESO MemberBio); at most 4000 characters */
bio: string | null;
/** Where the record came from; unique together per collection */
source: Source | null;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata: Record<string, string>;
/** The changes that are scheduled, in the order of their times; at most 20 of them */
scheduledChanges: PendingChange[];
/** The office the agent works in (RESO OfficeKey); UUID */
officeId: string | null;
/** When officeId last changed; null when it never did (RESO MemberTransferDate); RFC 3339 */
transferredAt: string | null;
/** With expand=office: the office in a few fields, null where there is none */
office?: OfficeSummary | null | undefined;
};

/** An office as it is read */
export type ListedOffice = {
/** Given by the server: UUID, version 7 (RESO OfficeKey, MemberKey) */
id: string;
status: Status;
/** Why it was deactivated, if a reason was given; null when active */
statusReason: string | null;
/** When the status last changed, or the record was created; RFC 3339 */
statusChangedAt: string;
/** When it was deactivated; null when active; RFC 3339 */
deactivatedAt: string | null;
/** When the record was created (RESO OriginalEntryTimestamp); RFC 3339 */
createdAt: string;
/** When anything in it last changed (RESO ModificationTimestamp); RFC 3339 */
updatedAt: string;
/** From 1, one more with every change; the ETag is made of it */
version: number;
/** The name people use (RESO OfficeName); 1 to 255 characters */
name: string;
/** The registered name, where it differs; at most 255 characters */
legalName: string | null;
/** Main office, branch or an office of its own (RESO OfficeBranchType) */
branchType: "main" | "branch" | "stand_alone" | null;
/** The kind of business (RESO OfficeType); at most 50 characters */
type: string | null;
/** The office it is a branch of, over no circle (RESO MainOfficeKey); UUID */
mainOfficeId: string | null;
/** The agent responsible by law (RESO OfficeBrokerKey); UUID */
brokerAgentId: string | null;
/** The agent who runs it (RESO OfficeManagerKey); UUID */
managerAgentId: string | null;
/** The franchise it belongs to (RESO FranchiseAffiliation); at most 100 characters */
franchise: string | null;
/** Its number in the MLS (RESO OfficeMlsId); at most 50 characters */
mlsId: string | null;
/** Its number in the national association (RESO OfficeNationalAssociationId); at most 50 characters */
nationalAssociationId: string | null;
/** Licences of the office (RESO OfficeCorporateLicense); at most 20 of them */
licenses: License[];
/** The earliest last day of its licences, also if it has passed; null if none has one. Follows from licenses; YYYY-MM-DD */
nextLicenseExpiresOn: string | null;
/** Telephone (RESO OfficePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone: string | null;
/** Extension (RESO OfficePhoneExt); at most 10 characters */
phoneExt: string | null;
/** Fax (RESO OfficeFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax: string | null;
/** E-mail (RESO OfficeEmail); at most 254 characters */
email: string | null;
/** Website, http or https; at most 2048 characters */
website: string | null;
/** Where it is (RESO OfficeAddress1, OfficeCity …) */
address: Address | null;
/** Where its post goes, if elsewhere (RESO OfficeMailAddress1 …) */
mailingAddress: Address | null;
/** IANA time zone; at most 64 characters */
timeZone: string | null;
/** About the office (RESO OfficeBio); at most 4000 characters */
bio: string | null;
/** Where the record came from; unique together per collection */
source: Source | null;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata: Record<string, string>;
/** The changes that are scheduled, in the order of their times; at most 20 of them */
scheduledChanges: PendingChange[];
/** With expand=counts: how many records refer to it, counted in the snapshot in which it is read */
counts?: OfficeCounts | undefined;
};

/** A team as it is read */
export type ListedTeam = {
/** Given by the server: UUID, version 7 (RESO OfficeKey, MemberKey) */
id: string;
status: Status;
/** Why it was deactivated, if a reason was given; null when active */
statusReason: string | null;
/** When the status last changed, or the record was created; RFC 3339 */
statusChangedAt: string;
/** When it was deactivated; null when active; RFC 3339 */
deactivatedAt: string | null;
/** When the record was created (RESO OriginalEntryTimestamp); RFC 3339 */
createdAt: string;
/** When anything in it last changed (RESO ModificationTimestamp); RFC 3339 */
updatedAt: string;
/** From 1, one more with every change; the ETag is made of it */
version: number;
/** The name people use (RESO TeamName); 1 to 255 characters */
name: string;
/** About the team (RESO TeamDescription); at most 4000 characters */
description: string | null;
/** Its number in the MLS; at most 50 characters */
mlsId: string | null;
/** The office it belongs to, if it does; its members may be of others; UUID */
officeId: string | null;
/** The agents in it, in the order of their ids; at most one is the lead on a day (RESO TeamMembers, TeamLeadKey). An agent who is deactivated stays; one who is deleted leaves; at most 100 of them */
members: ListedTeamMember[];
/** The telephone to call first (RESO TeamPreferredPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone: string | null;
/** Extension (RESO TeamPreferredPhoneExt); at most 10 characters */
phoneExt: string | null;
/** Telephone at the office (RESO TeamOfficePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
officePhone: string | null;
/** Extension at the office (RESO TeamOfficePhoneExt); at most 10 characters */
officePhoneExt: string | null;
/** Mobile telephone (RESO TeamMobilePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
mobilePhone: string | null;
/** Direct line (RESO TeamDirectPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
directPhone: string | null;
/** Telephone that costs callers nothing (RESO TeamTollFreePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
tollFreePhone: string | null;
/** Fax (RESO TeamFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax: string | null;
/** E-mail (RESO TeamEmail); at most 254 characters */
email: string | null;
/** Website, http or https; at most 2048 characters */
website: string | null;
/** Where it is in social networks (RESO SocialMedia); at most 10 of them */
socialLinks: string[];
/** Where it is, if not at its office (RESO TeamAddress1, TeamCity …) */
address: Address | null;
/** Where the record came from; unique together per collection */
source: Source | null;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata: Record<string, string>;
/** The changes that are scheduled, in the order of their times; at most 20 of them */
scheduledChanges: PendingChange[];
};

/** An agent in a team, as it is read */
export type ListedTeamMember = {
/** The agent; each at most once (RESO MemberKey); UUID */
agentId: string;
/** What the agent does there (RESO TeamMemberType): `lead` is Team Lead, `member` Team Member, `assistant` Administration Assistant, `coordinator` Transaction Coordinator, the others have their names; at most one is the lead on a day */
role: "lead" | "member" | "assistant" | "buyer_agent" | "listing_agent" | "showing_agent" | "lead_manager" | "marketing_assistant" | "operations_manager" | "coordinator";
/** What the agent is called there (RESO JobTitle); at most 100 characters */
title: string | null;
/** The first day in the team, if known; YYYY-MM-DD */
since: string | null;
/** The last day in the team, if known; YYYY-MM-DD */
until: string | null;
/** With expand=members: the agent in a few fields, with the status that marks an inactive one */
agent?: AgentSummary | undefined;
};

/** Which record is merged into this one, and whose values stay */
export type Merge = {
/** The id of the record; UUID */
id: string;
/** Reject the change if the record has another version; at least 1 */
ifVersion?: number | undefined;
/** Why; kept in the event, and of a deactivation as statusReason until the record is active again; at most 500 characters */
reason?: string | null | undefined;
/** The record that is merged into this one, and then deleted; UUID */
duplicateId: string;
/** Reject the merge if that record has another version; at least 1 */
duplicateVersion?: number | undefined;
/** Whose value stays, by field. In all other fields the survivor keeps its own value and gets the values that it lacks. Lists are united: an item that both have, such as a licence, is kept once with what both know of it. An address gets the parts that it lacks, unless the two addresses contradict each other */
fields?: Record<string, MergeChoice> | undefined;
/** Check everything and answer the record that would result, but change nothing; false unless given */
dryRun?: boolean | undefined;
};

/** Whose value stays. `both` unites lists and pairs, and adds to an address the parts that it lacks */
export type MergeChoice = "survivor" | "duplicate" | "both";

/** What a merge has changed, and was changed again since */
export type MergeConflict = {
/** The resource of the record */
resource: "offices" | "agents" | "teams";
/** The record that was changed since; UUID */
id: string;
/** The field that stays as it is; null if the record is gone */
field: string | null;
};

/** The two records of a merge */
export type MergeOfChange = {
/** The resource of both */
resource: "offices" | "agents" | "teams";
/** The record that stayed; null for a caller who may not see it */
survivor: {
/** Its id; UUID */
id: string;
/** Its name, as it is or was last; null if the log no longer has it */
name: string | null;
} | null;
/** The record that was merged into it, whose values are those that the merge gave the survivor; null for a caller who may not see it */
duplicate: {
/** Its id; UUID */
id: string;
/** Its name, as it is or was last; null if the log no longer has it */
name: string | null;
} | null;
};

/** The survivor of a merge */
export type MergedAgent = {
/** Given by the server: UUID, version 7 (RESO OfficeKey, MemberKey) */
id: string;
status: Status;
/** Why it was deactivated, if a reason was given; null when active */
statusReason: string | null;
/** When the status last changed, or the record was created; RFC 3339 */
statusChangedAt: string;
/** When it was deactivated; null when active; RFC 3339 */
deactivatedAt: string | null;
/** When the record was created (RESO OriginalEntryTimestamp); RFC 3339 */
createdAt: string;
/** When anything in it last changed (RESO ModificationTimestamp); RFC 3339 */
updatedAt: string;
/** From 1, one more with every change; the ETag is made of it */
version: number;
/** Given name (RESO MemberFirstName); 1 to 100 characters */
firstName: string;
/** Family name (RESO MemberLastName); 1 to 100 characters */
lastName: string;
/** Middle name (RESO MemberMiddleName); at most 100 characters */
middleName: string | null;
/** Nickname (RESO MemberNickname); at most 100 characters */
nickname: string | null;
/** Before the name (RESO MemberNamePrefix); at most 20 characters */
namePrefix: string | null;
/** After the name (RESO MemberNameSuffix); at most 20 characters */
nameSuffix: string | null;
/** The name to show (RESO MemberFullName) */
displayName: string;
/** Job title (RESO JobTitle); at most 100 characters */
title: string | null;
/** The kind of member (RESO MemberType); at most 50 characters */
type: string | null;
/** Offices the agent belongs to beside officeId, each at most once; one that becomes officeId is removed; at most 20 of them */
affiliations: Affiliation[];
/** E-mail; unique among agents, ignoring case (RESO MemberEmail); at most 254 characters */
email: string | null;
/** The telephone to call first (RESO MemberPreferredPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone: string | null;
/** Extension (RESO MemberPreferredPhoneExt); at most 10 characters */
phoneExt: string | null;
/** Mobile telephone (RESO MemberMobilePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
mobilePhone: string | null;
/** Direct line (RESO MemberDirectPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
directPhone: string | null;
/** Fax (RESO MemberFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax: string | null;
/** Number in the MLS (RESO MemberMlsId); at most 50 characters */
mlsId: string | null;
/** Number in the national association (RESO MemberNationalAssociationId); at most 50 characters */
nationalAssociationId: string | null;
/** Licences of the agent (RESO MemberStateLicense …); at most 50 of them */
licenses: License[];
/** The earliest last day of its licences, also if it has passed; null if none has one. Follows from licenses; YYYY-MM-DD */
nextLicenseExpiresOn: string | null;
/** Business address (RESO MemberAddress1, MemberCity …) */
address: Address | null;
/** Languages spoken, as BCP 47 tags (RESO MemberLanguages); at most 20 of them */
languages: string[];
/** Professional designations (RESO MemberDesignation); at most 30 of them */
designations: string[];
/** The agent this one assists (RESO MemberIsAssistantTo); UUID */
assistantToAgentId: string | null;
/** Website, http or https; at most 2048 characters */
website: string | null;
/** A portrait, http or https; at most 2048 characters */
photoUrl: string | null;
/** About the agent (RESO MemberBio); at most 4000 characters */
bio: string | null;
/** Where the record came from; unique together per collection */
source: Source | null;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata: Record<string, string>;
/** The changes that are scheduled, in the order of their times; at most 20 of them */
scheduledChanges: PendingChange[];
/** The office the agent works in (RESO OfficeKey); UUID */
officeId: string | null;
/** When officeId last changed; null when it never did (RESO MemberTransferDate); RFC 3339 */
transferredAt: string | null;
/** The id of the merge, which its events have too; of a dry run null; UUID */
mergeId: string | null;
/** The record that was merged into this one; UUID */
duplicateId: string;
/** Number of records that referred to the duplicate and now refer to this one, by resource. Only records that you can see are counted */
moved: Record<string, number>;
};

/** The survivor of a merge */
export type MergedOffice = {
/** Given by the server: UUID, version 7 (RESO OfficeKey, MemberKey) */
id: string;
status: Status;
/** Why it was deactivated, if a reason was given; null when active */
statusReason: string | null;
/** When the status last changed, or the record was created; RFC 3339 */
statusChangedAt: string;
/** When it was deactivated; null when active; RFC 3339 */
deactivatedAt: string | null;
/** When the record was created (RESO OriginalEntryTimestamp); RFC 3339 */
createdAt: string;
/** When anything in it last changed (RESO ModificationTimestamp); RFC 3339 */
updatedAt: string;
/** From 1, one more with every change; the ETag is made of it */
version: number;
/** The name people use (RESO OfficeName); 1 to 255 characters */
name: string;
/** The registered name, where it differs; at most 255 characters */
legalName: string | null;
/** Main office, branch or an office of its own (RESO OfficeBranchType) */
branchType: "main" | "branch" | "stand_alone" | null;
/** The kind of business (RESO OfficeType); at most 50 characters */
type: string | null;
/** The office it is a branch of, over no circle (RESO MainOfficeKey); UUID */
mainOfficeId: string | null;
/** The agent responsible by law (RESO OfficeBrokerKey); UUID */
brokerAgentId: string | null;
/** The agent who runs it (RESO OfficeManagerKey); UUID */
managerAgentId: string | null;
/** The franchise it belongs to (RESO FranchiseAffiliation); at most 100 characters */
franchise: string | null;
/** Its number in the MLS (RESO OfficeMlsId); at most 50 characters */
mlsId: string | null;
/** Its number in the national association (RESO OfficeNationalAssociationId); at most 50 characters */
nationalAssociationId: string | null;
/** Licences of the office (RESO OfficeCorporateLicense); at most 20 of them */
licenses: License[];
/** The earliest last day of its licences, also if it has passed; null if none has one. Follows from licenses; YYYY-MM-DD */
nextLicenseExpiresOn: string | null;
/** Telephone (RESO OfficePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone: string | null;
/** Extension (RESO OfficePhoneExt); at most 10 characters */
phoneExt: string | null;
/** Fax (RESO OfficeFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax: string | null;
/** E-mail (RESO OfficeEmail); at most 254 characters */
email: string | null;
/** Website, http or https; at most 2048 characters */
website: string | null;
/** Where it is (RESO OfficeAddress1, OfficeCity …) */
address: Address | null;
/** Where its post goes, if elsewhere (RESO OfficeMailAddress1 …) */
mailingAddress: Address | null;
/** IANA time zone; at most 64 characters */
timeZone: string | null;
/** About the office (RESO OfficeBio); at most 4000 characters */
bio: string | null;
/** Where the record came from; unique together per collection */
source: Source | null;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata: Record<string, string>;
/** The changes that are scheduled, in the order of their times; at most 20 of them */
scheduledChanges: PendingChange[];
/** The id of the merge, which its events have too; of a dry run null; UUID */
mergeId: string | null;
/** The record that was merged into this one; UUID */
duplicateId: string;
/** Number of records that referred to the duplicate and now refer to this one, by resource. Only records that you can see are counted */
moved: Record<string, number>;
};

/** The survivor of a merge */
export type MergedTeam = {
/** Given by the server: UUID, version 7 (RESO OfficeKey, MemberKey) */
id: string;
status: Status;
/** Why it was deactivated, if a reason was given; null when active */
statusReason: string | null;
/** When the status last changed, or the record was created; RFC 3339 */
statusChangedAt: string;
/** When it was deactivated; null when active; RFC 3339 */
deactivatedAt: string | null;
/** When the record was created (RESO OriginalEntryTimestamp); RFC 3339 */
createdAt: string;
/** When anything in it last changed (RESO ModificationTimestamp); RFC 3339 */
updatedAt: string;
/** From 1, one more with every change; the ETag is made of it */
version: number;
/** The name people use (RESO TeamName); 1 to 255 characters */
name: string;
/** About the team (RESO TeamDescription); at most 4000 characters */
description: string | null;
/** Its number in the MLS; at most 50 characters */
mlsId: string | null;
/** The office it belongs to, if it does; its members may be of others; UUID */
officeId: string | null;
/** The agents in it, in the order of their ids; at most one is the lead on a day (RESO TeamMembers, TeamLeadKey). An agent who is deactivated stays; one who is deleted leaves; at most 100 of them */
members: TeamMember[];
/** The telephone to call first (RESO TeamPreferredPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone: string | null;
/** Extension (RESO TeamPreferredPhoneExt); at most 10 characters */
phoneExt: string | null;
/** Telephone at the office (RESO TeamOfficePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
officePhone: string | null;
/** Extension at the office (RESO TeamOfficePhoneExt); at most 10 characters */
officePhoneExt: string | null;
/** Mobile telephone (RESO TeamMobilePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
mobilePhone: string | null;
/** Direct line (RESO TeamDirectPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
directPhone: string | null;
/** Telephone that costs callers nothing (RESO TeamTollFreePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
tollFreePhone: string | null;
/** Fax (RESO TeamFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax: string | null;
/** E-mail (RESO TeamEmail); at most 254 characters */
email: string | null;
/** Website, http or https; at most 2048 characters */
website: string | null;
/** Where it is in social networks (RESO SocialMedia); at most 10 of them */
socialLinks: string[];
/** Where it is, if not at its office (RESO TeamAddress1, TeamCity …) */
address: Address | null;
/** Where the record came from; unique together per collection */
source: Source | null;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata: Record<string, string>;
/** The changes that are scheduled, in the order of their times; at most 20 of them */
scheduledChanges: PendingChange[];
/** The id of the merge, which its events have too; of a dry run null; UUID */
mergeId: string | null;
/** The record that was merged into this one; UUID */
duplicateId: string;
/** Number of records that referred to the duplicate and now refer to this one, by resource. Only records that you can see are counted */
moved: Record<string, number>;
};

/** A postal address to write */
export type NewAddress = {
/** Street and number; at most 100 characters */
line1?: string | null | undefined;
/** Floor, suite, unit; at most 100 characters */
line2?: string | null | undefined;
/** City or town; at most 100 characters */
city?: string | null | undefined;
/** County or parish; at most 100 characters */
county?: string | null | undefined;
/** State or province: the part of an ISO 3166-2 code after the hyphen; at most 3 characters */
region?: string | null | undefined;
/** Postal code, as it is written there; at most 16 characters */
postalCode?: string | null | undefined;
/** Country: ISO 3166-1 alpha-2, in capitals; at most 2 characters */
country?: string | null | undefined;
};

/** An affiliation to write */
export type NewAffiliation = {
/** The office; each at most once, and never the one of `officeId` (RESO OfficeKey); UUID */
officeId: string;
/** What the agent is there (RESO JobTitle); at most 100 characters */
title?: string | null | undefined;
/** Whether the office shows the agent to the public; true unless given */
isVisible?: boolean | undefined;
/** The first day of the affiliation, if known; YYYY-MM-DD */
since?: string | null | undefined;
};

/** An agent to create */
export type NewAgent = {
/** Given name (RESO MemberFirstName); 1 to 100 characters */
firstName: string;
/** Family name (RESO MemberLastName); 1 to 100 characters */
lastName: string;
/** Middle name (RESO MemberMiddleName); at most 100 characters */
middleName?: string | null | undefined;
/** Nickname (RESO MemberNickname); at most 100 characters */
nickname?: string | null | undefined;
/** Before the name (RESO MemberNamePrefix); at most 20 characters */
namePrefix?: string | null | undefined;
/** After the name (RESO MemberNameSuffix); at most 20 characters */
nameSuffix?: string | null | undefined;
/** The name to show (RESO MemberFullName); first and last name unless given, null returns to that; at most 255 characters */
displayName?: string | null | undefined;
/** Job title (RESO JobTitle); at most 100 characters */
title?: string | null | undefined;
/** The kind of member (RESO MemberType); at most 50 characters */
type?: string | null | undefined;
/** The office the agent works in (RESO OfficeKey); UUID */
officeId?: string | null | undefined;
/** Offices the agent belongs to beside officeId, each at most once; one that becomes officeId is removed; at most 20 of them */
affiliations?: NewAffiliation[] | null | undefined;
/** E-mail; unique among agents, ignoring case (RESO MemberEmail); at most 254 characters */
email?: string | null | undefined;
/** The telephone to call first (RESO MemberPreferredPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone?: string | null | undefined;
/** Extension (RESO MemberPreferredPhoneExt); at most 10 characters */
phoneExt?: string | null | undefined;
/** Mobile telephone (RESO MemberMobilePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
mobilePhone?: string | null | undefined;
/** Direct line (RESO MemberDirectPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
directPhone?: string | null | undefined;
/** Fax (RESO MemberFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax?: string | null | undefined;
/** Number in the MLS (RESO MemberMlsId); at most 50 characters */
mlsId?: string | null | undefined;
/** Number in the national association (RESO MemberNationalAssociationId); at most 50 characters */
nationalAssociationId?: string | null | undefined;
/** Licences of the agent (RESO MemberStateLicense …); at most 50 of them */
licenses?: NewLicense[] | null | undefined;
/** Business address (RESO MemberAddress1, MemberCity …) */
address?: NewAddress | null | undefined;
/** Languages spoken, as BCP 47 tags (RESO MemberLanguages); at most 20 of them */
languages?: string[] | null | undefined;
/** Professional designations (RESO MemberDesignation); at most 30 of them */
designations?: string[] | null | undefined;
/** The agent this one assists (RESO MemberIsAssistantTo); UUID */
assistantToAgentId?: string | null | undefined;
/** Website, http or https; at most 2048 characters */
website?: string | null | undefined;
/** A portrait, http or https; at most 2048 characters */
photoUrl?: string | null | undefined;
/** About the agent (RESO MemberBio); at most 4000 characters */
bio?: string | null | undefined;
/** Where the record came from; unique together per collection */
source?: {
/** The system (RESO OriginatingSystemName); 1 to 255 characters */
name: string;
/** The record's key there; 1 to 255 characters */
key: string;
} | null | undefined;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata?: Record<string, string | null> | null | undefined;
};

/** A role for everything unless offices are named */
export type NewGrant = {
role: Role;
/** The offices it is limited to, with their branches; null for everything; null unless given; 1 to 100 of them */
officeIds?: string[] | null | undefined;
};

/** A link to make for a person */
export type NewInvitation = {
/** Who is invited; UUID */
personId: string;
/** For how many days the link works; 1 to 30; 7 unless given */
days?: number | undefined;
/** Whether the service sends the link to the e-mail address of the person, which needs a mail server (`ROSTER_SMTP_URL`); false unless given */
isMailed?: boolean | undefined;
};

/** A key to create; without officeIds it is limited as its creator is */
export type NewKey = {
/** What the key is for; 1 to 100 characters */
name: string;
/** The operations that it allows; 1 to 20 of them */
scopes: Scope[];
/** The offices it is limited to, with their branches; null for everything; 1 to 100 of them */
officeIds?: string[] | null | undefined;
/** When it expires (RFC 3339); null for never */
expiresAt?: string | null | undefined;
};

/** A licence to write */
export type NewLicense = {
/** The number of the licence (RESO MemberStateLicense); 1 to 50 characters */
number: string;
/** Who granted it: state or province (RESO MemberStateLicenseState); at most 3 characters */
region?: string | null | undefined;
/** Its kind (RESO MemberStateLicenseType); at most 30 characters */
type?: string | null | undefined;
/** The last day it is valid; YYYY-MM-DD */
expiresOn?: string | null | undefined;
};

/** An office to create */
export type NewOffice = {
/** The name people use (RESO OfficeName); 1 to 255 characters */
name: string;
/** The registered name, where it differs; at most 255 characters */
legalName?: string | null | undefined;
/** Main office, branch or an office of its own (RESO OfficeBranchType) */
branchType?: "main" | "branch" | "stand_alone" | null | undefined;
/** The kind of business (RESO OfficeType); at most 50 characters */
type?: string | null | undefined;
/** The office it is a branch of, over no circle (RESO MainOfficeKey); UUID */
mainOfficeId?: string | null | undefined;
/** The agent responsible by law (RESO OfficeBrokerKey); UUID */
brokerAgentId?: string | null | undefined;
/** The agent who runs it (RESO OfficeManagerKey); UUID */
managerAgentId?: string | null | undefined;
/** The franchise it belongs to (RESO FranchiseAffiliation); at most 100 characters */
franchise?: string | null | undefined;
/** Its number in the MLS (RESO OfficeMlsId); at most 50 characters */
mlsId?: string | null | undefined;
/** Its number in the national association (RESO OfficeNationalAssociationId); at most 50 characters */
nationalAssociationId?: string | null | undefined;
/** Licences of the office (RESO OfficeCorporateLicense); at most 20 of them */
licenses?: NewLicense[] | null | undefined;
/** Telephone (RESO OfficePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone?: string | null | undefined;
/** Extension (RESO OfficePhoneExt); at most 10 characters */
phoneExt?: string | null | undefined;
/** Fax (RESO OfficeFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax?: string | null | undefined;
/** E-mail (RESO OfficeEmail); at most 254 characters */
email?: string | null | undefined;
/** Website, http or https; at most 2048 characters */
website?: string | null | undefined;
/** Where it is (RESO OfficeAddress1, OfficeCity …) */
address?: NewAddress | null | undefined;
/** Where its post goes, if elsewhere (RESO OfficeMailAddress1 …) */
mailingAddress?: NewAddress | null | undefined;
/** IANA time zone; at most 64 characters */
timeZone?: string | null | undefined;
/** About the office (RESO OfficeBio); at most 4000 characters */
bio?: string | null | undefined;
/** Where the record came from; unique together per collection */
source?: {
/** The system (RESO OriginatingSystemName); 1 to 255 characters */
name: string;
/** The record's key there; 1 to 255 characters */
key: string;
} | null | undefined;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata?: Record<string, string | null> | null | undefined;
};

/** A person to invite */
export type NewPerson = {
/** The name; 1 to 200 characters */
name: string;
/** The e-mail address, unique ignoring case, to which invitations are sent, and by which the first sign-in at an identity provider finds the person; 1 to 254 characters */
email: string;
/** The roles, each for everything or for some offices; the rights are those of all together; 1 to 20 of them */
grants: NewGrant[];
};

/** A team to create */
export type NewTeam = {
/** The name people use (RESO TeamName); 1 to 255 characters */
name: string;
/** About the team (RESO TeamDescription); at most 4000 characters */
description?: string | null | undefined;
/** Its number in the MLS; at most 50 characters */
mlsId?: string | null | undefined;
/** The office it belongs to, if it does; its members may be of others; UUID */
officeId?: string | null | undefined;
/** The agents in it, in the order of their ids; at most one is the lead on a day (RESO TeamMembers, TeamLeadKey). An agent who is deactivated stays; one who is deleted leaves; at most 100 of them */
members?: NewTeamMember[] | null | undefined;
/** The telephone to call first (RESO TeamPreferredPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone?: string | null | undefined;
/** Extension (RESO TeamPreferredPhoneExt); at most 10 characters */
phoneExt?: string | null | undefined;
/** Telephone at the office (RESO TeamOfficePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
officePhone?: string | null | undefined;
/** Extension at the office (RESO TeamOfficePhoneExt); at most 10 characters */
officePhoneExt?: string | null | undefined;
/** Mobile telephone (RESO TeamMobilePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
mobilePhone?: string | null | undefined;
/** Direct line (RESO TeamDirectPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
directPhone?: string | null | undefined;
/** Telephone that costs callers nothing (RESO TeamTollFreePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
tollFreePhone?: string | null | undefined;
/** Fax (RESO TeamFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax?: string | null | undefined;
/** E-mail (RESO TeamEmail); at most 254 characters */
email?: string | null | undefined;
/** Website, http or https; at most 2048 characters */
website?: string | null | undefined;
/** Where it is in social networks (RESO SocialMedia); at most 10 of them */
socialLinks?: string[] | null | undefined;
/** Where it is, if not at its office (RESO TeamAddress1, TeamCity …) */
address?: NewAddress | null | undefined;
/** Where the record came from; unique together per collection */
source?: {
/** The system (RESO OriginatingSystemName); 1 to 255 characters */
name: string;
/** The record's key there; 1 to 255 characters */
key: string;
} | null | undefined;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata?: Record<string, string | null> | null | undefined;
};

/** A member of a team to write */
export type NewTeamMember = {
/** The agent; each at most once (RESO MemberKey); UUID */
agentId: string;
/** What the agent does there (RESO TeamMemberType): `lead` is Team Lead, `member` Team Member, `assistant` Administration Assistant, `coordinator` Transaction Coordinator, the others have their names; at most one is the lead on a day; "member" unless given */
role?: "lead" | "member" | "assistant" | "buyer_agent" | "listing_agent" | "showing_agent" | "lead_manager" | "marketing_assistant" | "operations_manager" | "coordinator" | undefined;
/** What the agent is called there (RESO JobTitle); at most 100 characters */
title?: string | null | undefined;
/** The first day in the team, if known; YYYY-MM-DD */
since?: string | null | undefined;
/** The last day in the team, if known; YYYY-MM-DD */
until?: string | null | undefined;
};

/** A view to save */
export type NewView = {
/** The name, which need not be unique; 1 to 200 characters */
name: string;
resource: ViewResource;
/** Whether everyone who may read the resource sees it; a private one only its owner does. Only the owner can change this; false unless given */
isShared?: boolean | undefined;
/** The parameters of the list, without `limit`, `cursor`, `startAt` and what the response shows (`includeTotal`, `highlight`, `expand`); stored as given; {} unless given */
query?: Record<string, string | string[]> | undefined;
/** The columns in their order; empty for those that the page shows without a view; at most 60 of them; [] unless given */
columns?: NewViewColumn[] | undefined;
};

/** A column to store in a view */
export type NewViewColumn = {
/** The field that it shows, by its path; 1 to 100 characters */
name: string;
/** Its width in pixels; 1 to 4000 */
width?: number | undefined;
/** Whether it is not shown */
isHidden?: boolean | undefined;
};

/** A webhook to create */
export type NewWebhook = {
/** Where messages are sent: an https URL without credentials, whose host is public (a setting of the service allows plain http and private networks); 1 to 2048 characters */
url: string;
/** What the webhook is for; at most 500 characters */
description?: string | null | undefined;
/** The types of events that it receives; null for all; 1 to 50 of them */
types?: RecordEventType[] | null | undefined;
/** The offices whose events it receives, with their branches; null for all. Unless given, those that the caller is limited to; 1 to 100 of them */
officeIds?: string[] | null | undefined;
/** The position in the event log after which it starts: a position, `0` for the start, or `latest` (unless given) for future events. Of the compacted part of the log it receives the newest event of each record */
after?: string | undefined;
};

/** What else a merge has moved, and stays where it is */
export type NotReturned = {
/** How many scheduled changes stay where the merge has moved them: made or cancelled since; at least 0 */
scheduledChanges: number;
/** How many saved views go on with the id of the survivor: changed or deleted since; at least 0 */
views: number;
};

/** An office */
export type Office = {
/** Given by the server: UUID, version 7 (RESO OfficeKey, MemberKey) */
id: string;
status: Status;
/** Why it was deactivated, if a reason was given; null when active */
statusReason: string | null;
/** When the status last changed, or the record was created; RFC 3339 */
statusChangedAt: string;
/** When it was deactivated; null when active; RFC 3339 */
deactivatedAt: string | null;
/** When the record was created (RESO OriginalEntryTimestamp); RFC 3339 */
createdAt: string;
/** When anything in it last changed (RESO ModificationTimestamp); RFC 3339 */
updatedAt: string;
/** From 1, one more with every change; the ETag is made of it */
version: number;
/** The name people use (RESO OfficeName); 1 to 255 characters */
name: string;
/** The registered name, where it differs; at most 255 characters */
legalName: string | null;
/** Main office, branch or an office of its own (RESO OfficeBranchType) */
branchType: "main" | "branch" | "stand_alone" | null;
/** The kind of business (RESO OfficeType); at most 50 characters */
type: string | null;
/** The office it is a branch of, over no circle (RESO MainOfficeKey); UUID */
mainOfficeId: string | null;
/** The agent responsible by law (RESO OfficeBrokerKey); UUID */
brokerAgentId: string | null;
/** The agent who runs it (RESO OfficeManagerKey); UUID */
managerAgentId: string | null;
/** The franchise it belongs to (RESO FranchiseAffiliation); at most 100 characters */
franchise: string | null;
/** Its number in the MLS (RESO OfficeMlsId); at most 50 characters */
mlsId: string | null;
/** Its number in the national association (RESO OfficeNationalAssociationId); at most 50 characters */
nationalAssociationId: string | null;
/** Licences of the office (RESO OfficeCorporateLicense); at most 20 of them */
licenses: License[];
/** The earliest last day of its licences, also if it has passed; null if none has one. Follows from licenses; YYYY-MM-DD */
nextLicenseExpiresOn: string | null;
/** Telephone (RESO OfficePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone: string | null;
/** Extension (RESO OfficePhoneExt); at most 10 characters */
phoneExt: string | null;
/** Fax (RESO OfficeFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax: string | null;
/** E-mail (RESO OfficeEmail); at most 254 characters */
email: string | null;
/** Website, http or https; at most 2048 characters */
website: string | null;
/** Where it is (RESO OfficeAddress1, OfficeCity …) */
address: Address | null;
/** Where its post goes, if elsewhere (RESO OfficeMailAddress1 …) */
mailingAddress: Address | null;
/** IANA time zone; at most 64 characters */
timeZone: string | null;
/** About the office (RESO OfficeBio); at most 4000 characters */
bio: string | null;
/** Where the record came from; unique together per collection */
source: Source | null;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata: Record<string, string>;
/** The changes that are scheduled, in the order of their times; at most 20 of them */
scheduledChanges: PendingChange[];
};

/** A change of all offices that a filter selects */
export type OfficeBulk = {
/** Which records: the filters of the list, all of which must match. `q` finds the words themselves, never similar ones */
filter: {
/** Every word of it occurs in a name, the e-mail, the MLS id or the city, ignoring case, accents and punctuation; if no record has them, words with a typo or two. At most 8 words, not counting those that are repeated or contained in another. A telephone number of seven digits or more also finds the records with it, in whatever form either is; 1 to 200 characters */
q?: string | undefined;
/** Without it both states are listed; repeated: any of them; 1 to 100 of them */
status?: Status | Status[] | undefined;
/** Just these records; repeated: any of them; 1 to 200 of them */
ids?: string | string[] | undefined;
/** The e-mail, ignoring case; repeated: any of them; 1 to 100 of them */
email?: string | string[] | undefined;
/** The MLS id; repeated: any of them; 1 to 100 of them */
mlsId?: string | string[] | undefined;
/** The city of the address, ignoring case; repeated: any of them; 1 to 100 of them */
city?: string | string[] | undefined;
/** The region of the address, ignoring case; repeated: any of them; 1 to 100 of them */
region?: string | string[] | undefined;
/** The country of the address, ignoring case; repeated: any of them; 1 to 100 of them */
country?: string | string[] | undefined;
/** The system it came from; repeated: any of them; 1 to 100 of them */
sourceName?: string | string[] | undefined;
/** The record's key in that system; repeated: any of them; 1 to 100 of them */
sourceKey?: string | string[] | undefined;
/** Created at this time or later (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
createdSince?: string | undefined;
/** Created before this time (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
createdBefore?: string | undefined;
/** Last changed at this time or later (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
updatedSince?: string | undefined;
/** Last changed before this time (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
updatedBefore?: string | undefined;
/** Deactivated at this time or later (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
deactivatedSince?: string | undefined;
/** The number of a licence, ignoring case, spaces and punctuation; repeated: any of them; 1 to 100 of them */
licenseNumber?: string | string[] | undefined;
/** No licence of it expires before this day: nextLicenseExpiresOn is it or later (YYYY-MM-DD, or a duration from today in UTC such as `P60D` or `-P30D`) */
licenseExpiresSince?: string | undefined;
/** A licence of it expires before this day, or has expired: nextLicenseExpiresOn is earlier (YYYY-MM-DD, or a duration from today in UTC such as `P60D` or `-P30D`) */
licenseExpiresBefore?: string | undefined;
/** Branches of this office; repeated: any of them; 1 to 100 of them */
mainOfficeId?: string | string[] | undefined;
/** This field is null, or an empty list; repeated: any of them; 1 to 100 of them */
empty?: "email" | "phone" | "mlsId" | "licenses" | "address" | "source" | "mainOfficeId" | "brokerAgentId" | "managerAgentId" | ("email" | "phone" | "mlsId" | "licenses" | "address" | "source" | "mainOfficeId" | "brokerAgentId" | "managerAgentId")[] | undefined;
/** This field has a value; repeated: any of them; 1 to 100 of them */
notEmpty?: "email" | "phone" | "mlsId" | "licenses" | "address" | "source" | "mainOfficeId" | "brokerAgentId" | "managerAgentId" | ("email" | "phone" | "mlsId" | "licenses" | "address" | "source" | "mainOfficeId" | "brokerAgentId" | "managerAgentId")[] | undefined;
/** Selects all records; required if there is no other filter, else not allowed */
all?: true | undefined;
};
/** What is done to each record */
change: {
/** Changes fields */
type: "update";
/** JSON Merge Patch (RFC 7396) for each record */
patch: {
/** The name people use (RESO OfficeName); 1 to 255 characters */
name?: string | undefined;
/** The registered name, where it differs; at most 255 characters */
legalName?: string | null | undefined;
/** Main office, branch or an office of its own (RESO OfficeBranchType) */
branchType?: "main" | "branch" | "stand_alone" | null | undefined;
/** The kind of business (RESO OfficeType); at most 50 characters */
type?: string | null | undefined;
/** The office it is a branch of, over no circle (RESO MainOfficeKey); UUID */
mainOfficeId?: string | null | undefined;
/** The agent responsible by law (RESO OfficeBrokerKey); UUID */
brokerAgentId?: string | null | undefined;
/** The agent who runs it (RESO OfficeManagerKey); UUID */
managerAgentId?: string | null | undefined;
/** The franchise it belongs to (RESO FranchiseAffiliation); at most 100 characters */
franchise?: string | null | undefined;
/** Its number in the MLS (RESO OfficeMlsId); at most 50 characters */
mlsId?: string | null | undefined;
/** Its number in the national association (RESO OfficeNationalAssociationId); at most 50 characters */
nationalAssociationId?: string | null | undefined;
/** Licences of the office (RESO OfficeCorporateLicense); at most 20 of them */
licenses?: NewLicense[] | null | undefined;
/** Telephone (RESO OfficePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone?: string | null | undefined;
/** Extension (RESO OfficePhoneExt); at most 10 characters */
phoneExt?: string | null | undefined;
/** Fax (RESO OfficeFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax?: string | null | undefined;
/** E-mail (RESO OfficeEmail); at most 254 characters */
email?: string | null | undefined;
/** Website, http or https; at most 2048 characters */
website?: string | null | undefined;
/** Where it is (RESO OfficeAddress1, OfficeCity …) */
address?: NewAddress | null | undefined;
/** Where its post goes, if elsewhere (RESO OfficeMailAddress1 …) */
mailingAddress?: NewAddress | null | undefined;
/** IANA time zone; at most 64 characters */
timeZone?: string | null | undefined;
/** About the office (RESO OfficeBio); at most 4000 characters */
bio?: string | null | undefined;
/** Where the record came from; unique together per collection */
source?: {
/** The system (RESO OriginatingSystemName); 1 to 255 characters */
name?: string | null | undefined;
/** The record's key there; 1 to 255 characters */
key?: string | null | undefined;
} | null | undefined;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata?: Record<string, string | null> | null | undefined;
};
} | {
/** Deactivates; inactive records are left unchanged */
type: "deactivate";
} | {
/** Reactivates; active records are left unchanged */
type: "reactivate";
} | {
/** Deletes, if no other record refers to it */
type: "delete";
};
/** How many the filter selects: another number is rejected. Required unless `dryRun` is true; at most 1000000 */
expectedCount?: number | undefined;
/** Changes nothing: answers how many records match, and what would happen to the first 500 of them */
dryRun?: boolean | undefined;
/** Why; kept in the events, and of deactivations as statusReason until a record is active again; at most 500 characters */
reason?: string | null | undefined;
};

/** How many records refer to an office */
export type OfficeCounts = {
/** The agents whose primary office it is */
agents: {
/** Active agents */
active: number;
/** Inactive agents */
inactive: number;
};
/** Agents who are affiliated with it, active and inactive */
affiliatedAgents: number;
/** The offices whose main office it is, active and inactive */
branches: number;
};

/** An office after its deactivation, with what happened to agents */
export type OfficeDeactivated = {
/** Given by the server: UUID, version 7 (RESO OfficeKey, MemberKey) */
id: string;
status: Status;
/** Why it was deactivated, if a reason was given; null when active */
statusReason: string | null;
/** When the status last changed, or the record was created; RFC 3339 */
statusChangedAt: string;
/** When it was deactivated; null when active; RFC 3339 */
deactivatedAt: string | null;
/** When the record was created (RESO OriginalEntryTimestamp); RFC 3339 */
createdAt: string;
/** When anything in it last changed (RESO ModificationTimestamp); RFC 3339 */
updatedAt: string;
/** From 1, one more with every change; the ETag is made of it */
version: number;
/** The name people use (RESO OfficeName); 1 to 255 characters */
name: string;
/** The registered name, where it differs; at most 255 characters */
legalName: string | null;
/** Main office, branch or an office of its own (RESO OfficeBranchType) */
branchType: "main" | "branch" | "stand_alone" | null;
/** The kind of business (RESO OfficeType); at most 50 characters */
type: string | null;
/** The office it is a branch of, over no circle (RESO MainOfficeKey); UUID */
mainOfficeId: string | null;
/** The agent responsible by law (RESO OfficeBrokerKey); UUID */
brokerAgentId: string | null;
/** The agent who runs it (RESO OfficeManagerKey); UUID */
managerAgentId: string | null;
/** The franchise it belongs to (RESO FranchiseAffiliation); at most 100 characters */
franchise: string | null;
/** Its number in the MLS (RESO OfficeMlsId); at most 50 characters */
mlsId: string | null;
/** Its number in the national association (RESO OfficeNationalAssociationId); at most 50 characters */
nationalAssociationId: string | null;
/** Licences of the office (RESO OfficeCorporateLicense); at most 20 of them */
licenses: License[];
/** The earliest last day of its licences, also if it has passed; null if none has one. Follows from licenses; YYYY-MM-DD */
nextLicenseExpiresOn: string | null;
/** Telephone (RESO OfficePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone: string | null;
/** Extension (RESO OfficePhoneExt); at most 10 characters */
phoneExt: string | null;
/** Fax (RESO OfficeFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax: string | null;
/** E-mail (RESO OfficeEmail); at most 254 characters */
email: string | null;
/** Website, http or https; at most 2048 characters */
website: string | null;
/** Where it is (RESO OfficeAddress1, OfficeCity …) */
address: Address | null;
/** Where its post goes, if elsewhere (RESO OfficeMailAddress1 …) */
mailingAddress: Address | null;
/** IANA time zone; at most 64 characters */
timeZone: string | null;
/** About the office (RESO OfficeBio); at most 4000 characters */
bio: string | null;
/** Where the record came from; unique together per collection */
source: Source | null;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata: Record<string, string>;
/** The changes that are scheduled, in the order of their times; at most 20 of them */
scheduledChanges: PendingChange[];
/** With `cascade`, unless it is scheduled: what happened to agents */
cascaded?: {
/** How many agents this deactivation of the office has deactivated; at least 0 */
agents: number;
/** From how many other agents it has removed the affiliation with the office; at least 0 */
affiliations: number;
} | undefined;
};

/** How to deactivate an office; may be left out */
export type OfficeDeactivation = {
/** The id of the record; UUID */
id: string;
/** Reject the change if the record has another version; at least 1 */
ifVersion?: number | undefined;
/** Why; kept in the event, and of a deactivation as statusReason until the record is active again; at most 500 characters */
reason?: string | null | undefined;
/** When it happens (RFC 3339); now unless given, and if the time has passed */
effectiveAt?: string | undefined;
/** On which day it happens: at 00:00 in the time zone of the office concerned, or in UTC if there is none; YYYY-MM-DD */
effectiveOn?: string | undefined;
/** Deactivate the active agents of the office too, and end the affiliations of other agents with it: up to 500 agents at once with it, others 500 at a time after it; if it is scheduled, all at once */
cascade?: boolean | undefined;
};

/** Two records that may be the same */
export type OfficeDuplicate = {
/** Assigned by the server; UUID */
id: string;
/** The estimated probability that they are the same, from 0 to 1 */
score: number;
/** What they have in common; at most 20 of them */
reasons: DuplicateReason[];
/** When they were found; RFC 3339 */
foundAt: string;
/** Both records as they are now, in the order of their ids; 2 to 2 of them */
records: Office[];
/** When it was decided that they are not the same; null if it was not; RFC 3339 */
dismissedAt: string | null;
/** The reason that was given for that */
dismissalReason: string | null;
/** The id of the key or the person that decided it; UUID */
actorId: string | null;
/** The same with the type and, for callers that may read it, the current name; null for a person who was deleted */
actor: Actor | null;
};

/** One page of a list */
export type OfficeDuplicatePage = {
/** The records of this page; at most 200 of them */
items: OfficeDuplicate[];
/** The way to the next page; absent on the last */
nextCursor?: string | undefined;
/** The way to the page before; absent on the first */
prevCursor?: string | undefined;
/** With includeTotal: how many records match */
total?: number | undefined;
};

/** Which records, in which order, and how many on a page */
export type OfficeDuplicateQuery = {
/** Records a page: 1 to 200; more is 200; at least 1 */
limit?: number | undefined;
/** Where to go on: `nextCursor` or `prevCursor` of a page, with the same filters, `sort` and `startAt`; 1 to 4000 characters */
cursor?: string | undefined;
/** Sent by the infinite queries of tRPC; `backward` requires a `prevCursor` as the cursor */
direction?: "forward" | "backward" | undefined;
/** The order, `-` for descending; the id breaks ties; "-score" unless given */
sort?: "-score" | "score" | "-foundAt" | "foundAt" | undefined;
/** The least score: 0.5, below which no pair is kept, to 1; 0.5 to 1 */
minScore?: number | undefined;
/** Pairs that have this in common; repeated: any of them; 1 to 100 of them */
kind?: DuplicateReasonKind | DuplicateReasonKind[] | undefined;
/** Pairs with a record of this office; repeated: any of them; 1 to 100 of them */
officeId?: string | string[] | undefined;
/** Pairs with this record; UUID */
recordId?: string | undefined;
/** `open` finds pairs that nobody has decided about, `dismissed` those that were decided not to be the same, `any` both; "open" unless given */
state?: "open" | "dismissed" | "any" | undefined;
/** Count all pairs that match, in the same snapshot as the page */
includeTotal?: boolean | undefined;
};

/** A change of an office */
export type OfficeEvent = {
/** The position in the log, from 1; no event appears before it later */
position: number;
/** The id of the record; UUID */
subject: string;
/** The version of the record after the change; of a deleted record its last version; of what is no record the number of its event */
version: number;
/** When it happened; RFC 3339 */
occurredAt: string;
/** The id of the key or the person that made the change; null if the service itself did; UUID */
actorId: string | null;
/** The same with the type and, for callers that may read it, the current name; null for a person who was deleted */
actor: Actor | null;
/** The X-Request-Id of the request */
requestId: string | null;
/** The reason given with the change */
reason: string | null;
/** What the change was part of, and between which offices an agent was transferred; null if nothing */
details: EventDetails | null;
/** What happened. More types may be added: ignore those that you do not know. */
type: "office.created" | "office.updated" | "office.deactivated" | "office.reactivated" | "office.deleted" | "office.restored" | "office.purged" | "office.license_expiring" | "office.change_failed" | "office.merged";
/** The record after the change; of a deleted record its last state; null if it was purged */
record: Office | null;
/** The previous values of the changed fields; merged into the record, they give the previous record */
previous: {
/** Given by the server: UUID, version 7 (RESO OfficeKey, MemberKey) */
id?: string | undefined;
status?: Status | undefined;
/** Why it was deactivated, if a reason was given; null when active */
statusReason?: string | null | undefined;
/** When the status last changed, or the record was created; RFC 3339 */
statusChangedAt?: string | undefined;
/** When it was deactivated; null when active; RFC 3339 */
deactivatedAt?: string | null | undefined;
/** When the record was created (RESO OriginalEntryTimestamp); RFC 3339 */
createdAt?: string | undefined;
/** When anything in it last changed (RESO ModificationTimestamp); RFC 3339 */
updatedAt?: string | undefined;
/** From 1, one more with every change; the ETag is made of it */
version?: number | undefined;
/** The name people use (RESO OfficeName); 1 to 255 characters */
name?: string | undefined;
/** The registered name, where it differs; at most 255 characters */
legalName?: string | null | undefined;
/** Main office, branch or an office of its own (RESO OfficeBranchType) */
branchType?: "main" | "branch" | "stand_alone" | null | undefined;
/** The kind of business (RESO OfficeType); at most 50 characters */
type?: string | null | undefined;
/** The office it is a branch of, over no circle (RESO MainOfficeKey); UUID */
mainOfficeId?: string | null | undefined;
/** The agent responsible by law (RESO OfficeBrokerKey); UUID */
brokerAgentId?: string | null | undefined;
/** The agent who runs it (RESO OfficeManagerKey); UUID */
managerAgentId?: string | null | undefined;
/** The franchise it belongs to (RESO FranchiseAffiliation); at most 100 characters */
franchise?: string | null | undefined;
/** Its number in the MLS (RESO OfficeMlsId); at most 50 characters */
mlsId?: string | null | undefined;
/** Its number in the national association (RESO OfficeNationalAssociationId); at most 50 characters */
nationalAssociationId?: string | null | undefined;
/** Licences of the office (RESO OfficeCorporateLicense); at most 20 of them */
licenses?: License[] | undefined;
/** The earliest last day of its licences, also if it has passed; null if none has one. Follows from licenses; YYYY-MM-DD */
nextLicenseExpiresOn?: string | null | undefined;
/** Telephone (RESO OfficePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone?: string | null | undefined;
/** Extension (RESO OfficePhoneExt); at most 10 characters */
phoneExt?: string | null | undefined;
/** Fax (RESO OfficeFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax?: string | null | undefined;
/** E-mail (RESO OfficeEmail); at most 254 characters */
email?: string | null | undefined;
/** Website, http or https; at most 2048 characters */
website?: string | null | undefined;
/** Where it is (RESO OfficeAddress1, OfficeCity …) */
address?: Address | null | undefined;
/** Where its post goes, if elsewhere (RESO OfficeMailAddress1 …) */
mailingAddress?: Address | null | undefined;
/** IANA time zone; at most 64 characters */
timeZone?: string | null | undefined;
/** About the office (RESO OfficeBio); at most 4000 characters */
bio?: string | null | undefined;
/** Where the record came from; unique together per collection */
source?: Source | null | undefined;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata?: Record<string, string> | undefined;
/** The changes that are scheduled, in the order of their times; at most 20 of them */
scheduledChanges?: PendingChange[] | undefined;
};
};

/** Offices to import */
export type OfficeImport = {
/** The records, 1 to 500; a branch may stand before its main office; 1 to 500 of them */
records: ImportedOffice[];
/** `create`: every record is new. `upsert`: each names its `source`; a record that came from there is changed as by a merge patch (absent leaves, null clears), a new one is created. `match`: the same, and one without a `source` is matched by its e-mail address (an office: by e-mail address and name, where one office alone has both), else created; "create" unless given */
mode?: "create" | "upsert" | "match" | undefined;
/** All or nothing; if false, the valid records are written, and the status is 207 if others are rejected; true unless given */
isAtomic?: boolean | undefined;
/** Whether a record that was matched by its e-mail address alone may get another name; if false, that is an error of the record (`name_differs`). Case, accents and white space make no other name; false unless given */
acceptRenames?: boolean | undefined;
/** Answer what would happen, and change nothing; false unless given */
dryRun?: boolean | undefined;
};

/** A record that a new one looks like, and why */
export type OfficeLookAlike = {
/** The estimated probability that they are the same, from 0 to 1 */
score: number;
/** What they have in common; at most 20 of them */
reasons: DuplicateReason[];
record: Office;
};

/** The records that a new one looks like */
export type OfficeLookAlikes = {
/** The most probable first; empty if it looks like none; at most 5 of them */
lookAlikes: OfficeLookAlike[];
};

/** The merge of all pairs of offices from a score on */
export type OfficeMerges = {
/** Which pairs: the filters of their list. Those that were decided not to be the same are none */
filter: {
/** The least score, from 0.5 to 1, when the job is accepted and when a pair is merged */
minScore: number;
/** Pairs that have this in common; repeated: any of them; 1 to 100 of them */
kind?: DuplicateReasonKind | DuplicateReasonKind[] | undefined;
/** Pairs with a record of this office; repeated: any of them; 1 to 100 of them */
officeId?: string | string[] | undefined;
/** Pairs with this record; UUID */
recordId?: string | undefined;
};
/** How many the filter selects: another number is rejected. Required unless `dryRun` is true; at most 1000000 */
expectedCount?: number | undefined;
/** Changes nothing: answers how many pairs there are, and what would become of the first 50 */
dryRun?: boolean | undefined;
/** Why; kept in the events, and of deactivations as statusReason until a record is active again; at most 500 characters */
reason?: string | null | undefined;
};

/** One page of a list */
export type OfficePage = {
/** The records of this page; at most 200 of them */
items: ListedOffice[];
/** The way to the next page; absent on the last */
nextCursor?: string | undefined;
/** The way to the page before; absent on the first */
prevCursor?: string | undefined;
/** With includeTotal: how many records match */
total?: number | undefined;
/** True if no record has the words of q, and these have similar ones */
isSimilar?: boolean | undefined;
/** With highlight: where q was found, for each item in their order; at most 200 of them */
highlights?: (Highlight[])[] | undefined;
};

/** What to change: JSON Merge Patch (RFC 7396) */
export type OfficePatch = {
/** The id of the record; UUID */
id: string;
/** Reject the change if the record has another version; at least 1 */
ifVersion?: number | undefined;
/** The name people use (RESO OfficeName); 1 to 255 characters */
name?: string | undefined;
/** The registered name, where it differs; at most 255 characters */
legalName?: string | null | undefined;
/** Main office, branch or an office of its own (RESO OfficeBranchType) */
branchType?: "main" | "branch" | "stand_alone" | null | undefined;
/** The kind of business (RESO OfficeType); at most 50 characters */
type?: string | null | undefined;
/** The office it is a branch of, over no circle (RESO MainOfficeKey); UUID */
mainOfficeId?: string | null | undefined;
/** The agent responsible by law (RESO OfficeBrokerKey); UUID */
brokerAgentId?: string | null | undefined;
/** The agent who runs it (RESO OfficeManagerKey); UUID */
managerAgentId?: string | null | undefined;
/** The franchise it belongs to (RESO FranchiseAffiliation); at most 100 characters */
franchise?: string | null | undefined;
/** Its number in the MLS (RESO OfficeMlsId); at most 50 characters */
mlsId?: string | null | undefined;
/** Its number in the national association (RESO OfficeNationalAssociationId); at most 50 characters */
nationalAssociationId?: string | null | undefined;
/** Licences of the office (RESO OfficeCorporateLicense); at most 20 of them */
licenses?: NewLicense[] | null | undefined;
/** Telephone (RESO OfficePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone?: string | null | undefined;
/** Extension (RESO OfficePhoneExt); at most 10 characters */
phoneExt?: string | null | undefined;
/** Fax (RESO OfficeFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax?: string | null | undefined;
/** E-mail (RESO OfficeEmail); at most 254 characters */
email?: string | null | undefined;
/** Website, http or https; at most 2048 characters */
website?: string | null | undefined;
/** Where it is (RESO OfficeAddress1, OfficeCity …) */
address?: NewAddress | null | undefined;
/** Where its post goes, if elsewhere (RESO OfficeMailAddress1 …) */
mailingAddress?: NewAddress | null | undefined;
/** IANA time zone; at most 64 characters */
timeZone?: string | null | undefined;
/** About the office (RESO OfficeBio); at most 4000 characters */
bio?: string | null | undefined;
/** Where the record came from; unique together per collection */
source?: {
/** The system (RESO OriginatingSystemName); 1 to 255 characters */
name?: string | null | undefined;
/** The record's key there; 1 to 255 characters */
key?: string | null | undefined;
} | null | undefined;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata?: Record<string, string | null> | null | undefined;
};

/** Which records, in which order, and how many on a page */
export type OfficeQuery = {
/** Records a page: 1 to 200; more is 200; at least 1 */
limit?: number | undefined;
/** Where to go on: `nextCursor` or `prevCursor` of a page, with the same filters, `sort` and `startAt`; 1 to 4000 characters */
cursor?: string | undefined;
/** Sent by the infinite queries of tRPC; `backward` requires a `prevCursor` as the cursor */
direction?: "forward" | "backward" | undefined;
/** Begin at the first record whose value of the sort is this one or comes after it in the order of the list: a time, or the beginning of a name; with a cursor, which page it is follows from the cursor; 1 to 255 characters */
startAt?: string | undefined;
/** Count all records that match, in the same snapshot as the page */
includeTotal?: boolean | undefined;
/** Say in `highlights` where in each record q was found */
highlight?: boolean | undefined;
/** Every word of it occurs in a name, the e-mail, the MLS id or the city, ignoring case, accents and punctuation; if no record has them, words with a typo or two. At most 8 words, not counting those that are repeated or contained in another. A telephone number of seven digits or more also finds the records with it, in whatever form either is; 1 to 200 characters */
q?: string | undefined;
/** Without it both states are listed; repeated: any of them; 1 to 100 of them */
status?: Status | Status[] | undefined;
/** Just these records; repeated: any of them; 1 to 200 of them */
ids?: string | string[] | undefined;
/** The e-mail, ignoring case; repeated: any of them; 1 to 100 of them */
email?: string | string[] | undefined;
/** The MLS id; repeated: any of them; 1 to 100 of them */
mlsId?: string | string[] | undefined;
/** The city of the address, ignoring case; repeated: any of them; 1 to 100 of them */
city?: string | string[] | undefined;
/** The region of the address, ignoring case; repeated: any of them; 1 to 100 of them */
region?: string | string[] | undefined;
/** The country of the address, ignoring case; repeated: any of them; 1 to 100 of them */
country?: string | string[] | undefined;
/** The system it came from; repeated: any of them; 1 to 100 of them */
sourceName?: string | string[] | undefined;
/** The record's key in that system; repeated: any of them; 1 to 100 of them */
sourceKey?: string | string[] | undefined;
/** Created at this time or later (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
createdSince?: string | undefined;
/** Created before this time (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
createdBefore?: string | undefined;
/** Last changed at this time or later (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
updatedSince?: string | undefined;
/** Last changed before this time (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
updatedBefore?: string | undefined;
/** Deactivated at this time or later (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
deactivatedSince?: string | undefined;
/** The order, `-` for descending; the id breaks ties. `relevance` requires q: the best match first, of 200 at most; "-createdAt" unless given */
sort?: "name" | "-name" | "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt" | "nextLicenseExpiresOn" | "-nextLicenseExpiresOn" | "relevance" | undefined;
/** Embed the counts of agents and branches of each office */
expand?: "counts" | undefined;
/** The number of a licence, ignoring case, spaces and punctuation; repeated: any of them; 1 to 100 of them */
licenseNumber?: string | string[] | undefined;
/** No licence of it expires before this day: nextLicenseExpiresOn is it or later (YYYY-MM-DD, or a duration from today in UTC such as `P60D` or `-P30D`) */
licenseExpiresSince?: string | undefined;
/** A licence of it expires before this day, or has expired: nextLicenseExpiresOn is earlier (YYYY-MM-DD, or a duration from today in UTC such as `P60D` or `-P30D`) */
licenseExpiresBefore?: string | undefined;
/** Branches of this office; repeated: any of them; 1 to 100 of them */
mainOfficeId?: string | string[] | undefined;
/** This field is null, or an empty list; repeated: any of them; 1 to 100 of them */
empty?: "email" | "phone" | "mlsId" | "licenses" | "address" | "source" | "mainOfficeId" | "brokerAgentId" | "managerAgentId" | ("email" | "phone" | "mlsId" | "licenses" | "address" | "source" | "mainOfficeId" | "brokerAgentId" | "managerAgentId")[] | undefined;
/** This field has a value; repeated: any of them; 1 to 100 of them */
notEmpty?: "email" | "phone" | "mlsId" | "licenses" | "address" | "source" | "mainOfficeId" | "brokerAgentId" | "managerAgentId" | ("email" | "phone" | "mlsId" | "licenses" | "address" | "source" | "mainOfficeId" | "brokerAgentId" | "managerAgentId")[] | undefined;
};

/** An office after its reactivation, with what was taken back of its deactivation */
export type OfficeReactivated = {
/** Given by the server: UUID, version 7 (RESO OfficeKey, MemberKey) */
id: string;
status: Status;
/** Why it was deactivated, if a reason was given; null when active */
statusReason: string | null;
/** When the status last changed, or the record was created; RFC 3339 */
statusChangedAt: string;
/** When it was deactivated; null when active; RFC 3339 */
deactivatedAt: string | null;
/** When the record was created (RESO OriginalEntryTimestamp); RFC 3339 */
createdAt: string;
/** When anything in it last changed (RESO ModificationTimestamp); RFC 3339 */
updatedAt: string;
/** From 1, one more with every change; the ETag is made of it */
version: number;
/** The name people use (RESO OfficeName); 1 to 255 characters */
name: string;
/** The registered name, where it differs; at most 255 characters */
legalName: string | null;
/** Main office, branch or an office of its own (RESO OfficeBranchType) */
branchType: "main" | "branch" | "stand_alone" | null;
/** The kind of business (RESO OfficeType); at most 50 characters */
type: string | null;
/** The office it is a branch of, over no circle (RESO MainOfficeKey); UUID */
mainOfficeId: string | null;
/** The agent responsible by law (RESO OfficeBrokerKey); UUID */
brokerAgentId: string | null;
/** The agent who runs it (RESO OfficeManagerKey); UUID */
managerAgentId: string | null;
/** The franchise it belongs to (RESO FranchiseAffiliation); at most 100 characters */
franchise: string | null;
/** Its number in the MLS (RESO OfficeMlsId); at most 50 characters */
mlsId: string | null;
/** Its number in the national association (RESO OfficeNationalAssociationId); at most 50 characters */
nationalAssociationId: string | null;
/** Licences of the office (RESO OfficeCorporateLicense); at most 20 of them */
licenses: License[];
/** The earliest last day of its licences, also if it has passed; null if none has one. Follows from licenses; YYYY-MM-DD */
nextLicenseExpiresOn: string | null;
/** Telephone (RESO OfficePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone: string | null;
/** Extension (RESO OfficePhoneExt); at most 10 characters */
phoneExt: string | null;
/** Fax (RESO OfficeFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax: string | null;
/** E-mail (RESO OfficeEmail); at most 254 characters */
email: string | null;
/** Website, http or https; at most 2048 characters */
website: string | null;
/** Where it is (RESO OfficeAddress1, OfficeCity …) */
address: Address | null;
/** Where its post goes, if elsewhere (RESO OfficeMailAddress1 …) */
mailingAddress: Address | null;
/** IANA time zone; at most 64 characters */
timeZone: string | null;
/** About the office (RESO OfficeBio); at most 4000 characters */
bio: string | null;
/** Where the record came from; unique together per collection */
source: Source | null;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata: Record<string, string>;
/** The changes that are scheduled, in the order of their times; at most 20 of them */
scheduledChanges: PendingChange[];
/** With `cascade`: what was taken back of the latest deactivation */
cascaded?: {
/** How many agents are reactivated; at least 0 */
agents: number;
/** How many other agents have their affiliation with the office again; at least 0 */
affiliations: number;
/** How many agents could not be brought back; at least 0 */
rejected: number;
/** The first 10 of those, each with the reason; at most 10 of them */
errors: JobError[];
} | undefined;
};

/** How to reactivate an office; may be left out */
export type OfficeReactivation = {
/** The id of the record; UUID */
id: string;
/** Reject the change if the record has another version; at least 1 */
ifVersion?: number | undefined;
/** Why; kept in the event, and of a deactivation as statusReason until the record is active again; at most 500 characters */
reason?: string | null | undefined;
/** When it happens (RFC 3339); now unless given, and if the time has passed */
effectiveAt?: string | undefined;
/** On which day it happens: at 00:00 in the time zone of the office concerned, or in UTC if there is none; YYYY-MM-DD */
effectiveOn?: string | undefined;
/** Take back what the latest deactivation of the office did with `cascade`: reactivate the agents that it has deactivated, and give the affiliations back that it has ended. Agents whose status, office or affiliations have changed since are kept as they are. Not with a time */
cascade?: boolean | undefined;
};

/** An office in a few fields */
export type OfficeSummary = {
/** Given by the server: UUID, version 7 (RESO OfficeKey, MemberKey) */
id: string;
/** The name people use (RESO OfficeName); 1 to 255 characters */
name: string;
status: Status;
/** Main office, branch or an office of its own (RESO OfficeBranchType) */
branchType: "main" | "branch" | "stand_alone" | null;
/** Its number in the MLS (RESO OfficeMlsId); at most 50 characters */
mlsId: string | null;
/** Telephone (RESO OfficePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone: string | null;
/** E-mail (RESO OfficeEmail); at most 254 characters */
email: string | null;
/** IANA time zone; at most 64 characters */
timeZone: string | null;
};

/** A passkey (WebAuthn) with which a person signs in, without its keys */
export type Passkey = {
/** Assigned by the server; UUID */
id: string;
/** Who signs in with it; UUID */
personId: string;
/** The name by which its person tells it from others; 1 to 100 characters */
name: string;
/** Whether it is kept on several devices of the person, such as those of one account; else a loss of the device loses it */
isSynced: boolean;
/** When it was set up; RFC 3339 */
createdAt: string;
/** When the person last signed in with it; null if never; RFC 3339 */
lastUsedAt: string | null;
};

/** A change of a passkey */
export type PasskeyEvent = {
/** The position in the log, from 1; no event appears before it later */
position: number;
/** The id of the record; UUID */
subject: string;
/** The version of the record after the change; of a deleted record its last version; of what is no record the number of its event */
version: number;
/** When it happened; RFC 3339 */
occurredAt: string;
/** The id of the key or the person that made the change; null if the service itself did; UUID */
actorId: string | null;
/** The same with the type and, for callers that may read it, the current name; null for a person who was deleted */
actor: Actor | null;
/** The X-Request-Id of the request */
requestId: string | null;
/** The reason given with the change */
reason: string | null;
/** What the change was part of, and between which offices an agent was transferred; null if nothing */
details: EventDetails | null;
/** What happened. More types may be added: ignore those that you do not know. */
type: "passkey.created" | "passkey.updated" | "passkey.deleted";
/** The record after the change; of a deleted record its last state; null if it was purged */
record: Passkey | null;
/** The previous values of the changed fields; merged into the record, they give the previous record */
previous: {
/** Assigned by the server; UUID */
id?: string | undefined;
/** Who signs in with it; UUID */
personId?: string | undefined;
/** The name by which its person tells it from others; 1 to 100 characters */
name?: string | undefined;
/** Whether it is kept on several devices of the person, such as those of one account; else a loss of the device loses it */
isSynced?: boolean | undefined;
/** When it was set up; RFC 3339 */
createdAt?: string | undefined;
/** When the person last signed in with it; null if never; RFC 3339 */
lastUsedAt?: string | null | undefined;
};
};

/** One page of a list */
export type PasskeyPage = {
/** The records of this page; at most 200 of them */
items: Passkey[];
/** The way to the next page; absent on the last */
nextCursor?: string | undefined;
/** The way to the page before; absent on the first */
prevCursor?: string | undefined;
/** With includeTotal: how many records match */
total?: number | undefined;
};

/** What to change: JSON Merge Patch (RFC 7396) */
export type PasskeyPatch = {
/** The id of the record; UUID */
id: string;
/** The name by which its person tells it from others; 1 to 100 characters */
name?: string | undefined;
};

/** Which records, in which order, and how many on a page */
export type PasskeyQuery = {
/** Records a page: 1 to 200; more is 200; at least 1 */
limit?: number | undefined;
/** Where to go on: `nextCursor` or `prevCursor` of a page, with the same filters, `sort` and `startAt`; 1 to 4000 characters */
cursor?: string | undefined;
/** Sent by the infinite queries of tRPC; `backward` requires a `prevCursor` as the cursor */
direction?: "forward" | "backward" | undefined;
/** Begin at the first record whose value of the sort is this one or comes after it in the order of the list: a time, or the beginning of a name; with a cursor, which page it is follows from the cursor; 1 to 255 characters */
startAt?: string | undefined;
/** The order, `-` for descending; the id breaks ties; "-createdAt" unless given */
sort?: "name" | "-name" | "createdAt" | "-createdAt" | undefined;
/** The passkeys of this person, not your own: needs `people:manage`; UUID */
personId?: string | undefined;
};

/** A scheduled change that has not happened yet */
export type PendingChange = {
/** The id of the scheduled change; UUID */
id: string;
change: ChangeKind;
/** When it happens; RFC 3339 */
effectiveAt: string;
/** Of a transfer: the new office; null of other changes; UUID */
officeId: string | null;
/** The reason given with it */
reason: string | null;
/** The key that scheduled it; UUID */
scheduledBy: string;
/** When it was scheduled; RFC 3339 */
scheduledAt: string;
};

/** Someone who may sign in, with their roles */
export type Person = {
/** Assigned by the server; UUID */
id: string;
/** The name; 1 to 200 characters */
name: string;
/** The e-mail address, unique ignoring case, to which invitations are sent, and by which the first sign-in at an identity provider finds the person; 1 to 254 characters */
email: string;
status: PersonStatus;
signInWay: SignInWay;
/** The roles, each for everything or for some offices; the rights are those of all together; at most 20 of them */
grants: Grant[];
/** When the person was invited; RFC 3339 */
createdAt: string;
/** Who invited the person; null if the service did, or if that key or person is gone */
createdBy: Actor | null;
/** When anything in it last changed, except for lastSignedInAt; RFC 3339 */
updatedAt: string;
/** When the person last signed in; null if never; RFC 3339 */
lastSignedInAt: string | null;
};

/** A change of a person */
export type PersonEvent = {
/** The position in the log, from 1; no event appears before it later */
position: number;
/** The id of the record; UUID */
subject: string;
/** The version of the record after the change; of a deleted record its last version; of what is no record the number of its event */
version: number;
/** When it happened; RFC 3339 */
occurredAt: string;
/** The id of the key or the person that made the change; null if the service itself did; UUID */
actorId: string | null;
/** The same with the type and, for callers that may read it, the current name; null for a person who was deleted */
actor: Actor | null;
/** The X-Request-Id of the request */
requestId: string | null;
/** The reason given with the change */
reason: string | null;
/** What the change was part of, and between which offices an agent was transferred; null if nothing */
details: EventDetails | null;
/** What happened. More types may be added: ignore those that you do not know. */
type: "person.invited" | "person.updated" | "person.deactivated" | "person.reactivated" | "person.deleted";
/** The record after the change; of a deleted record its last state; null if it was purged */
record: Person | null;
/** The previous values of the changed fields; merged into the record, they give the previous record */
previous: {
/** Assigned by the server; UUID */
id?: string | undefined;
/** The name; 1 to 200 characters */
name?: string | undefined;
/** The e-mail address, unique ignoring case, to which invitations are sent, and by which the first sign-in at an identity provider finds the person; 1 to 254 characters */
email?: string | undefined;
status?: PersonStatus | undefined;
signInWay?: SignInWay | undefined;
/** The roles, each for everything or for some offices; the rights are those of all together; at most 20 of them */
grants?: Grant[] | undefined;
/** When the person was invited; RFC 3339 */
createdAt?: string | undefined;
/** Who invited the person; null if the service did, or if that key or person is gone */
createdBy?: Actor | null | undefined;
/** When anything in it last changed, except for lastSignedInAt; RFC 3339 */
updatedAt?: string | undefined;
/** When the person last signed in; null if never; RFC 3339 */
lastSignedInAt?: string | null | undefined;
};
};

/** One page of a list */
export type PersonPage = {
/** The records of this page; at most 200 of them */
items: Person[];
/** The way to the next page; absent on the last */
nextCursor?: string | undefined;
/** The way to the page before; absent on the first */
prevCursor?: string | undefined;
/** With includeTotal: how many records match */
total?: number | undefined;
};

/** What to change: JSON Merge Patch (RFC 7396); grants are replaced as a whole */
export type PersonPatch = {
/** The id of the record; UUID */
id: string;
/** The name; 1 to 200 characters */
name?: string | undefined;
/** The e-mail address, unique ignoring case, to which invitations are sent, and by which the first sign-in at an identity provider finds the person; 1 to 254 characters */
email?: string | undefined;
/** The roles, each for everything or for some offices; the rights are those of all together; 1 to 20 of them */
grants?: NewGrant[] | undefined;
};

/** Which records, in which order, and how many on a page */
export type PersonQuery = {
/** Records a page: 1 to 200; more is 200; at least 1 */
limit?: number | undefined;
/** Where to go on: `nextCursor` or `prevCursor` of a page, with the same filters, `sort` and `startAt`; 1 to 4000 characters */
cursor?: string | undefined;
/** Sent by the infinite queries of tRPC; `backward` requires a `prevCursor` as the cursor */
direction?: "forward" | "backward" | undefined;
/** Begin at the first record whose value of the sort is this one or comes after it in the order of the list: a time, or the beginning of a name; with a cursor, which page it is follows from the cursor; 1 to 255 characters */
startAt?: string | undefined;
/** The order, `-` for descending; the id breaks ties; "-createdAt" unless given */
sort?: "name" | "-name" | "createdAt" | "-createdAt" | undefined;
/** Without it people of every status are listed; repeated: any of them; 1 to 100 of them */
status?: PersonStatus | PersonStatus[] | undefined;
};

/** `invited` until the first sign-in, then `active`; `inactive` if the person may not sign in any more */
export type PersonStatus = "invited" | "active" | "inactive";

/** An error response (RFC 9457) */
export type Problem = {
/** The page of the error code */
type: string;
/** The error code in words */
title: string;
/** The HTTP status */
status: number;
/** What is wrong with this request */
detail: string;
/** The path of the request */
instance: string;
/** The error code; later releases may add codes */
code: ProblemCode;
/** The id of the request in the log of the service; the same as the X-Request-Id header */
requestId: string;
/** The errors of fields and parameters; at most 100 of a record, 1,000 in all; at most 1000 of them */
errors?: FieldError[] | undefined;
/** The number of errors that are not in `errors` */
errorsOmitted?: number | undefined;
/** With `version_conflict`: the current version of the record */
currentVersion?: number | undefined;
/** With `count_mismatch`: how many records the filter selects */
actualCount?: number | undefined;
/** With `record_merged`: the id of the record that it was merged into. With `email_taken` and `source_taken`: the id of the record that has the value because the record that had it was merged into it; UUID */
mergedInto?: string | undefined;
/** With `has_dependents`: the number of records of each kind that refer to this one. Only records that you can see are counted */
dependents?: Record<string, number> | undefined;
};

/** The error codes of the service */
export type ProblemCode = "bad_request" | "invalid_json" | "invalid_parameter" | "invalid_cursor" | "cursor_mismatch" | "sign_in_failed" | "invalid_logout_token" | "unauthenticated" | "sign_in_denied" | "insufficient_scope" | "not_found" | "no_such_route" | "method_not_allowed" | "request_timeout" | "email_taken" | "person_email_taken" | "last_admin" | "source_taken" | "office_inactive" | "office_cycle" | "too_many_agents" | "change_finished" | "key_revoked" | "link_unavailable" | "test_in_progress" | "limit_reached" | "idempotency_in_progress" | "count_mismatch" | "job_not_finished" | "import_unconfirmed" | "import_undone" | "has_dependents" | "record_merged" | "cursor_expired" | "version_conflict" | "payload_too_large" | "uri_too_long" | "unsupported_media_type" | "validation_failed" | "reference_not_found" | "idempotency_key_reused" | "version_required" | "rate_limited" | "headers_too_large" | "internal" | "not_implemented" | "timeout" | "overloaded" | "unavailable";

/** One change of a record */
export type RecordChange = {
/** The position of its event in the log; null in the moment before it has one */
position: number | null;
/** The version of the record after the change; of a deleted record its last version; of what is no record the number of its event */
version: number;
/** When it happened; RFC 3339 */
occurredAt: string;
/** The id of the key or the person that made the change; null if the service itself did; UUID */
actorId: string | null;
/** The same with the type and, for callers that may read it, the current name; null for a person who was deleted */
actor: Actor | null;
/** The X-Request-Id of the request */
requestId: string | null;
/** The reason given with the change */
reason: string | null;
/** What the change was part of, and between which offices an agent was transferred; null if nothing */
details: EventDetails | null;
type: RecordEventType;
/** The name of the actor; null for the service itself and ROSTER_ADMIN_KEY, and for callers that may not read it */
actorName: string | null;
/** The merge that it is part of, or takes back (`details.undoesMerge`); null without one */
merge: MergeOfChange | null;
/** What changed, without the id, the version and the times that the service sets; of a created record every field that has a value, of a deleted or restored one nothing; at most 1000 of them */
changes: FieldChange[];
};

/** What happened, to an office or an agent or a team. More types may be added: ignore those that you do not know. */
export type RecordEventType = "office.created" | "office.updated" | "office.deactivated" | "office.reactivated" | "office.deleted" | "office.restored" | "office.purged" | "office.license_expiring" | "office.change_failed" | "office.merged" | "agent.created" | "agent.updated" | "agent.deactivated" | "agent.reactivated" | "agent.deleted" | "agent.restored" | "agent.purged" | "agent.license_expiring" | "agent.change_failed" | "agent.merged" | "agent.transferred" | "team.created" | "team.updated" | "team.deactivated" | "team.reactivated" | "team.deleted" | "team.restored" | "team.purged" | "team.change_failed" | "team.merged";

/** Which version to go back to */
export type Revert = {
/** The id of the record; UUID */
id: string;
/** Reject the change if the record has another version; at least 1 */
ifVersion?: number | undefined;
/** Why; kept in the event, and of a deactivation as statusReason until the record is active again; at most 500 characters */
reason?: string | null | undefined;
/** The version whose values the record gets; at least 1 */
toVersion: number;
/** Revert these fields alone; without it all that callers can write; 1 to 100 of them */
fields?: string[] | undefined;
/** Keep the fields that have changed after this version. With `toVersion` as the version before it, the revert undoes this one change.; at least 1 */
keepChangesAfter?: number | undefined;
/** Check everything and answer what would change, but change nothing; false unless given */
dryRun?: boolean | undefined;
};

/** The agent after the call, and what the revert changed */
export type RevertedAgent = {
/** Given by the server: UUID, version 7 (RESO OfficeKey, MemberKey) */
id: string;
status: Status;
/** Why it was deactivated, if a reason was given; null when active */
statusReason: string | null;
/** When the status last changed, or the record was created; RFC 3339 */
statusChangedAt: string;
/** When it was deactivated; null when active; RFC 3339 */
deactivatedAt: string | null;
/** When the record was created (RESO OriginalEntryTimestamp); RFC 3339 */
createdAt: string;
/** When anything in it last changed (RESO ModificationTimestamp); RFC 3339 */
updatedAt: string;
/** From 1, one more with every change; the ETag is made of it */
version: number;
/** Given name (RESO MemberFirstName); 1 to 100 characters */
firstName: string;
/** Family name (RESO MemberLastName); 1 to 100 characters */
lastName: string;
/** Middle name (RESO MemberMiddleName); at most 100 characters */
middleName: string | null;
/** Nickname (RESO MemberNickname); at most 100 characters */
nickname: string | null;
/** Before the name (RESO MemberNamePrefix); at most 20 characters */
namePrefix: string | null;
/** After the name (RESO MemberNameSuffix); at most 20 characters */
nameSuffix: string | null;
/** The name to show (RESO MemberFullName) */
displayName: string;
/** Job title (RESO JobTitle); at most 100 characters */
title: string | null;
/** The kind of member (RESO MemberType); at most 50 characters */
type: string | null;
/** Offices the agent belongs to beside officeId, each at most once; one that becomes officeId is removed; at most 20 of them */
affiliations: Affiliation[];
/** E-mail; unique among agents, ignoring case (RESO MemberEmail); at most 254 characters */
email: string | null;
/** The telephone to call first (RESO MemberPreferredPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone: string | null;
/** Extension (RESO MemberPreferredPhoneExt); at most 10 characters */
phoneExt: string | null;
/** Mobile telephone (RESO MemberMobilePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
mobilePhone: string | null;
/** Direct line (RESO MemberDirectPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
directPhone: string | null;
/** Fax (RESO MemberFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax: string | null;
/** Number in the MLS (RESO MemberMlsId); at most 50 characters */
mlsId: string | null;
/** Number in the national association (RESO MemberNationalAssociationId); at most 50 characters */
nationalAssociationId: string | null;
/** Licences of the agent (RESO MemberStateLicense …); at most 50 of them */
licenses: License[];
/** The earliest last day of its licences, also if it has passed; null if none has one. Follows from licenses; YYYY-MM-DD */
nextLicenseExpiresOn: string | null;
/** Business address (RESO MemberAddress1, MemberCity …) */
address: Address | null;
/** Languages spoken, as BCP 47 tags (RESO MemberLanguages); at most 20 of them */
languages: string[];
/** Professional designations (RESO MemberDesignation); at most 30 of them */
designations: string[];
/** The agent this one assists (RESO MemberIsAssistantTo); UUID */
assistantToAgentId: string | null;
/** Website, http or https; at most 2048 characters */
website: string | null;
/** A portrait, http or https; at most 2048 characters */
photoUrl: string | null;
/** About the agent (RESO MemberBio); at most 4000 characters */
bio: string | null;
/** Where the record came from; unique together per collection */
source: Source | null;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata: Record<string, string>;
/** The changes that are scheduled, in the order of their times; at most 20 of them */
scheduledChanges: PendingChange[];
/** The office the agent works in (RESO OfficeKey); UUID */
officeId: string | null;
/** When officeId last changed; null when it never did (RESO MemberTransferDate); RFC 3339 */
transferredAt: string | null;
/** What the revert changed; with `dryRun` what it would change; at most 1000 of them */
changes: FieldChange[];
/** Fields that differ from that version and are kept: the `status`, which deactivate and reactivate change, and with `keepChangesAfter` the fields that have changed since. `before` is the current value.; at most 1000 of them */
notReverted: FieldChange[];
};

/** The office after the call, and what the revert changed */
export type RevertedOffice = {
/** Given by the server: UUID, version 7 (RESO OfficeKey, MemberKey) */
id: string;
status: Status;
/** Why it was deactivated, if a reason was given; null when active */
statusReason: string | null;
/** When the status last changed, or the record was created; RFC 3339 */
statusChangedAt: string;
/** When it was deactivated; null when active; RFC 3339 */
deactivatedAt: string | null;
/** When the record was created (RESO OriginalEntryTimestamp); RFC 3339 */
createdAt: string;
/** When anything in it last changed (RESO ModificationTimestamp); RFC 3339 */
updatedAt: string;
/** From 1, one more with every change; the ETag is made of it */
version: number;
/** The name people use (RESO OfficeName); 1 to 255 characters */
name: string;
/** The registered name, where it differs; at most 255 characters */
legalName: string | null;
/** Main office, branch or an office of its own (RESO OfficeBranchType) */
branchType: "main" | "branch" | "stand_alone" | null;
/** The kind of business (RESO OfficeType); at most 50 characters */
type: string | null;
/** The office it is a branch of, over no circle (RESO MainOfficeKey); UUID */
mainOfficeId: string | null;
/** The agent responsible by law (RESO OfficeBrokerKey); UUID */
brokerAgentId: string | null;
/** The agent who runs it (RESO OfficeManagerKey); UUID */
managerAgentId: string | null;
/** The franchise it belongs to (RESO FranchiseAffiliation); at most 100 characters */
franchise: string | null;
/** Its number in the MLS (RESO OfficeMlsId); at most 50 characters */
mlsId: string | null;
/** Its number in the national association (RESO OfficeNationalAssociationId); at most 50 characters */
nationalAssociationId: string | null;
/** Licences of the office (RESO OfficeCorporateLicense); at most 20 of them */
licenses: License[];
/** The earliest last day of its licences, also if it has passed; null if none has one. Follows from licenses; YYYY-MM-DD */
nextLicenseExpiresOn: string | null;
/** Telephone (RESO OfficePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone: string | null;
/** Extension (RESO OfficePhoneExt); at most 10 characters */
phoneExt: string | null;
/** Fax (RESO OfficeFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax: string | null;
/** E-mail (RESO OfficeEmail); at most 254 characters */
email: string | null;
/** Website, http or https; at most 2048 characters */
website: string | null;
/** Where it is (RESO OfficeAddress1, OfficeCity …) */
address: Address | null;
/** Where its post goes, if elsewhere (RESO OfficeMailAddress1 …) */
mailingAddress: Address | null;
/** IANA time zone; at most 64 characters */
timeZone: string | null;
/** About the office (RESO OfficeBio); at most 4000 characters */
bio: string | null;
/** Where the record came from; unique together per collection */
source: Source | null;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata: Record<string, string>;
/** The changes that are scheduled, in the order of their times; at most 20 of them */
scheduledChanges: PendingChange[];
/** What the revert changed; with `dryRun` what it would change; at most 1000 of them */
changes: FieldChange[];
/** Fields that differ from that version and are kept: the `status`, which deactivate and reactivate change, and with `keepChangesAfter` the fields that have changed since. `before` is the current value.; at most 1000 of them */
notReverted: FieldChange[];
};

/** The team after the call, and what the revert changed */
export type RevertedTeam = {
/** Given by the server: UUID, version 7 (RESO OfficeKey, MemberKey) */
id: string;
status: Status;
/** Why it was deactivated, if a reason was given; null when active */
statusReason: string | null;
/** When the status last changed, or the record was created; RFC 3339 */
statusChangedAt: string;
/** When it was deactivated; null when active; RFC 3339 */
deactivatedAt: string | null;
/** When the record was created (RESO OriginalEntryTimestamp); RFC 3339 */
createdAt: string;
/** When anything in it last changed (RESO ModificationTimestamp); RFC 3339 */
updatedAt: string;
/** From 1, one more with every change; the ETag is made of it */
version: number;
/** The name people use (RESO TeamName); 1 to 255 characters */
name: string;
/** About the team (RESO TeamDescription); at most 4000 characters */
description: string | null;
/** Its number in the MLS; at most 50 characters */
mlsId: string | null;
/** The office it belongs to, if it does; its members may be of others; UUID */
officeId: string | null;
/** The agents in it, in the order of their ids; at most one is the lead on a day (RESO TeamMembers, TeamLeadKey). An agent who is deactivated stays; one who is deleted leaves; at most 100 of them */
members: TeamMember[];
/** The telephone to call first (RESO TeamPreferredPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone: string | null;
/** Extension (RESO TeamPreferredPhoneExt); at most 10 characters */
phoneExt: string | null;
/** Telephone at the office (RESO TeamOfficePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
officePhone: string | null;
/** Extension at the office (RESO TeamOfficePhoneExt); at most 10 characters */
officePhoneExt: string | null;
/** Mobile telephone (RESO TeamMobilePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
mobilePhone: string | null;
/** Direct line (RESO TeamDirectPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
directPhone: string | null;
/** Telephone that costs callers nothing (RESO TeamTollFreePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
tollFreePhone: string | null;
/** Fax (RESO TeamFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax: string | null;
/** E-mail (RESO TeamEmail); at most 254 characters */
email: string | null;
/** Website, http or https; at most 2048 characters */
website: string | null;
/** Where it is in social networks (RESO SocialMedia); at most 10 of them */
socialLinks: string[];
/** Where it is, if not at its office (RESO TeamAddress1, TeamCity …) */
address: Address | null;
/** Where the record came from; unique together per collection */
source: Source | null;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata: Record<string, string>;
/** The changes that are scheduled, in the order of their times; at most 20 of them */
scheduledChanges: PendingChange[];
/** What the revert changed; with `dryRun` what it would change; at most 1000 of them */
changes: FieldChange[];
/** Fields that differ from that version and are kept: the `status`, which deactivate and reactivate change, and with `keepChangesAfter` the fields that have changed since. `before` is the current value.; at most 1000 of them */
notReverted: FieldChange[];
};

/** `viewer` reads; `editor` also changes records; `manager` also imports, changes many records, schedules changes and has webhooks; `admin` also has keys and people, and reads the status */
export type Role = "viewer" | "editor" | "manager" | "admin";

/** A server that runs on the same database */
export type RunningServer = {
/** One for each start of a server; UUID */
id: string;
/** The name of its machine or container */
host: string;
/** Its process id there */
pid: number;
/** Its version */
version: string;
/** When it started; RFC 3339 */
startedAt: string;
/** When it was last seen: a server that runs is seen every 5 seconds; RFC 3339 */
lastSeenAt: string;
};

/** A change of an office or an agent that happens at a time */
export type ScheduledChange = {
/** The id of the scheduled change; UUID */
id: string;
resource: ScheduledResource;
/** The id of the record that it changes; UUID */
subject: string;
change: ChangeKind;
/** When it happens; RFC 3339 */
effectiveAt: string;
/** Of a transfer: the new office; null of other changes; UUID */
officeId: string | null;
/** The reason given with it */
reason: string | null;
/** The key that scheduled it; UUID */
scheduledBy: string;
/** When it was scheduled; RFC 3339 */
scheduledAt: string;
/** Who scheduled it, with the current name for callers that may read it; null for a person who was deleted */
actor: Actor | null;
/** Whether the active agents of an office are deactivated with it */
cascade: boolean;
status: ScheduledChangeStatus;
/** When it was done, failed or was cancelled; null while it is pending; RFC 3339 */
finishedAt: string | null;
/** Why it failed: the error code; else null */
errorCode: string | null;
/** The same in words */
error: string | null;
};

/** One page of a list */
export type ScheduledChangePage = {
/** The records of this page; at most 200 of them */
items: ScheduledChange[];
/** The way to the next page; absent on the last */
nextCursor?: string | undefined;
/** The way to the page before; absent on the first */
prevCursor?: string | undefined;
/** With includeTotal: how many records match */
total?: number | undefined;
};

/** Which records, in which order, and how many on a page */
export type ScheduledChangeQuery = {
/** Records a page: 1 to 200; more is 200; at least 1 */
limit?: number | undefined;
/** Where to go on: `nextCursor` or `prevCursor` of a page, with the same filters, `sort` and `startAt`; 1 to 4000 characters */
cursor?: string | undefined;
/** Sent by the infinite queries of tRPC; `backward` requires a `prevCursor` as the cursor */
direction?: "forward" | "backward" | undefined;
/** Begin at the first record whose value of the sort is this one or comes after it in the order of the list: a time, or the beginning of a name; with a cursor, which page it is follows from the cursor; 1 to 255 characters */
startAt?: string | undefined;
/** The order, `-` for descending; the id breaks ties; "effectiveAt" unless given */
sort?: "effectiveAt" | "-effectiveAt" | "scheduledAt" | "-scheduledAt" | undefined;
/** The changes of this record; repeated: any of them; 1 to 100 of them */
subject?: string | string[] | undefined;
/** The changes of offices, or of agents; repeated: any of them; 1 to 100 of them */
resource?: ScheduledResource | ScheduledResource[] | undefined;
/** The transfers to this office; repeated: any of them; 1 to 100 of them */
officeId?: string | string[] | undefined;
/** Without it every status is listed; repeated: any of them; 1 to 100 of them */
status?: ScheduledChangeStatus | ScheduledChangeStatus[] | undefined;
/** Which change; repeated: any of them; 1 to 100 of them */
change?: ChangeKind | ChangeKind[] | undefined;
/** Happens at this time or later (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
effectiveSince?: string | undefined;
/** Happens before this time (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
effectiveBefore?: string | undefined;
};

/** Pending until its time; then done, or failed if a rule forbids it by then; cancelled by a caller, or because the record was deleted */
export type ScheduledChangeStatus = "pending" | "done" | "failed" | "cancelled";

/** Of which resource the record is */
export type ScheduledResource = "offices" | "agents" | "teams";

/** A permission of a key. More scopes may be added */
export type Scope = "offices:read" | "offices:write" | "agents:read" | "agents:write" | "teams:read" | "teams:write" | "events:read" | "webhooks:manage" | "keys:manage" | "people:manage" | "status:read";

/** How the service is, for those who operate it */
export type ServiceStatus = {
/** When it was read: responses can be a second old; RFC 3339 */
asOf: string;
server: AnsweringServer;
/** The servers that were seen in the last 15 seconds; at most 200 of them */
servers: RunningServer[];
database: DatabaseStatus;
/** What gives events their positions. Each server tries; a lock lets one at a time */
sequencer: {
/** The last position that an event has; at least 0 */
lastPosition: number;
/** Events without a position, counted up to 10,000; at least 0 */
waiting: number;
/** The age of the oldest of them; 0 if there is none; at least 0 */
oldestWaitingS: number;
};
/** Deliveries of webhooks */
deliveries: {
/** Deliveries to active webhooks that are not made yet; at least 0 */
pending: number;
/** Those of them whose time has come and that no server has taken; at least 0 */
due: number;
/** Those that a server is making; at least 0 */
inFlight: number;
/** For how long the oldest of those that are due has been; 0 if there is none; at least 0 */
oldestDueS: number;
/** Active webhooks whose last attempt failed; at least 0 */
failing: number;
/** Events that the active webhook furthest behind has not read; at least 0 */
unread: number;
};
/** Changes of many records */
jobs: {
/** Jobs that wait; at least 0 */
queued: number;
/** Jobs that run; at least 0 */
running: number;
/** For how long the oldest of those that wait has; 0 if there is none; at least 0 */
oldestQueuedS: number;
};
/** Scheduled changes */
scheduledChanges: {
/** Changes that have not happened, counted up to 10,000; at least 0 */
pending: number;
/** Those of them whose time has come; at least 0 */
due: number;
/** For how long the oldest of these has been due; 0 if there is none; at least 0 */
oldestDueS: number;
};
};

/** A session of a person or of a key, without its token */
export type Session = {
/** Assigned by the server; UUID */
id: string;
/** Who is signed in: the person, or the key whose rights it has */
owner: Actor;
method: SessionMethod;
/** What it was signed in with (User-Agent) */
client: string | null;
/** When the person or the key signed in. A session that a link opened has the time of the session that made the link; RFC 3339 */
signedInAt: string;
/** When the session began; RFC 3339 */
createdAt: string;
/** When it ends, however much it is used; RFC 3339 */
expiresAt: string;
/** When it was last used, to the minute; RFC 3339 */
lastUsedAt: string;
/** When it was ended before; null if it was not; RFC 3339 */
endedAt: string | null;
};

/** A change of a session */
export type SessionEvent = {
/** The position in the log, from 1; no event appears before it later */
position: number;
/** The id of the record; UUID */
subject: string;
/** The version of the record after the change; of a deleted record its last version; of what is no record the number of its event */
version: number;
/** When it happened; RFC 3339 */
occurredAt: string;
/** The id of the key or the person that made the change; null if the service itself did; UUID */
actorId: string | null;
/** The same with the type and, for callers that may read it, the current name; null for a person who was deleted */
actor: Actor | null;
/** The X-Request-Id of the request */
requestId: string | null;
/** The reason given with the change */
reason: string | null;
/** What the change was part of, and between which offices an agent was transferred; null if nothing */
details: EventDetails | null;
/** What happened. More types may be added: ignore those that you do not know. */
type: "session.created" | "session.ended";
/** The record after the change; of a deleted record its last state; null if it was purged */
record: Session | null;
/** The previous values of the changed fields; merged into the record, they give the previous record */
previous: {
/** Assigned by the server; UUID */
id?: string | undefined;
/** Who is signed in: the person, or the key whose rights it has */
owner?: Actor | undefined;
method?: SessionMethod | undefined;
/** What it was signed in with (User-Agent) */
client?: string | null | undefined;
/** When the person or the key signed in. A session that a link opened has the time of the session that made the link; RFC 3339 */
signedInAt?: string | undefined;
/** When the session began; RFC 3339 */
createdAt?: string | undefined;
/** When it ends, however much it is used; RFC 3339 */
expiresAt?: string | undefined;
/** When it was last used, to the minute; RFC 3339 */
lastUsedAt?: string | undefined;
/** When it was ended before; null if it was not; RFC 3339 */
endedAt?: string | null | undefined;
};
};

/** How it was signed in: at an identity provider, with a link of this service, with a key, or with a passkey */
export type SessionMethod = "oidc" | "link" | "key" | "passkey";

/** One page of a list */
export type SessionPage = {
/** The records of this page; at most 200 of them */
items: Session[];
/** The way to the next page; absent on the last */
nextCursor?: string | undefined;
/** The way to the page before; absent on the first */
prevCursor?: string | undefined;
/** With includeTotal: how many records match */
total?: number | undefined;
};

/** Which records, in which order, and how many on a page */
export type SessionQuery = {
/** Records a page: 1 to 200; more is 200; at least 1 */
limit?: number | undefined;
/** Where to go on: `nextCursor` or `prevCursor` of a page, with the same filters, `sort` and `startAt`; 1 to 4000 characters */
cursor?: string | undefined;
/** Sent by the infinite queries of tRPC; `backward` requires a `prevCursor` as the cursor */
direction?: "forward" | "backward" | undefined;
/** Begin at the first record whose value of the sort is this one or comes after it in the order of the list: a time, or the beginning of a name; with a cursor, which page it is follows from the cursor; 1 to 255 characters */
startAt?: string | undefined;
/** The order, `-` for descending; the id breaks ties; "-createdAt" unless given */
sort?: "createdAt" | "-createdAt" | undefined;
/** The sessions of this person, not your own: needs `people:manage`; UUID */
personId?: string | undefined;
/** The sessions of this key, not your own: needs `people:manage`; UUID */
keyId?: string | undefined;
};

/** How the person signs in now: at the identity provider, with a passkey, or, for the first time, with an invitation that is open; `none` if the person cannot sign in and needs an invitation */
export type SignInWay = "provider" | "passkey" | "invitation" | "none";

/** Where a record came from */
export type Source = {
/** The system (RESO OriginatingSystemName); 1 to 255 characters */
name: string;
/** The record's key there; 1 to 255 characters */
key: string;
};

/** The counts of the directory, of one snapshot */
export type Stats = {
/** The time of the snapshot in which everything was counted; RFC 3339 */
asOf: string;
/** The offices */
offices: {
/** Active offices */
active: number;
/** Inactive offices */
inactive: number;
/** By the country and region of the address, those with most offices first; at most 200 of them */
byRegion: ({
/** The country of the address */
country: string | null;
/** The region of the address */
region: string | null;
/** Active offices */
active: number;
/** Inactive offices */
inactive: number;
})[];
/** By month, the latest first; months without any are left out; at most 60 of them */
byMonth: ({
/** The month in UTC */
month: string;
/** offices that were created in it and are not deleted */
joined: number;
/** offices that were deactivated in it and are inactive */
left: number;
})[];
/** By the earliest last day of the licences */
licenses: {
/** offices whose nextLicenseExpiresOn is before today, by the date in UTC */
expired: number;
/** offices whose nextLicenseExpiresOn is today or one of the next 30 days */
next30Days: number;
/** The same for the next 60 days */
next60Days: number;
/** The same for the next 90 days */
next90Days: number;
};
};
/** The agents */
agents: {
/** Active agents */
active: number;
/** Inactive agents */
inactive: number;
/** Agents without a primary office, active and inactive */
withoutOffice: number;
/** By primary office, those with most agents first; at most 100 of them */
byOffice: ({
/** The primary office of the agents; UUID */
officeId: string;
/** The name of the office */
name: string;
/** Active agents */
active: number;
/** Inactive agents */
inactive: number;
})[];
/** By the country and region of the address, those with most agents first; at most 200 of them */
byRegion: ({
/** The country of the address */
country: string | null;
/** The region of the address */
region: string | null;
/** Active agents */
active: number;
/** Inactive agents */
inactive: number;
})[];
/** By month, the latest first; months without any are left out; at most 60 of them */
byMonth: ({
/** The month in UTC */
month: string;
/** agents that were created in it and are not deleted */
joined: number;
/** agents that were deactivated in it and are inactive */
left: number;
})[];
/** By the earliest last day of the licences */
licenses: {
/** agents whose nextLicenseExpiresOn is before today, by the date in UTC */
expired: number;
/** agents whose nextLicenseExpiresOn is today or one of the next 30 days */
next30Days: number;
/** The same for the next 60 days */
next60Days: number;
/** The same for the next 90 days */
next90Days: number;
};
};
/** The teams */
teams?: {
/** Active teams */
active: number;
/** Inactive teams */
inactive: number;
/** By the country and region of the address, those with most teams first; at most 200 of them */
byRegion: ({
/** The country of the address */
country: string | null;
/** The region of the address */
region: string | null;
/** Active teams */
active: number;
/** Inactive teams */
inactive: number;
})[];
/** By month, the latest first; months without any are left out; at most 60 of them */
byMonth: ({
/** The month in UTC */
month: string;
/** teams that were created in it and are not deleted */
joined: number;
/** teams that were deactivated in it and are inactive */
left: number;
})[];
} | undefined;
};

/** Active or inactive (RESO OfficeStatus, MemberStatus) */
export type Status = "active" | "inactive";

/** Why, and when; may be left out */
export type StatusChange = {
/** The id of the record; UUID */
id: string;
/** Reject the change if the record has another version; at least 1 */
ifVersion?: number | undefined;
/** Why; kept in the event, and of a deactivation as statusReason until the record is active again; at most 500 characters */
reason?: string | null | undefined;
/** When it happens (RFC 3339); now unless given, and if the time has passed */
effectiveAt?: string | undefined;
/** On which day it happens: at 00:00 in the time zone of the office concerned, or in UTC if there is none; YYYY-MM-DD */
effectiveOn?: string | undefined;
};

/** A team of agents */
export type Team = {
/** Given by the server: UUID, version 7 (RESO OfficeKey, MemberKey) */
id: string;
status: Status;
/** Why it was deactivated, if a reason was given; null when active */
statusReason: string | null;
/** When the status last changed, or the record was created; RFC 3339 */
statusChangedAt: string;
/** When it was deactivated; null when active; RFC 3339 */
deactivatedAt: string | null;
/** When the record was created (RESO OriginalEntryTimestamp); RFC 3339 */
createdAt: string;
/** When anything in it last changed (RESO ModificationTimestamp); RFC 3339 */
updatedAt: string;
/** From 1, one more with every change; the ETag is made of it */
version: number;
/** The name people use (RESO TeamName); 1 to 255 characters */
name: string;
/** About the team (RESO TeamDescription); at most 4000 characters */
description: string | null;
/** Its number in the MLS; at most 50 characters */
mlsId: string | null;
/** The office it belongs to, if it does; its members may be of others; UUID */
officeId: string | null;
/** The agents in it, in the order of their ids; at most one is the lead on a day (RESO TeamMembers, TeamLeadKey). An agent who is deactivated stays; one who is deleted leaves; at most 100 of them */
members: TeamMember[];
/** The telephone to call first (RESO TeamPreferredPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone: string | null;
/** Extension (RESO TeamPreferredPhoneExt); at most 10 characters */
phoneExt: string | null;
/** Telephone at the office (RESO TeamOfficePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
officePhone: string | null;
/** Extension at the office (RESO TeamOfficePhoneExt); at most 10 characters */
officePhoneExt: string | null;
/** Mobile telephone (RESO TeamMobilePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
mobilePhone: string | null;
/** Direct line (RESO TeamDirectPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
directPhone: string | null;
/** Telephone that costs callers nothing (RESO TeamTollFreePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
tollFreePhone: string | null;
/** Fax (RESO TeamFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax: string | null;
/** E-mail (RESO TeamEmail); at most 254 characters */
email: string | null;
/** Website, http or https; at most 2048 characters */
website: string | null;
/** Where it is in social networks (RESO SocialMedia); at most 10 of them */
socialLinks: string[];
/** Where it is, if not at its office (RESO TeamAddress1, TeamCity …) */
address: Address | null;
/** Where the record came from; unique together per collection */
source: Source | null;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata: Record<string, string>;
/** The changes that are scheduled, in the order of their times; at most 20 of them */
scheduledChanges: PendingChange[];
};

/** A change of all teams that a filter selects */
export type TeamBulk = {
/** Which records: the filters of the list, all of which must match. `q` finds the words themselves, never similar ones */
filter: {
/** Every word of it occurs in a name, the e-mail, the MLS id or the city, ignoring case, accents and punctuation; if no record has them, words with a typo or two. At most 8 words, not counting those that are repeated or contained in another. A telephone number of seven digits or more also finds the records with it, in whatever form either is; 1 to 200 characters */
q?: string | undefined;
/** Without it both states are listed; repeated: any of them; 1 to 100 of them */
status?: Status | Status[] | undefined;
/** Just these records; repeated: any of them; 1 to 200 of them */
ids?: string | string[] | undefined;
/** The e-mail, ignoring case; repeated: any of them; 1 to 100 of them */
email?: string | string[] | undefined;
/** The MLS id; repeated: any of them; 1 to 100 of them */
mlsId?: string | string[] | undefined;
/** The city of the address, ignoring case; repeated: any of them; 1 to 100 of them */
city?: string | string[] | undefined;
/** The region of the address, ignoring case; repeated: any of them; 1 to 100 of them */
region?: string | string[] | undefined;
/** The country of the address, ignoring case; repeated: any of them; 1 to 100 of them */
country?: string | string[] | undefined;
/** The system it came from; repeated: any of them; 1 to 100 of them */
sourceName?: string | string[] | undefined;
/** The record's key in that system; repeated: any of them; 1 to 100 of them */
sourceKey?: string | string[] | undefined;
/** Created at this time or later (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
createdSince?: string | undefined;
/** Created before this time (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
createdBefore?: string | undefined;
/** Last changed at this time or later (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
updatedSince?: string | undefined;
/** Last changed before this time (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
updatedBefore?: string | undefined;
/** Deactivated at this time or later (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
deactivatedSince?: string | undefined;
/** Teams of this office; repeated: any of them; 1 to 100 of them */
officeId?: string | string[] | undefined;
/** Teams that this agent is a member of; repeated: any of them; 1 to 100 of them */
agentId?: string | string[] | undefined;
/** This field is null, or an empty list; repeated: any of them; 1 to 100 of them */
empty?: "email" | "phone" | "mlsId" | "address" | "source" | "officeId" | ("email" | "phone" | "mlsId" | "address" | "source" | "officeId")[] | undefined;
/** This field has a value; repeated: any of them; 1 to 100 of them */
notEmpty?: "email" | "phone" | "mlsId" | "address" | "source" | "officeId" | ("email" | "phone" | "mlsId" | "address" | "source" | "officeId")[] | undefined;
/** Selects all records; required if there is no other filter, else not allowed */
all?: true | undefined;
};
/** What is done to each record */
change: {
/** Changes fields */
type: "update";
/** JSON Merge Patch (RFC 7396) for each record */
patch: {
/** The name people use (RESO TeamName); 1 to 255 characters */
name?: string | undefined;
/** About the team (RESO TeamDescription); at most 4000 characters */
description?: string | null | undefined;
/** Its number in the MLS; at most 50 characters */
mlsId?: string | null | undefined;
/** The office it belongs to, if it does; its members may be of others; UUID */
officeId?: string | null | undefined;
/** The agents in it, in the order of their ids; at most one is the lead on a day (RESO TeamMembers, TeamLeadKey). An agent who is deactivated stays; one who is deleted leaves; at most 100 of them */
members?: NewTeamMember[] | null | undefined;
/** The telephone to call first (RESO TeamPreferredPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone?: string | null | undefined;
/** Extension (RESO TeamPreferredPhoneExt); at most 10 characters */
phoneExt?: string | null | undefined;
/** Telephone at the office (RESO TeamOfficePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
officePhone?: string | null | undefined;
/** Extension at the office (RESO TeamOfficePhoneExt); at most 10 characters */
officePhoneExt?: string | null | undefined;
/** Mobile telephone (RESO TeamMobilePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
mobilePhone?: string | null | undefined;
/** Direct line (RESO TeamDirectPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
directPhone?: string | null | undefined;
/** Telephone that costs callers nothing (RESO TeamTollFreePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
tollFreePhone?: string | null | undefined;
/** Fax (RESO TeamFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax?: string | null | undefined;
/** E-mail (RESO TeamEmail); at most 254 characters */
email?: string | null | undefined;
/** Website, http or https; at most 2048 characters */
website?: string | null | undefined;
/** Where it is in social networks (RESO SocialMedia); at most 10 of them */
socialLinks?: string[] | null | undefined;
/** Where it is, if not at its office (RESO TeamAddress1, TeamCity …) */
address?: NewAddress | null | undefined;
/** Where the record came from; unique together per collection */
source?: {
/** The system (RESO OriginatingSystemName); 1 to 255 characters */
name?: string | null | undefined;
/** The record's key there; 1 to 255 characters */
key?: string | null | undefined;
} | null | undefined;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata?: Record<string, string | null> | null | undefined;
};
} | {
/** Deactivates; inactive records are left unchanged */
type: "deactivate";
} | {
/** Reactivates; active records are left unchanged */
type: "reactivate";
} | {
/** Deletes, if no other record refers to it */
type: "delete";
};
/** How many the filter selects: another number is rejected. Required unless `dryRun` is true; at most 1000000 */
expectedCount?: number | undefined;
/** Changes nothing: answers how many records match, and what would happen to the first 500 of them */
dryRun?: boolean | undefined;
/** Why; kept in the events, and of deactivations as statusReason until a record is active again; at most 500 characters */
reason?: string | null | undefined;
};

/** Two records that may be the same */
export type TeamDuplicate = {
/** Assigned by the server; UUID */
id: string;
/** The estimated probability that they are the same, from 0 to 1 */
score: number;
/** What they have in common; at most 20 of them */
reasons: DuplicateReason[];
/** When they were found; RFC 3339 */
foundAt: string;
/** Both records as they are now, in the order of their ids; 2 to 2 of them */
records: Team[];
/** When it was decided that they are not the same; null if it was not; RFC 3339 */
dismissedAt: string | null;
/** The reason that was given for that */
dismissalReason: string | null;
/** The id of the key or the person that decided it; UUID */
actorId: string | null;
/** The same with the type and, for callers that may read it, the current name; null for a person who was deleted */
actor: Actor | null;
};

/** One page of a list */
export type TeamDuplicatePage = {
/** The records of this page; at most 200 of them */
items: TeamDuplicate[];
/** The way to the next page; absent on the last */
nextCursor?: string | undefined;
/** The way to the page before; absent on the first */
prevCursor?: string | undefined;
/** With includeTotal: how many records match */
total?: number | undefined;
};

/** Which records, in which order, and how many on a page */
export type TeamDuplicateQuery = {
/** Records a page: 1 to 200; more is 200; at least 1 */
limit?: number | undefined;
/** Where to go on: `nextCursor` or `prevCursor` of a page, with the same filters, `sort` and `startAt`; 1 to 4000 characters */
cursor?: string | undefined;
/** Sent by the infinite queries of tRPC; `backward` requires a `prevCursor` as the cursor */
direction?: "forward" | "backward" | undefined;
/** The order, `-` for descending; the id breaks ties; "-score" unless given */
sort?: "-score" | "score" | "-foundAt" | "foundAt" | undefined;
/** The least score: 0.5, below which no pair is kept, to 1; 0.5 to 1 */
minScore?: number | undefined;
/** Pairs that have this in common; repeated: any of them; 1 to 100 of them */
kind?: DuplicateReasonKind | DuplicateReasonKind[] | undefined;
/** Pairs with a record of this office; repeated: any of them; 1 to 100 of them */
officeId?: string | string[] | undefined;
/** Pairs with this record; UUID */
recordId?: string | undefined;
/** `open` finds pairs that nobody has decided about, `dismissed` those that were decided not to be the same, `any` both; "open" unless given */
state?: "open" | "dismissed" | "any" | undefined;
/** Count all pairs that match, in the same snapshot as the page */
includeTotal?: boolean | undefined;
};

/** A change of a team */
export type TeamEvent = {
/** The position in the log, from 1; no event appears before it later */
position: number;
/** The id of the record; UUID */
subject: string;
/** The version of the record after the change; of a deleted record its last version; of what is no record the number of its event */
version: number;
/** When it happened; RFC 3339 */
occurredAt: string;
/** The id of the key or the person that made the change; null if the service itself did; UUID */
actorId: string | null;
/** The same with the type and, for callers that may read it, the current name; null for a person who was deleted */
actor: Actor | null;
/** The X-Request-Id of the request */
requestId: string | null;
/** The reason given with the change */
reason: string | null;
/** What the change was part of, and between which offices an agent was transferred; null if nothing */
details: EventDetails | null;
/** What happened. More types may be added: ignore those that you do not know. */
type: "team.created" | "team.updated" | "team.deactivated" | "team.reactivated" | "team.deleted" | "team.restored" | "team.purged" | "team.change_failed" | "team.merged";
/** The record after the change; of a deleted record its last state; null if it was purged */
record: Team | null;
/** The previous values of the changed fields; merged into the record, they give the previous record */
previous: {
/** Given by the server: UUID, version 7 (RESO OfficeKey, MemberKey) */
id?: string | undefined;
status?: Status | undefined;
/** Why it was deactivated, if a reason was given; null when active */
statusReason?: string | null | undefined;
/** When the status last changed, or the record was created; RFC 3339 */
statusChangedAt?: string | undefined;
/** When it was deactivated; null when active; RFC 3339 */
deactivatedAt?: string | null | undefined;
/** When the record was created (RESO OriginalEntryTimestamp); RFC 3339 */
createdAt?: string | undefined;
/** When anything in it last changed (RESO ModificationTimestamp); RFC 3339 */
updatedAt?: string | undefined;
/** From 1, one more with every change; the ETag is made of it */
version?: number | undefined;
/** The name people use (RESO TeamName); 1 to 255 characters */
name?: string | undefined;
/** About the team (RESO TeamDescription); at most 4000 characters */
description?: string | null | undefined;
/** Its number in the MLS; at most 50 characters */
mlsId?: string | null | undefined;
/** The office it belongs to, if it does; its members may be of others; UUID */
officeId?: string | null | undefined;
/** The agents in it, in the order of their ids; at most one is the lead on a day (RESO TeamMembers, TeamLeadKey). An agent who is deactivated stays; one who is deleted leaves; at most 100 of them */
members?: TeamMember[] | undefined;
/** The telephone to call first (RESO TeamPreferredPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone?: string | null | undefined;
/** Extension (RESO TeamPreferredPhoneExt); at most 10 characters */
phoneExt?: string | null | undefined;
/** Telephone at the office (RESO TeamOfficePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
officePhone?: string | null | undefined;
/** Extension at the office (RESO TeamOfficePhoneExt); at most 10 characters */
officePhoneExt?: string | null | undefined;
/** Mobile telephone (RESO TeamMobilePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
mobilePhone?: string | null | undefined;
/** Direct line (RESO TeamDirectPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
directPhone?: string | null | undefined;
/** Telephone that costs callers nothing (RESO TeamTollFreePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
tollFreePhone?: string | null | undefined;
/** Fax (RESO TeamFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax?: string | null | undefined;
/** E-mail (RESO TeamEmail); at most 254 characters */
email?: string | null | undefined;
/** Website, http or https; at most 2048 characters */
website?: string | null | undefined;
/** Where it is in social networks (RESO SocialMedia); at most 10 of them */
socialLinks?: string[] | undefined;
/** Where it is, if not at its office (RESO TeamAddress1, TeamCity …) */
address?: Address | null | undefined;
/** Where the record came from; unique together per collection */
source?: Source | null | undefined;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata?: Record<string, string> | undefined;
/** The changes that are scheduled, in the order of their times; at most 20 of them */
scheduledChanges?: PendingChange[] | undefined;
};
};

/** Teams to import */
export type TeamImport = {
/** The records, 1 to 500; a branch may stand before its main office; 1 to 500 of them */
records: ImportedTeam[];
/** `create`: every record is new. `upsert`: each names its `source`; a record that came from there is changed as by a merge patch (absent leaves, null clears), a new one is created. `match`: the same, and one without a `source` is matched by its e-mail address (an office: by e-mail address and name, where one office alone has both), else created; "create" unless given */
mode?: "create" | "upsert" | "match" | undefined;
/** All or nothing; if false, the valid records are written, and the status is 207 if others are rejected; true unless given */
isAtomic?: boolean | undefined;
/** Whether a record that was matched by its e-mail address alone may get another name; if false, that is an error of the record (`name_differs`). Case, accents and white space make no other name; false unless given */
acceptRenames?: boolean | undefined;
/** Answer what would happen, and change nothing; false unless given */
dryRun?: boolean | undefined;
};

/** A record that a new one looks like, and why */
export type TeamLookAlike = {
/** The estimated probability that they are the same, from 0 to 1 */
score: number;
/** What they have in common; at most 20 of them */
reasons: DuplicateReason[];
record: Team;
};

/** The records that a new one looks like */
export type TeamLookAlikes = {
/** The most probable first; empty if it looks like none; at most 5 of them */
lookAlikes: TeamLookAlike[];
};

/** An agent in a team (RESO TeamMembers) */
export type TeamMember = {
/** The agent; each at most once (RESO MemberKey); UUID */
agentId: string;
/** What the agent does there (RESO TeamMemberType): `lead` is Team Lead, `member` Team Member, `assistant` Administration Assistant, `coordinator` Transaction Coordinator, the others have their names; at most one is the lead on a day */
role: "lead" | "member" | "assistant" | "buyer_agent" | "listing_agent" | "showing_agent" | "lead_manager" | "marketing_assistant" | "operations_manager" | "coordinator";
/** What the agent is called there (RESO JobTitle); at most 100 characters */
title: string | null;
/** The first day in the team, if known; YYYY-MM-DD */
since: string | null;
/** The last day in the team, if known; YYYY-MM-DD */
until: string | null;
};

/** What the agent is in the team; what is absent is null, and the role `member` */
export type TeamMemberChange = {
/** The id of the record; UUID */
id: string;
/** Reject the change if the record has another version; at least 1 */
ifVersion?: number | undefined;
/** The agent; UUID */
agentId: string;
/** What the agent does there (RESO TeamMemberType): `lead` is Team Lead, `member` Team Member, `assistant` Administration Assistant, `coordinator` Transaction Coordinator, the others have their names; at most one is the lead on a day; "member" unless given */
role?: "lead" | "member" | "assistant" | "buyer_agent" | "listing_agent" | "showing_agent" | "lead_manager" | "marketing_assistant" | "operations_manager" | "coordinator" | undefined;
/** What the agent is called there (RESO JobTitle); at most 100 characters */
title?: string | null | undefined;
/** The first day in the team, if known; YYYY-MM-DD */
since?: string | null | undefined;
/** The last day in the team, if known; YYYY-MM-DD */
until?: string | null | undefined;
};

/** The merge of all pairs of teams from a score on */
export type TeamMerges = {
/** Which pairs: the filters of their list. Those that were decided not to be the same are none */
filter: {
/** The least score, from 0.5 to 1, when the job is accepted and when a pair is merged */
minScore: number;
/** Pairs that have this in common; repeated: any of them; 1 to 100 of them */
kind?: DuplicateReasonKind | DuplicateReasonKind[] | undefined;
/** Pairs with a record of this office; repeated: any of them; 1 to 100 of them */
officeId?: string | string[] | undefined;
/** Pairs with this record; UUID */
recordId?: string | undefined;
};
/** How many the filter selects: another number is rejected. Required unless `dryRun` is true; at most 1000000 */
expectedCount?: number | undefined;
/** Changes nothing: answers how many pairs there are, and what would become of the first 50 */
dryRun?: boolean | undefined;
/** Why; kept in the events, and of deactivations as statusReason until a record is active again; at most 500 characters */
reason?: string | null | undefined;
};

/** One page of a list */
export type TeamPage = {
/** The records of this page; at most 200 of them */
items: ListedTeam[];
/** The way to the next page; absent on the last */
nextCursor?: string | undefined;
/** The way to the page before; absent on the first */
prevCursor?: string | undefined;
/** With includeTotal: how many records match */
total?: number | undefined;
/** True if no record has the words of q, and these have similar ones */
isSimilar?: boolean | undefined;
/** With highlight: where q was found, for each item in their order; at most 200 of them */
highlights?: (Highlight[])[] | undefined;
};

/** What to change: JSON Merge Patch (RFC 7396) */
export type TeamPatch = {
/** The id of the record; UUID */
id: string;
/** Reject the change if the record has another version; at least 1 */
ifVersion?: number | undefined;
/** The name people use (RESO TeamName); 1 to 255 characters */
name?: string | undefined;
/** About the team (RESO TeamDescription); at most 4000 characters */
description?: string | null | undefined;
/** Its number in the MLS; at most 50 characters */
mlsId?: string | null | undefined;
/** The office it belongs to, if it does; its members may be of others; UUID */
officeId?: string | null | undefined;
/** The agents in it, in the order of their ids; at most one is the lead on a day (RESO TeamMembers, TeamLeadKey). An agent who is deactivated stays; one who is deleted leaves; at most 100 of them */
members?: NewTeamMember[] | null | undefined;
/** The telephone to call first (RESO TeamPreferredPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone?: string | null | undefined;
/** Extension (RESO TeamPreferredPhoneExt); at most 10 characters */
phoneExt?: string | null | undefined;
/** Telephone at the office (RESO TeamOfficePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
officePhone?: string | null | undefined;
/** Extension at the office (RESO TeamOfficePhoneExt); at most 10 characters */
officePhoneExt?: string | null | undefined;
/** Mobile telephone (RESO TeamMobilePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
mobilePhone?: string | null | undefined;
/** Direct line (RESO TeamDirectPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
directPhone?: string | null | undefined;
/** Telephone that costs callers nothing (RESO TeamTollFreePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
tollFreePhone?: string | null | undefined;
/** Fax (RESO TeamFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax?: string | null | undefined;
/** E-mail (RESO TeamEmail); at most 254 characters */
email?: string | null | undefined;
/** Website, http or https; at most 2048 characters */
website?: string | null | undefined;
/** Where it is in social networks (RESO SocialMedia); at most 10 of them */
socialLinks?: string[] | null | undefined;
/** Where it is, if not at its office (RESO TeamAddress1, TeamCity …) */
address?: NewAddress | null | undefined;
/** Where the record came from; unique together per collection */
source?: {
/** The system (RESO OriginatingSystemName); 1 to 255 characters */
name?: string | null | undefined;
/** The record's key there; 1 to 255 characters */
key?: string | null | undefined;
} | null | undefined;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata?: Record<string, string | null> | null | undefined;
};

/** Which records, in which order, and how many on a page */
export type TeamQuery = {
/** Records a page: 1 to 200; more is 200; at least 1 */
limit?: number | undefined;
/** Where to go on: `nextCursor` or `prevCursor` of a page, with the same filters, `sort` and `startAt`; 1 to 4000 characters */
cursor?: string | undefined;
/** Sent by the infinite queries of tRPC; `backward` requires a `prevCursor` as the cursor */
direction?: "forward" | "backward" | undefined;
/** Begin at the first record whose value of the sort is this one or comes after it in the order of the list: a time, or the beginning of a name; with a cursor, which page it is follows from the cursor; 1 to 255 characters */
startAt?: string | undefined;
/** Count all records that match, in the same snapshot as the page */
includeTotal?: boolean | undefined;
/** Say in `highlights` where in each record q was found */
highlight?: boolean | undefined;
/** Every word of it occurs in a name, the e-mail, the MLS id or the city, ignoring case, accents and punctuation; if no record has them, words with a typo or two. At most 8 words, not counting those that are repeated or contained in another. A telephone number of seven digits or more also finds the records with it, in whatever form either is; 1 to 200 characters */
q?: string | undefined;
/** Without it both states are listed; repeated: any of them; 1 to 100 of them */
status?: Status | Status[] | undefined;
/** Just these records; repeated: any of them; 1 to 200 of them */
ids?: string | string[] | undefined;
/** The e-mail, ignoring case; repeated: any of them; 1 to 100 of them */
email?: string | string[] | undefined;
/** The MLS id; repeated: any of them; 1 to 100 of them */
mlsId?: string | string[] | undefined;
/** The city of the address, ignoring case; repeated: any of them; 1 to 100 of them */
city?: string | string[] | undefined;
/** The region of the address, ignoring case; repeated: any of them; 1 to 100 of them */
region?: string | string[] | undefined;
/** The country of the address, ignoring case; repeated: any of them; 1 to 100 of them */
country?: string | string[] | undefined;
/** The system it came from; repeated: any of them; 1 to 100 of them */
sourceName?: string | string[] | undefined;
/** The record's key in that system; repeated: any of them; 1 to 100 of them */
sourceKey?: string | string[] | undefined;
/** Created at this time or later (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
createdSince?: string | undefined;
/** Created before this time (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
createdBefore?: string | undefined;
/** Last changed at this time or later (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
updatedSince?: string | undefined;
/** Last changed before this time (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
updatedBefore?: string | undefined;
/** Deactivated at this time or later (RFC 3339, or a duration from now such as `P7D` or `-PT12H`) */
deactivatedSince?: string | undefined;
/** The order, `-` for descending; the id breaks ties. `relevance` requires q: the best match first, of 200 at most; "-createdAt" unless given */
sort?: "name" | "-name" | "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt" | "relevance" | undefined;
/** Embed a summary of the agent in each member */
expand?: "members" | undefined;
/** Teams of this office; repeated: any of them; 1 to 100 of them */
officeId?: string | string[] | undefined;
/** Teams that this agent is a member of; repeated: any of them; 1 to 100 of them */
agentId?: string | string[] | undefined;
/** This field is null, or an empty list; repeated: any of them; 1 to 100 of them */
empty?: "email" | "phone" | "mlsId" | "address" | "source" | "officeId" | ("email" | "phone" | "mlsId" | "address" | "source" | "officeId")[] | undefined;
/** This field has a value; repeated: any of them; 1 to 100 of them */
notEmpty?: "email" | "phone" | "mlsId" | "address" | "source" | "officeId" | ("email" | "phone" | "mlsId" | "address" | "source" | "officeId")[] | undefined;
};

/** Why; may be left out */
export type Transition = {
/** The id of the record; UUID */
id: string;
/** Reject the change if the record has another version; at least 1 */
ifVersion?: number | undefined;
/** Why; kept in the event, and of a deactivation as statusReason until the record is active again; at most 500 characters */
reason?: string | null | undefined;
};

/** Why; may be left out */
export type Unmerge = {
/** The record that was merged into another one; UUID */
id: string;
/** Why; kept in the event, and of a deactivation as statusReason until the record is active again; at most 500 characters */
reason?: string | null | undefined;
/** Check everything and answer what would result, but change nothing; false unless given */
dryRun?: boolean | undefined;
};

/** A record whose merge was undone */
export type UnmergedAgent = {
/** Given by the server: UUID, version 7 (RESO OfficeKey, MemberKey) */
id: string;
status: Status;
/** Why it was deactivated, if a reason was given; null when active */
statusReason: string | null;
/** When the status last changed, or the record was created; RFC 3339 */
statusChangedAt: string;
/** When it was deactivated; null when active; RFC 3339 */
deactivatedAt: string | null;
/** When the record was created (RESO OriginalEntryTimestamp); RFC 3339 */
createdAt: string;
/** When anything in it last changed (RESO ModificationTimestamp); RFC 3339 */
updatedAt: string;
/** From 1, one more with every change; the ETag is made of it */
version: number;
/** Given name (RESO MemberFirstName); 1 to 100 characters */
firstName: string;
/** Family name (RESO MemberLastName); 1 to 100 characters */
lastName: string;
/** Middle name (RESO MemberMiddleName); at most 100 characters */
middleName: string | null;
/** Nickname (RESO MemberNickname); at most 100 characters */
nickname: string | null;
/** Before the name (RESO MemberNamePrefix); at most 20 characters */
namePrefix: string | null;
/** After the name (RESO MemberNameSuffix); at most 20 characters */
nameSuffix: string | null;
/** The name to show (RESO MemberFullName) */
displayName: string;
/** Job title (RESO JobTitle); at most 100 characters */
title: string | null;
/** The kind of member (RESO MemberType); at most 50 characters */
type: string | null;
/** Offices the agent belongs to beside officeId, each at most once; one that becomes officeId is removed; at most 20 of them */
affiliations: Affiliation[];
/** E-mail; unique among agents, ignoring case (RESO MemberEmail); at most 254 characters */
email: string | null;
/** The telephone to call first (RESO MemberPreferredPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone: string | null;
/** Extension (RESO MemberPreferredPhoneExt); at most 10 characters */
phoneExt: string | null;
/** Mobile telephone (RESO MemberMobilePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
mobilePhone: string | null;
/** Direct line (RESO MemberDirectPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
directPhone: string | null;
/** Fax (RESO MemberFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax: string | null;
/** Number in the MLS (RESO MemberMlsId); at most 50 characters */
mlsId: string | null;
/** Number in the national association (RESO MemberNationalAssociationId); at most 50 characters */
nationalAssociationId: string | null;
/** Licences of the agent (RESO MemberStateLicense …); at most 50 of them */
licenses: License[];
/** The earliest last day of its licences, also if it has passed; null if none has one. Follows from licenses; YYYY-MM-DD */
nextLicenseExpiresOn: string | null;
/** Business address (RESO MemberAddress1, MemberCity …) */
address: Address | null;
/** Languages spoken, as BCP 47 tags (RESO MemberLanguages); at most 20 of them */
languages: string[];
/** Professional designations (RESO MemberDesignation); at most 30 of them */
designations: string[];
/** The agent this one assists (RESO MemberIsAssistantTo); UUID */
assistantToAgentId: string | null;
/** Website, http or https; at most 2048 characters */
website: string | null;
/** A portrait, http or https; at most 2048 characters */
photoUrl: string | null;
/** About the agent (RESO MemberBio); at most 4000 characters */
bio: string | null;
/** Where the record came from; unique together per collection */
source: Source | null;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata: Record<string, string>;
/** The changes that are scheduled, in the order of their times; at most 20 of them */
scheduledChanges: PendingChange[];
/** The office the agent works in (RESO OfficeKey); UUID */
officeId: string | null;
/** When officeId last changed; null when it never did (RESO MemberTransferDate); RFC 3339 */
transferredAt: string | null;
/** The record that it was merged into; UUID */
survivorId: string;
/** What stays as it is, because it was changed since, in the records that you can see; at most 100000 of them */
conflicts: MergeConflict[];
notReturned: NotReturned;
};

/** A record whose merge was undone */
export type UnmergedOffice = {
/** Given by the server: UUID, version 7 (RESO OfficeKey, MemberKey) */
id: string;
status: Status;
/** Why it was deactivated, if a reason was given; null when active */
statusReason: string | null;
/** When the status last changed, or the record was created; RFC 3339 */
statusChangedAt: string;
/** When it was deactivated; null when active; RFC 3339 */
deactivatedAt: string | null;
/** When the record was created (RESO OriginalEntryTimestamp); RFC 3339 */
createdAt: string;
/** When anything in it last changed (RESO ModificationTimestamp); RFC 3339 */
updatedAt: string;
/** From 1, one more with every change; the ETag is made of it */
version: number;
/** The name people use (RESO OfficeName); 1 to 255 characters */
name: string;
/** The registered name, where it differs; at most 255 characters */
legalName: string | null;
/** Main office, branch or an office of its own (RESO OfficeBranchType) */
branchType: "main" | "branch" | "stand_alone" | null;
/** The kind of business (RESO OfficeType); at most 50 characters */
type: string | null;
/** The office it is a branch of, over no circle (RESO MainOfficeKey); UUID */
mainOfficeId: string | null;
/** The agent responsible by law (RESO OfficeBrokerKey); UUID */
brokerAgentId: string | null;
/** The agent who runs it (RESO OfficeManagerKey); UUID */
managerAgentId: string | null;
/** The franchise it belongs to (RESO FranchiseAffiliation); at most 100 characters */
franchise: string | null;
/** Its number in the MLS (RESO OfficeMlsId); at most 50 characters */
mlsId: string | null;
/** Its number in the national association (RESO OfficeNationalAssociationId); at most 50 characters */
nationalAssociationId: string | null;
/** Licences of the office (RESO OfficeCorporateLicense); at most 20 of them */
licenses: License[];
/** The earliest last day of its licences, also if it has passed; null if none has one. Follows from licenses; YYYY-MM-DD */
nextLicenseExpiresOn: string | null;
/** Telephone (RESO OfficePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone: string | null;
/** Extension (RESO OfficePhoneExt); at most 10 characters */
phoneExt: string | null;
/** Fax (RESO OfficeFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax: string | null;
/** E-mail (RESO OfficeEmail); at most 254 characters */
email: string | null;
/** Website, http or https; at most 2048 characters */
website: string | null;
/** Where it is (RESO OfficeAddress1, OfficeCity …) */
address: Address | null;
/** Where its post goes, if elsewhere (RESO OfficeMailAddress1 …) */
mailingAddress: Address | null;
/** IANA time zone; at most 64 characters */
timeZone: string | null;
/** About the office (RESO OfficeBio); at most 4000 characters */
bio: string | null;
/** Where the record came from; unique together per collection */
source: Source | null;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata: Record<string, string>;
/** The changes that are scheduled, in the order of their times; at most 20 of them */
scheduledChanges: PendingChange[];
/** The record that it was merged into; UUID */
survivorId: string;
/** What stays as it is, because it was changed since, in the records that you can see; at most 100000 of them */
conflicts: MergeConflict[];
notReturned: NotReturned;
};

/** A record whose merge was undone */
export type UnmergedTeam = {
/** Given by the server: UUID, version 7 (RESO OfficeKey, MemberKey) */
id: string;
status: Status;
/** Why it was deactivated, if a reason was given; null when active */
statusReason: string | null;
/** When the status last changed, or the record was created; RFC 3339 */
statusChangedAt: string;
/** When it was deactivated; null when active; RFC 3339 */
deactivatedAt: string | null;
/** When the record was created (RESO OriginalEntryTimestamp); RFC 3339 */
createdAt: string;
/** When anything in it last changed (RESO ModificationTimestamp); RFC 3339 */
updatedAt: string;
/** From 1, one more with every change; the ETag is made of it */
version: number;
/** The name people use (RESO TeamName); 1 to 255 characters */
name: string;
/** About the team (RESO TeamDescription); at most 4000 characters */
description: string | null;
/** Its number in the MLS; at most 50 characters */
mlsId: string | null;
/** The office it belongs to, if it does; its members may be of others; UUID */
officeId: string | null;
/** The agents in it, in the order of their ids; at most one is the lead on a day (RESO TeamMembers, TeamLeadKey). An agent who is deactivated stays; one who is deleted leaves; at most 100 of them */
members: TeamMember[];
/** The telephone to call first (RESO TeamPreferredPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
phone: string | null;
/** Extension (RESO TeamPreferredPhoneExt); at most 10 characters */
phoneExt: string | null;
/** Telephone at the office (RESO TeamOfficePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
officePhone: string | null;
/** Extension at the office (RESO TeamOfficePhoneExt); at most 10 characters */
officePhoneExt: string | null;
/** Mobile telephone (RESO TeamMobilePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
mobilePhone: string | null;
/** Direct line (RESO TeamDirectPhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
directPhone: string | null;
/** Telephone that costs callers nothing (RESO TeamTollFreePhone); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
tollFreePhone: string | null;
/** Fax (RESO TeamFax); a new value becomes E.164, by the country of the address unless it begins with +; at most 32 characters */
fax: string | null;
/** E-mail (RESO TeamEmail); at most 254 characters */
email: string | null;
/** Website, http or https; at most 2048 characters */
website: string | null;
/** Where it is in social networks (RESO SocialMedia); at most 10 of them */
socialLinks: string[];
/** Where it is, if not at its office (RESO TeamAddress1, TeamCity …) */
address: Address | null;
/** Where the record came from; unique together per collection */
source: Source | null;
/** Up to 50 pairs of the caller's own; a merge patch changes the pairs it names */
metadata: Record<string, string>;
/** The changes that are scheduled, in the order of their times; at most 20 of them */
scheduledChanges: PendingChange[];
/** The record that it was merged into; UUID */
survivorId: string;
/** What stays as it is, because it was changed since, in the records that you can see; at most 100000 of them */
conflicts: MergeConflict[];
notReturned: NotReturned;
};

/** A saved view of a list */
export type View = {
/** Assigned by the server; UUID */
id: string;
/** The name, which need not be unique; 1 to 200 characters */
name: string;
resource: ViewResource;
/** Whether everyone who may read the resource sees it; a private one only its owner does. Only the owner can change this */
isShared: boolean;
/** The parameters of the list, without `limit`, `cursor`, `startAt` and what the response shows (`includeTotal`, `highlight`, `expand`); stored as given */
query: Record<string, string | string[]>;
/** The columns in their order; empty for those that the page shows without a view; at most 60 of them */
columns: ViewColumn[];
/** The owner: the key or the person that made it; null if the person is gone, or is not for the reader to see */
createdBy: Actor | null;
/** From 1, one more with every change; the ETag is made of it */
version: number;
/** When it was created; RFC 3339 */
createdAt: string;
/** When anything in it last changed; RFC 3339 */
updatedAt: string;
};

/** A column of a view */
export type ViewColumn = {
/** The field that it shows, by its path; 1 to 100 characters */
name: string;
/** Its width in pixels; 1 to 4000 */
width?: number | undefined;
/** Whether it is not shown */
isHidden?: boolean | undefined;
};

/** One page of a list */
export type ViewPage = {
/** The records of this page; at most 200 of them */
items: View[];
/** The way to the next page; absent on the last */
nextCursor?: string | undefined;
/** The way to the page before; absent on the first */
prevCursor?: string | undefined;
/** With includeTotal: how many records match */
total?: number | undefined;
};

/** What to change: JSON Merge Patch (RFC 7396); columns are replaced as a whole */
export type ViewPatch = {
/** The id of the record; UUID */
id: string;
/** Reject the change if the record has another version; at least 1 */
ifVersion?: number | undefined;
/** The name, which need not be unique; 1 to 200 characters */
name?: string | undefined;
/** Whether everyone who may read the resource sees it; a private one only its owner does. Only the owner can change this */
isShared?: boolean | undefined;
/** The parameters to set; null removes one */
query?: Record<string, string | string[] | null> | undefined;
/** The columns in their order; empty for those that the page shows without a view; at most 60 of them */
columns?: NewViewColumn[] | undefined;
};

/** Which records, in which order, and how many on a page */
export type ViewQuery = {
/** Records a page: 1 to 200; more is 200; at least 1 */
limit?: number | undefined;
/** Where to go on: `nextCursor` or `prevCursor` of a page, with the same filters, `sort` and `startAt`; 1 to 4000 characters */
cursor?: string | undefined;
/** Sent by the infinite queries of tRPC; `backward` requires a `prevCursor` as the cursor */
direction?: "forward" | "backward" | undefined;
/** Begin at the first record whose value of the sort is this one or comes after it in the order of the list: a time, or the beginning of a name; with a cursor, which page it is follows from the cursor; 1 to 255 characters */
startAt?: string | undefined;
/** The order, `-` for descending; the id breaks ties; "-createdAt" unless given */
sort?: "name" | "-name" | "createdAt" | "-createdAt" | undefined;
/** Views of these lists; without it of all that the caller may read; repeated: any of them; 1 to 100 of them */
resource?: ViewResource | ViewResource[] | undefined;
/** Only shared views, or only private ones */
isShared?: boolean | undefined;
};

/** The list that it is a view of */
export type ViewResource = "offices" | "agents" | "teams";

/** A URL that receives events */
export type Webhook = {
/** Assigned by the server; UUID */
id: string;
/** Where messages are sent: an https URL without credentials, whose host is public (a setting of the service allows plain http and private networks); 1 to 2048 characters */
url: string;
/** What the webhook is for; at most 500 characters */
description: string | null;
/** The types of events that it receives; null for all; 1 to 50 of them */
types: RecordEventType[] | null;
/** The offices whose events it receives, with their branches; null for all. A caller that is limited to some offices may give those alone; 1 to 100 of them */
officeIds: string[] | null;
status: WebhookStatus;
/** Why the service disabled it: the receiver answered 410 */
statusReason: string | null;
/** When it was last disabled or made active; RFC 3339 */
statusChangedAt: string;
/** Since when all attempts have failed; null if the last one succeeded; RFC 3339 */
failingSince: string | null;
/** Since when every attempt has taken more than a second; null if the last one was quicker; RFC 3339 */
slowSince: string | null;
/** Until when no attempt is made because the receiver sent Retry-After; else null; RFC 3339 */
pausedUntil: string | null;
/** The position in the event log up to which it has deliveries */
readTo: number;
/** When it was created; RFC 3339 */
createdAt: string;
/** The key or the person that created it; null if the service did, if that person is gone, or before this was recorded */
createdBy: {
/** A key or a person */
type: "key" | "person";
/** The id of the key or of the person; UUID */
id: string;
/** The current name */
name: string | null;
/** The id of the key; null if a person created it; UUID */
keyId: string | null;
/** The current name of the key; null if a person created it */
keyName: string | null;
} | null;
/** When it was last changed by a caller; RFC 3339 */
updatedAt: string;
};

/** The result of sending one message once */
export type WebhookAttempt = {
/** When it started; RFC 3339 */
at: string;
/** The status of the response; null without one */
status: number | null;
/** The duration in milliseconds */
durationMs: number;
/** Why the delivery failed; null if it succeeded */
error: string | null;
/** The first 500 characters of the response body */
body: string | null;
};

/** The delivery of one event to one webhook */
export type WebhookDelivery = {
/** Assigned by the server; UUID */
id: string;
/** The `webhook-id` of the message: the same in every attempt and every replay */
messageId: string;
/** The position of the event */
position: number;
/** The type of the event */
type: string;
/** The id of the record; UUID */
subject: string;
status: WebhookDeliveryStatus;
/** The attempts so far, oldest first; at most 10 of them */
attempts: WebhookAttempt[];
/** The time of the next or the running attempt; null if it is finished; RFC 3339 */
nextAttemptAt: string | null;
/** When it was created; RFC 3339 */
createdAt: string;
/** When it was delivered, failed or was superseded; null while it is pending; RFC 3339 */
finishedAt: string | null;
};

/** One page of a list */
export type WebhookDeliveryPage = {
/** The records of this page; at most 200 of them */
items: WebhookDelivery[];
/** The way to the next page; absent on the last */
nextCursor?: string | undefined;
/** The way to the page before; absent on the first */
prevCursor?: string | undefined;
/** With includeTotal: how many records match */
total?: number | undefined;
};

/** Which records, in which order, and how many on a page */
export type WebhookDeliveryQuery = {
/** The id of the record; UUID */
id: string;
/** Records a page: 1 to 200; more is 200; at least 1 */
limit?: number | undefined;
/** Where to go on: `nextCursor` or `prevCursor` of a page, with the same filters, `sort` and `startAt`; 1 to 4000 characters */
cursor?: string | undefined;
/** Sent by the infinite queries of tRPC; `backward` requires a `prevCursor` as the cursor */
direction?: "forward" | "backward" | undefined;
/** Begin at the first record whose value of the sort is this one or comes after it in the order of the list: a time, or the beginning of a name; with a cursor, which page it is follows from the cursor; 1 to 255 characters */
startAt?: string | undefined;
/** Only deliveries with this status; repeated: any of them; 1 to 100 of them */
status?: WebhookDeliveryStatus | WebhookDeliveryStatus[] | undefined;
};

/** Pending until it is delivered or all attempts have failed; superseded if a replay, or a newer event of its record in the compacted log, replaces it, or if its event is of an office that the webhook no longer has */
export type WebhookDeliveryStatus = "pending" | "delivered" | "failed" | "superseded";

/** A change of a webhook */
export type WebhookEvent = {
/** The position in the log, from 1; no event appears before it later */
position: number;
/** The id of the record; UUID */
subject: string;
/** The version of the record after the change; of a deleted record its last version; of what is no record the number of its event */
version: number;
/** When it happened; RFC 3339 */
occurredAt: string;
/** The id of the key or the person that made the change; null if the service itself did; UUID */
actorId: string | null;
/** The same with the type and, for callers that may read it, the current name; null for a person who was deleted */
actor: Actor | null;
/** The X-Request-Id of the request */
requestId: string | null;
/** The reason given with the change */
reason: string | null;
/** What the change was part of, and between which offices an agent was transferred; null if nothing */
details: EventDetails | null;
/** What happened. More types may be added: ignore those that you do not know. */
type: "webhook.created" | "webhook.updated" | "webhook.rotated" | "webhook.replayed" | "webhook.deleted";
/** The record after the change; of a deleted record its last state; null if it was purged */
record: Webhook | null;
/** The previous values of the changed fields; merged into the record, they give the previous record */
previous: {
/** Assigned by the server; UUID */
id?: string | undefined;
/** Where messages are sent: an https URL without credentials, whose host is public (a setting of the service allows plain http and private networks); 1 to 2048 characters */
url?: string | undefined;
/** What the webhook is for; at most 500 characters */
description?: string | null | undefined;
/** The types of events that it receives; null for all; 1 to 50 of them */
types?: RecordEventType[] | null | undefined;
/** The offices whose events it receives, with their branches; null for all. A caller that is limited to some offices may give those alone; 1 to 100 of them */
officeIds?: string[] | null | undefined;
status?: WebhookStatus | undefined;
/** Why the service disabled it: the receiver answered 410 */
statusReason?: string | null | undefined;
/** When it was last disabled or made active; RFC 3339 */
statusChangedAt?: string | undefined;
/** Since when all attempts have failed; null if the last one succeeded; RFC 3339 */
failingSince?: string | null | undefined;
/** Since when every attempt has taken more than a second; null if the last one was quicker; RFC 3339 */
slowSince?: string | null | undefined;
/** Until when no attempt is made because the receiver sent Retry-After; else null; RFC 3339 */
pausedUntil?: string | null | undefined;
/** The position in the event log up to which it has deliveries */
readTo?: number | undefined;
/** When it was created; RFC 3339 */
createdAt?: string | undefined;
/** The key or the person that created it; null if the service did, if that person is gone, or before this was recorded */
createdBy?: {
/** A key or a person */
type: "key" | "person";
/** The id of the key or of the person; UUID */
id: string;
/** The current name */
name: string | null;
/** The id of the key; null if a person created it; UUID */
keyId: string | null;
/** The current name of the key; null if a person created it */
keyName: string | null;
} | null | undefined;
/** When it was last changed by a caller; RFC 3339 */
updatedAt?: string | undefined;
};
};

/** One page of a list */
export type WebhookPage = {
/** The records of this page; at most 200 of them */
items: Webhook[];
/** The way to the next page; absent on the last */
nextCursor?: string | undefined;
/** The way to the page before; absent on the first */
prevCursor?: string | undefined;
/** With includeTotal: how many records match */
total?: number | undefined;
};

/** What to change: JSON Merge Patch (RFC 7396) */
export type WebhookPatch = {
/** The id of the record; UUID */
id: string;
/** Where messages are sent: an https URL without credentials, whose host is public (a setting of the service allows plain http and private networks); 1 to 2048 characters */
url?: string | undefined;
/** What the webhook is for; at most 500 characters */
description?: string | null | undefined;
/** The types of events that it receives; null for all; 1 to 50 of them */
types?: RecordEventType[] | null | undefined;
/** The offices whose events it receives, with their branches; null for all. A caller that is limited to some offices may give those alone; 1 to 100 of them */
officeIds?: string[] | null | undefined;
status?: WebhookStatus | undefined;
};

/** Which records, in which order, and how many on a page */
export type WebhookQuery = {
/** Records a page: 1 to 200; more is 200; at least 1 */
limit?: number | undefined;
/** Where to go on: `nextCursor` or `prevCursor` of a page, with the same filters, `sort` and `startAt`; 1 to 4000 characters */
cursor?: string | undefined;
/** Sent by the infinite queries of tRPC; `backward` requires a `prevCursor` as the cursor */
direction?: "forward" | "backward" | undefined;
/** Begin at the first record whose value of the sort is this one or comes after it in the order of the list: a time, or the beginning of a name; with a cursor, which page it is follows from the cursor; 1 to 255 characters */
startAt?: string | undefined;
/** The order, `-` for descending; the id breaks ties; "-createdAt" unless given */
sort?: "url" | "-url" | "createdAt" | "-createdAt" | undefined;
};

/** What to deliver again */
export type WebhookReplay = {
/** The id of the record; UUID */
id: string;
/** The position after which everything is delivered again; `0` for the start of the log */
after: string;
};

/** How to rotate the secret; optional */
export type WebhookRotation = {
/** The id of the record; UUID */
id: string;
/** Seconds for which the previous secret signs too; a day unless given; at most 2592000 */
overlapSeconds?: number | undefined;
};

/** A disabled webhook keeps its position in the log and continues there when it is active again */
export type WebhookStatus = "active" | "disabled";

/** The result of a test */
export type WebhookTest = {
/** When it started; RFC 3339 */
at: string;
/** The status of the response; null without one */
status: number | null;
/** The duration in milliseconds */
durationMs: number;
/** Why the delivery failed; null if it succeeded */
error: string | null;
/** The first 500 characters of the response body */
body: string | null;
/** The `webhook-id` of the message: the same in every attempt and every replay */
messageId: string;
};

/** A webhook with its new secret */
export type WebhookWithSecret = {
/** Assigned by the server; UUID */
id: string;
/** Where messages are sent: an https URL without credentials, whose host is public (a setting of the service allows plain http and private networks); 1 to 2048 characters */
url: string;
/** What the webhook is for; at most 500 characters */
description: string | null;
/** The types of events that it receives; null for all; 1 to 50 of them */
types: RecordEventType[] | null;
/** The offices whose events it receives, with their branches; null for all. A caller that is limited to some offices may give those alone; 1 to 100 of them */
officeIds: string[] | null;
status: WebhookStatus;
/** Why the service disabled it: the receiver answered 410 */
statusReason: string | null;
/** When it was last disabled or made active; RFC 3339 */
statusChangedAt: string;
/** Since when all attempts have failed; null if the last one succeeded; RFC 3339 */
failingSince: string | null;
/** Since when every attempt has taken more than a second; null if the last one was quicker; RFC 3339 */
slowSince: string | null;
/** Until when no attempt is made because the receiver sent Retry-After; else null; RFC 3339 */
pausedUntil: string | null;
/** The position in the event log up to which it has deliveries */
readTo: number;
/** When it was created; RFC 3339 */
createdAt: string;
/** The key or the person that created it; null if the service did, if that person is gone, or before this was recorded */
createdBy: {
/** A key or a person */
type: "key" | "person";
/** The id of the key or of the person; UUID */
id: string;
/** The current name */
name: string | null;
/** The id of the key; null if a person created it; UUID */
keyId: string | null;
/** The current name of the key; null if a person created it */
keyName: string | null;
} | null;
/** When it was last changed by a caller; RFC 3339 */
updatedAt: string;
/** The secret that signs its messages (Standard Webhooks), which is shown only once. The service stores it unhashed to sign with it */
secret: string;
};

/** An error in RPC: the code and message of tRPC, and the problem document, which is the body in REST. */
export type ErrorShape = {
  message: string;
  code: TRPC_ERROR_CODE_NUMBER;
  data: { code: TRPC_ERROR_CODE_KEY; httpStatus: number; path?: string; problem: Problem };
};

/** All procedures of the service, in the types of tRPC. */
export type AppRouter = TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: ErrorShape; transformer: false },
  {
offices: {
/**
 * List offices. One page of the offices that match every filter, active and inactive alike. `expand=counts` needs the scope `agents:read` too. A caller who is limited to some offices gets those and their branches, here as everywhere; others do not exist for the caller.
 * Needs the scope `offices:read`.
 */
list: TRPCQueryProcedure<{ input: OfficeQuery; output: OfficePage; meta: object }>;

/**
 * Create an office. Creates an active office of version 1 and answers it with its id. A caller who is limited to some offices names one of them as `mainOfficeId`; without it the response is 403.
 * Needs the scope `offices:write`.
 * Errors: `source_taken`, `reference_not_found`.
 */
create: TRPCMutationProcedure<{ input: NewOffice; output: Office; meta: object }>;

/**
 * Read one office. The office as it is now, active or inactive. With If-None-Match: 304 where it is unchanged. With `expand=counts` there is no ETag, as the counts change without a new version; that needs the scope `agents:read` too.
 * Needs the scope `offices:read`.
 * Errors: `record_merged`, `version_conflict`.
 */
get: TRPCQueryProcedure<{ input: {
/** The id of the record; UUID */
id: string;
/** Embed the counts of agents and branches of each office */
expand?: "counts" | undefined;
}; output: ListedOffice; meta: object }>;

/**
 * Delete an office. Rejected while it has agents, affiliated agents or branch offices. Its last state is kept for restore for a time.
 * Needs the scope `offices:write`.
 * Errors: `version_conflict`, `version_required`, `record_merged`, `has_dependents`.
 */
delete: TRPCMutationProcedure<{ input: {
/** The id of the record; UUID */
id: string;
/** Reject the change if the record has another version; at least 1 */
ifVersion?: number | undefined;
}; output: void; meta: object }>;

/**
 * Change an office. JSON Merge Patch: absent leaves, null clears, lists are replaced whole.
 * Needs the scope `offices:write`.
 * Errors: `version_conflict`, `version_required`, `record_merged`, `source_taken`, `office_cycle`, `reference_not_found`.
 */
update: TRPCMutationProcedure<{ input: OfficePatch; output: Office; meta: object }>;

/**
 * Deactivate an office. It stays readable and takes no more agents. Repeated, it answers the unchanged office. With `cascade` the office and up to 500 of its agents are deactivated in one transaction, more agents 500 at a time in further ones: meanwhile the office is inactive and some agents are not. It is removed from the `affiliations` of other agents, each with an event `agent.updated`; without `cascade` they stay, and so do those of agents that a limit hides. A call that ends early, with 503 after 20 seconds, is repeated to go on. `cascaded` has the numbers of both. `cascade` needs the scope `agents:write` too. With `effectiveAt` or `effectiveOn` in the future it is scheduled: the office has one more of `scheduledChanges`, and then up to 100,000 agents, with the affiliated ones, are changed with it in one transaction.
 * Needs the scope `offices:write`.
 * Errors: `version_conflict`, `version_required`, `record_merged`, `limit_reached`.
 */
deactivate: TRPCMutationProcedure<{ input: OfficeDeactivation; output: OfficeDeactivated; meta: object }>;

/**
 * Reactivate an office. Its agents stay as they are. Repeated, it answers the unchanged office. With `cascade` it takes back what its latest deactivation did to agents, 500 at a time: exactly those that were changed by it are as they were before, unless they were changed since. `cascaded` says how many, and which could not be brought back. Agents that a limit hides stay as they are. A call that ends early, with 503 after 20 seconds, is repeated to go on. `cascade` needs the scope `agents:write` too. With `effectiveAt` or `effectiveOn` in the future it is scheduled, without `cascade`.
 * Needs the scope `offices:write`.
 * Errors: `version_conflict`, `version_required`, `record_merged`, `limit_reached`.
 */
reactivate: TRPCMutationProcedure<{ input: OfficeReactivation; output: OfficeReactivated; meta: object }>;

/**
 * List offices that may be the same. One page of pairs, the most probable first, each with both records as they are now, a score and the reasons in words. Records are compared within seconds of a change, or when many changes are over. A caller who is limited to some offices gets the pairs of which both records are within them.
 * Needs the scope `offices:read`.
 */
duplicates: TRPCQueryProcedure<{ input: OfficeDuplicateQuery; output: OfficeDuplicatePage; meta: object }>;

/**
 * Tell which offices a new one looks like. Takes what creates an office, and answers those that it looks like, as pairs that are listed do by default: the most probable first, each with the score and the reasons in words. Nothing is written. A caller who is limited to some offices gets those within them.
 * Needs the scope `offices:read`.
 */
checkDuplicates: TRPCMutationProcedure<{ input: NewOffice; output: OfficeLookAlikes; meta: object }>;

/**
 * Merge many offices that may be the same. Makes one record of each pair that may be the same, from a score on, by a job in the background, the most probable first. The one that is active survives, else the one that was created first; it keeps its values and gets those that it lacks. A pair is merged if both are still as alike when it is its turn, also of a chain, and an error of the job otherwise. `expectedCount` must be the number of pairs. With `dryRun` nothing is changed: answers 200 with the number, the first five survivors, and the errors among the first 50. The undo of the job takes all of its merges back. Counts as ten requests.
 * Needs the scope `offices:write`.
 * Errors: `count_mismatch`, `limit_reached`.
 */
mergeDuplicates: TRPCMutationProcedure<{ input: OfficeMerges; output: Job | BulkPreview; meta: object }>;

/**
 * Decide that two offices are not the same. The pair is listed no more, unless `state` asks for it, whatever becomes of the records. Repeated, it answers the pair as it is.
 * Needs the scope `offices:write`.
 */
dismissDuplicate: TRPCMutationProcedure<{ input: Dismissal; output: OfficeDuplicate; meta: object }>;

/**
 * Take back that two offices are not the same. The pair is listed again while an office of it is like the other. Repeated, it answers the pair as it is.
 * Needs the scope `offices:write`.
 */
reopenDuplicate: TRPCMutationProcedure<{ input: {
/** The id of the pair; UUID */
id: string;
}; output: OfficeDuplicate; meta: object }>;

/**
 * Merge an office into another one. Gives this one the values that `fields` chooses, moves everything that refers to the duplicate to it, and deletes the duplicate, in one transaction. The id of the duplicate then leads here: a GET is redirected, and a change is rejected with `record_merged`. Its source and its email address stay taken, and imports that name them change this record. Requires the same rights over both offices. With `dryRun` returns the record that would result.
 * Needs the scope `offices:write`.
 * Errors: `version_conflict`, `version_required`, `record_merged`, `office_inactive`, `office_cycle`.
 */
merge: TRPCMutationProcedure<{ input: Merge; output: MergedOffice; meta: object }>;

/**
 * Undo the merge of an office. Brings a record back that was merged into another one, as it was, with everything that referred to it, for as long as deleted records are kept (30 days). What was changed since stays as it is, and `conflicts` names it. With `dryRun` answers what would result.
 * Needs the scope `offices:write`.
 * Errors: `record_merged`, `source_taken`, `office_cycle`, `reference_not_found`.
 */
unmerge: TRPCMutationProcedure<{ input: Unmerge; output: UnmergedOffice; meta: object }>;

/**
 * Transfer all agents of an office to another one. Moves its active and inactive agents in one transaction, at most 100,000, each with an event `agent.transferred`: readers see all of them in the one office or in the other. With `effectiveAt` or `effectiveOn` in the future it is scheduled, and none has moved yet. Needs the scope `agents:write` too, and of people the role of a manager.
 * Needs the scope `offices:write`.
 * Errors: `version_conflict`, `version_required`, `record_merged`, `office_inactive`, `reference_not_found`, `too_many_agents`, `limit_reached`.
 */
transferAgents: TRPCMutationProcedure<{ input: AgentsTransfer; output: AgentsTransferResult; meta: object }>;

/**
 * Try the reactivation of an office with its agents. Changes nothing: answers how many agents a reactivation with `cascade` would bring back, and what would happen to the first 500 of them: what would change in the first five, and which could not be brought back, because they were changed since. Needs the scope `agents:write` too.
 * Needs the scope `offices:write`.
 * Errors: `record_merged`.
 */
previewReactivate: TRPCMutationProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: BulkPreview; meta: object }>;

/**
 * Restore a deleted office. Brings it back under its id, in its last state, while that is kept (30 days).
 * Needs the scope `offices:write`.
 * Errors: `version_conflict`, `record_merged`, `source_taken`, `office_cycle`, `reference_not_found`.
 */
restore: TRPCMutationProcedure<{ input: Transition; output: Office; meta: object }>;

/**
 * List the changes of an office. Every change that the log still has, newest first: who, when, why, and what was before and after; also of a deleted record. A caller who is limited to some offices gets those that are within them. Also needs the scope `events:read`.
 * Needs the scope `offices:read`.
 * Errors: `record_merged`.
 */
history: TRPCQueryProcedure<{ input: HistoryQuery; output: HistoryPage; meta: object }>;

/**
 * Find who set each field of an office. For each field that has a value or once had one, the change that set it last; also of a deleted record. Also needs the scope `events:read`.
 * Needs the scope `offices:read`.
 * Errors: `record_merged`.
 */
blame: TRPCQueryProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: BlameAnswer; meta: object }>;

/**
 * Revert an office to an earlier version. Gives the record, or the `fields` that are named, the values of an earlier version, as an update with its rules; with `dryRun` answers what that would change. The status does not change: deactivate and reactivate do that. Repeated, it changes nothing. Also needs the scopes to read the record and `events:read`.
 * Needs the scope `offices:write`.
 * Errors: `version_conflict`, `version_required`, `record_merged`, `source_taken`, `office_cycle`, `reference_not_found`.
 */
revert: TRPCMutationProcedure<{ input: Revert; output: RevertedOffice; meta: object }>;

/**
 * Change many offices. Makes one change in all records that a filter of the list selects: an update, a deactivation, a reactivation, a deletion, or of agents a transfer. The records are fixed now, and are changed by a job in the background, a batch of 500 at a time, each with an event whose details name the job (`bulkId`). `expectedCount` must be their number. With `dryRun` nothing is changed: answers 200 with the number, the first five, and the errors among the first 500. Counts as ten requests.
 * Needs the scope `offices:write`.
 * Errors: `count_mismatch`, `limit_reached`.
 */
bulk: TRPCMutationProcedure<{ input: OfficeBulk; output: Job | BulkPreview; meta: object }>;
};
agents: {
/**
 * List agents. One page of the agents that match every filter, active and inactive alike. `expand=office` needs the scope `offices:read` too. A caller who is limited to some offices gets the agents whose primary office is one of them, here as everywhere; others do not exist for the caller.
 * Needs the scope `agents:read`.
 */
list: TRPCQueryProcedure<{ input: AgentQuery; output: AgentPage; meta: object }>;

/**
 * Create an agent. Creates an active agent of version 1 and answers it with its id. A caller who is limited to some offices names one of them; without `officeId` the response is 403.
 * Needs the scope `agents:write`.
 * Errors: `email_taken`, `source_taken`, `office_inactive`, `reference_not_found`.
 */
create: TRPCMutationProcedure<{ input: NewAgent; output: Agent; meta: object }>;

/**
 * Read one agent. The agent as they are now, active or inactive. With If-None-Match: 304 where unchanged.
 * Needs the scope `agents:read`.
 * Errors: `record_merged`, `version_conflict`.
 */
get: TRPCQueryProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: Agent; meta: object }>;

/**
 * Delete an agent. Rejected if the agent is a broker, is a manager or has an assistant. The last state is kept for restore for a time.
 * Needs the scope `agents:write`.
 * Errors: `version_conflict`, `version_required`, `record_merged`, `has_dependents`.
 */
delete: TRPCMutationProcedure<{ input: {
/** The id of the record; UUID */
id: string;
/** Reject the change if the record has another version; at least 1 */
ifVersion?: number | undefined;
}; output: void; meta: object }>;

/**
 * Change an agent. JSON Merge Patch: absent leaves, null clears, lists are replaced whole.
 * Needs the scope `agents:write`.
 * Errors: `version_conflict`, `version_required`, `record_merged`, `email_taken`, `source_taken`, `office_inactive`, `reference_not_found`.
 */
update: TRPCMutationProcedure<{ input: AgentPatch; output: Agent; meta: object }>;

/**
 * Deactivate an agent. They stay readable, listable and editable. Repeated, it answers the unchanged agent. With `effectiveAt` or `effectiveOn` in the future it is scheduled: the agent has one more of `scheduledChanges`.
 * Needs the scope `agents:write`.
 * Errors: `version_conflict`, `version_required`, `record_merged`, `limit_reached`.
 */
deactivate: TRPCMutationProcedure<{ input: StatusChange; output: Agent; meta: object }>;

/**
 * Reactivate an agent. Rejected if the office is inactive. Repeated, it answers the unchanged agent. With `effectiveAt` or `effectiveOn` in the future it is scheduled, and the office counts then.
 * Needs the scope `agents:write`.
 * Errors: `version_conflict`, `version_required`, `record_merged`, `office_inactive`, `limit_reached`.
 */
reactivate: TRPCMutationProcedure<{ input: StatusChange; output: Agent; meta: object }>;

/**
 * List agents that may be the same. One page of pairs, the most probable first, each with both records as they are now, a score and the reasons in words. Records are compared within seconds of a change, or when many changes are over. A caller who is limited to some offices gets the pairs of which both records are within them.
 * Needs the scope `agents:read`.
 */
duplicates: TRPCQueryProcedure<{ input: AgentDuplicateQuery; output: AgentDuplicatePage; meta: object }>;

/**
 * Tell which agents a new one looks like. Takes what creates an agent, and answers those that it looks like, as pairs that are listed do by default: the most probable first, each with the score and the reasons in words. Nothing is written. A caller who is limited to some offices gets those within them.
 * Needs the scope `agents:read`.
 */
checkDuplicates: TRPCMutationProcedure<{ input: NewAgent; output: AgentLookAlikes; meta: object }>;

/**
 * Merge many agents that may be the same. Makes one record of each pair that may be the same, from a score on, by a job in the background, the most probable first. The one that is active survives, else the one that was created first; it keeps its values and gets those that it lacks. A pair is merged if both are still as alike when it is its turn, also of a chain, and an error of the job otherwise. `expectedCount` must be the number of pairs. With `dryRun` nothing is changed: answers 200 with the number, the first five survivors, and the errors among the first 50. The undo of the job takes all of its merges back. Counts as ten requests.
 * Needs the scope `agents:write`.
 * Errors: `count_mismatch`, `limit_reached`.
 */
mergeDuplicates: TRPCMutationProcedure<{ input: AgentMerges; output: Job | BulkPreview; meta: object }>;

/**
 * Decide that two agents are not the same. The pair is listed no more, unless `state` asks for it, whatever becomes of the records. Repeated, it answers the pair as it is.
 * Needs the scope `agents:write`.
 */
dismissDuplicate: TRPCMutationProcedure<{ input: Dismissal; output: AgentDuplicate; meta: object }>;

/**
 * Take back that two agents are not the same. The pair is listed again while an agent of it is like the other. Repeated, it answers the pair as it is.
 * Needs the scope `agents:write`.
 */
reopenDuplicate: TRPCMutationProcedure<{ input: {
/** The id of the pair; UUID */
id: string;
}; output: AgentDuplicate; meta: object }>;

/**
 * Merge an agent into another one. Gives this one the values that `fields` chooses, moves everything that refers to the duplicate to it, and deletes the duplicate, in one transaction. The id of the duplicate then leads here: a GET is redirected, and a change is rejected with `record_merged`. Its source and its email address stay taken, and imports that name them change this record. With `dryRun` returns the record that would result.
 * Needs the scope `agents:write`.
 * Errors: `version_conflict`, `version_required`, `record_merged`, `office_inactive`.
 */
merge: TRPCMutationProcedure<{ input: Merge; output: MergedAgent; meta: object }>;

/**
 * Undo the merge of an agent. Brings a record back that was merged into another one, as it was, with everything that referred to it, for as long as deleted records are kept (30 days). What was changed since stays as it is, and `conflicts` names it. With `dryRun` answers what would result.
 * Needs the scope `agents:write`.
 * Errors: `record_merged`, `email_taken`, `source_taken`, `office_inactive`, `reference_not_found`.
 */
unmerge: TRPCMutationProcedure<{ input: Unmerge; output: UnmergedAgent; meta: object }>;

/**
 * Transfer an agent to another office. Sets the office and `transferredAt`, with one event `agent.transferred` that names both offices. An agent of that office is answered unchanged. With `effectiveAt` or `effectiveOn` in the future it is scheduled; a day begins in the time zone of the new office, which must exist now and be active then.
 * Needs the scope `agents:write`.
 * Errors: `version_conflict`, `version_required`, `record_merged`, `office_inactive`, `reference_not_found`, `limit_reached`.
 */
transfer: TRPCMutationProcedure<{ input: AgentTransfer; output: Agent; meta: object }>;

/**
 * Restore a deleted agent. Brings them back under their id, in their last state, while that is kept (30 days).
 * Needs the scope `agents:write`.
 * Errors: `version_conflict`, `record_merged`, `email_taken`, `source_taken`, `office_inactive`, `reference_not_found`.
 */
restore: TRPCMutationProcedure<{ input: Transition; output: Agent; meta: object }>;

/**
 * List the changes of an agent. Every change that the log still has, newest first: who, when, why, and what was before and after; also of a deleted record. A caller who is limited to some offices gets those that are within them. Also needs the scope `events:read`.
 * Needs the scope `agents:read`.
 * Errors: `record_merged`.
 */
history: TRPCQueryProcedure<{ input: HistoryQuery; output: HistoryPage; meta: object }>;

/**
 * Find who set each field of an agent. For each field that has a value or once had one, the change that set it last; also of a deleted record. Also needs the scope `events:read`.
 * Needs the scope `agents:read`.
 * Errors: `record_merged`.
 */
blame: TRPCQueryProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: BlameAnswer; meta: object }>;

/**
 * Revert an agent to an earlier version. Gives the record, or the `fields` that are named, the values of an earlier version, as an update with its rules; with `dryRun` answers what that would change. The status does not change: deactivate and reactivate do that. Repeated, it changes nothing. Also needs the scopes to read the record and `events:read`.
 * Needs the scope `agents:write`.
 * Errors: `version_conflict`, `version_required`, `record_merged`, `email_taken`, `source_taken`, `office_inactive`, `reference_not_found`.
 */
revert: TRPCMutationProcedure<{ input: Revert; output: RevertedAgent; meta: object }>;

/**
 * Change many agents. Makes one change in all records that a filter of the list selects: an update, a deactivation, a reactivation, a deletion, or of agents a transfer. The records are fixed now, and are changed by a job in the background, a batch of 500 at a time, each with an event whose details name the job (`bulkId`). `expectedCount` must be their number. With `dryRun` nothing is changed: answers 200 with the number, the first five, and the errors among the first 500. Counts as ten requests.
 * Needs the scope `agents:write`.
 * Errors: `count_mismatch`, `limit_reached`.
 */
bulk: TRPCMutationProcedure<{ input: AgentBulk; output: Job | BulkPreview; meta: object }>;
};
teams: {
/**
 * List teams. One page of the teams that match every filter, active and inactive alike. `expand=members` needs the scope `agents:read` too. A caller who is limited to some offices gets the teams of these, here as everywhere, and of their members those whose agents are within the limit; others do not exist for the caller.
 * Needs the scope `teams:read`.
 */
list: TRPCQueryProcedure<{ input: TeamQuery; output: TeamPage; meta: object }>;

/**
 * Create a team. Creates an active team of version 1 and answers it with its id. A caller who is limited to some offices names one of them; without `officeId` the response is 403.
 * Needs the scope `teams:write`.
 * Errors: `source_taken`, `reference_not_found`.
 */
create: TRPCMutationProcedure<{ input: NewTeam; output: Team; meta: object }>;

/**
 * Read one team. The team as it is now, active or inactive. With If-None-Match: 304 where it is unchanged. With `expand=members` there is no ETag, as agents change without a new version; that needs the scope `agents:read` too.
 * Needs the scope `teams:read`.
 * Errors: `record_merged`, `version_conflict`.
 */
get: TRPCQueryProcedure<{ input: {
/** The id of the record; UUID */
id: string;
/** Embed a summary of the agent in each member */
expand?: "members" | undefined;
}; output: ListedTeam; meta: object }>;

/**
 * Delete a team. Its agents stay as they are. Its last state is kept for restore for a time.
 * Needs the scope `teams:write`.
 * Errors: `version_conflict`, `version_required`, `record_merged`.
 */
delete: TRPCMutationProcedure<{ input: {
/** The id of the record; UUID */
id: string;
/** Reject the change if the record has another version; at least 1 */
ifVersion?: number | undefined;
}; output: void; meta: object }>;

/**
 * Change a team. JSON Merge Patch: absent leaves, null clears, lists are replaced whole.
 * Needs the scope `teams:write`.
 * Errors: `version_conflict`, `version_required`, `record_merged`, `source_taken`, `reference_not_found`.
 */
update: TRPCMutationProcedure<{ input: TeamPatch; output: Team; meta: object }>;

/**
 * Deactivate a team. It stays readable, listable and editable, and so do its agents. Repeated, it answers the unchanged team. With `effectiveAt` or `effectiveOn` in the future it is scheduled: the team has one more of `scheduledChanges`.
 * Needs the scope `teams:write`.
 * Errors: `version_conflict`, `version_required`, `record_merged`, `limit_reached`.
 */
deactivate: TRPCMutationProcedure<{ input: StatusChange; output: Team; meta: object }>;

/**
 * Reactivate a team. Repeated, it answers the unchanged team. With `effectiveAt` or `effectiveOn` in the future it is scheduled.
 * Needs the scope `teams:write`.
 * Errors: `version_conflict`, `version_required`, `record_merged`, `limit_reached`.
 */
reactivate: TRPCMutationProcedure<{ input: StatusChange; output: Team; meta: object }>;

/**
 * List teams that may be the same. One page of pairs, the most probable first, each with both records as they are now, a score and the reasons in words. Records are compared within seconds of a change, or when many changes are over. A caller who is limited to some offices gets the pairs of which both records are within them.
 * Needs the scope `teams:read`.
 */
duplicates: TRPCQueryProcedure<{ input: TeamDuplicateQuery; output: TeamDuplicatePage; meta: object }>;

/**
 * Tell which teams a new one looks like. Takes what creates a team, and answers those that it looks like, as pairs that are listed do by default: the most probable first, each with the score and the reasons in words. Nothing is written. A caller who is limited to some offices gets those within them.
 * Needs the scope `teams:read`.
 */
checkDuplicates: TRPCMutationProcedure<{ input: NewTeam; output: TeamLookAlikes; meta: object }>;

/**
 * Merge many teams that may be the same. Makes one record of each pair that may be the same, from a score on, by a job in the background, the most probable first. The one that is active survives, else the one that was created first; it keeps its values and gets those that it lacks. A pair is merged if both are still as alike when it is its turn, also of a chain, and an error of the job otherwise. `expectedCount` must be the number of pairs. With `dryRun` nothing is changed: answers 200 with the number, the first five survivors, and the errors among the first 50. The undo of the job takes all of its merges back. Counts as ten requests.
 * Needs the scope `teams:write`.
 * Errors: `count_mismatch`, `limit_reached`.
 */
mergeDuplicates: TRPCMutationProcedure<{ input: TeamMerges; output: Job | BulkPreview; meta: object }>;

/**
 * Decide that two teams are not the same. The pair is listed no more, unless `state` asks for it, whatever becomes of the records. Repeated, it answers the pair as it is.
 * Needs the scope `teams:write`.
 */
dismissDuplicate: TRPCMutationProcedure<{ input: Dismissal; output: TeamDuplicate; meta: object }>;

/**
 * Take back that two teams are not the same. The pair is listed again while a team of it is like the other. Repeated, it answers the pair as it is.
 * Needs the scope `teams:write`.
 */
reopenDuplicate: TRPCMutationProcedure<{ input: {
/** The id of the pair; UUID */
id: string;
}; output: TeamDuplicate; meta: object }>;

/**
 * Merge a team into another one. Gives this one the values that `fields` chooses, moves everything that refers to the duplicate to it, and deletes the duplicate, in one transaction. The id of the duplicate then leads here: a GET is redirected, and a change is rejected with `record_merged`. Its source and its email address stay taken, and imports that name them change this record. With `dryRun` returns the record that would result.
 * Needs the scope `teams:write`.
 * Errors: `version_conflict`, `version_required`, `record_merged`.
 */
merge: TRPCMutationProcedure<{ input: Merge; output: MergedTeam; meta: object }>;

/**
 * Undo the merge of a team. Brings a record back that was merged into another one, as it was, with everything that referred to it, for as long as deleted records are kept (30 days). What was changed since stays as it is, and `conflicts` names it. With `dryRun` answers what would result.
 * Needs the scope `teams:write`.
 * Errors: `record_merged`, `source_taken`, `reference_not_found`.
 */
unmerge: TRPCMutationProcedure<{ input: Unmerge; output: UnmergedTeam; meta: object }>;

/**
 * Put an agent into a team. Makes the agent a member, or replaces what the agent is there. Repeated, it answers the unchanged team. On one day a team has one lead at most: end or change the other one first.
 * Needs the scope `teams:write`.
 * Errors: `version_conflict`, `version_required`, `record_merged`, `reference_not_found`.
 */
putMember: TRPCMutationProcedure<{ input: TeamMemberChange; output: Team; meta: object }>;

/**
 * Take an agent out of a team. Answers the team without the member. A team that the agent is not a member of is answered as it is.
 * Needs the scope `teams:write`.
 * Errors: `version_conflict`, `version_required`, `record_merged`.
 */
removeMember: TRPCMutationProcedure<{ input: {
/** The id of the record; UUID */
id: string;
/** Reject the change if the record has another version; at least 1 */
ifVersion?: number | undefined;
/** The agent; UUID */
agentId: string;
}; output: Team; meta: object }>;

/**
 * Restore a deleted team. Brings it back under its id, in its last state, while that is kept (30 days). Rejected if an agent in it was deleted since.
 * Needs the scope `teams:write`.
 * Errors: `version_conflict`, `record_merged`, `source_taken`, `reference_not_found`.
 */
restore: TRPCMutationProcedure<{ input: Transition; output: Team; meta: object }>;

/**
 * List the changes of a team. Every change that the log still has, newest first: who, when, why, and what was before and after; also of a deleted record. A caller who is limited to some offices gets those that are within them. Also needs the scope `events:read`.
 * Needs the scope `teams:read`.
 * Errors: `record_merged`.
 */
history: TRPCQueryProcedure<{ input: HistoryQuery; output: HistoryPage; meta: object }>;

/**
 * Find who set each field of a team. For each field that has a value or once had one, the change that set it last; also of a deleted record. Also needs the scope `events:read`.
 * Needs the scope `teams:read`.
 * Errors: `record_merged`.
 */
blame: TRPCQueryProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: BlameAnswer; meta: object }>;

/**
 * Revert a team to an earlier version. Gives the record, or the `fields` that are named, the values of an earlier version, as an update with its rules; with `dryRun` answers what that would change. The status does not change: deactivate and reactivate do that. Repeated, it changes nothing. Also needs the scopes to read the record and `events:read`.
 * Needs the scope `teams:write`.
 * Errors: `version_conflict`, `version_required`, `record_merged`, `source_taken`, `reference_not_found`.
 */
revert: TRPCMutationProcedure<{ input: Revert; output: RevertedTeam; meta: object }>;

/**
 * Change many teams. Makes one change in all records that a filter of the list selects: an update, a deactivation, a reactivation, a deletion, or of agents a transfer. The records are fixed now, and are changed by a job in the background, a batch of 500 at a time, each with an event whose details name the job (`bulkId`). `expectedCount` must be their number. With `dryRun` nothing is changed: answers 200 with the number, the first five, and the errors among the first 500. Counts as ten requests.
 * Needs the scope `teams:write`.
 * Errors: `count_mismatch`, `limit_reached`.
 */
bulk: TRPCMutationProcedure<{ input: TeamBulk; output: Job | BulkPreview; meta: object }>;
};
deletedRecords: {
/**
 * List deleted records. One page of the records that were deleted and can be restored, each with its last state, of the resources that the caller may change. A caller who is limited to some offices gets those that were within them.
 * Needs the scope `offices:write` or `agents:write` or `teams:write`.
 */
list: TRPCQueryProcedure<{ input: DeletedRecordQuery; output: DeletedRecordPage; meta: object }>;
};
scheduledChanges: {
/**
 * List scheduled changes. One page of the changes that are scheduled, and of those that happened, failed or were cancelled within the retention, in the order of their times. Needs the scope `offices:read` too.
 * Needs the scope `agents:read`.
 */
list: TRPCQueryProcedure<{ input: ScheduledChangeQuery; output: ScheduledChangePage; meta: object }>;

/**
 * Read one scheduled change. The change, pending or not, and why it failed. Needs the scope `offices:read` too.
 * Needs the scope `agents:read`.
 */
get: TRPCQueryProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: ScheduledChange; meta: object }>;

/**
 * Cancel a scheduled change. A pending change no longer happens; it stays in the list as cancelled. Repeated, it answers the cancelled change. Needs the scope `offices:write` too.
 * Needs the scope `agents:write`.
 * Errors: `change_finished`.
 */
cancel: TRPCMutationProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: ScheduledChange; meta: object }>;
};
imports: {
/**
 * Import offices. Creates, or with `upsert` changes by their sources, up to 500 records, each change with its event; with `match` those without a source by their e-mail addresses. All or nothing, or with `isAtomic: false` the valid ones: then 207 if some were rejected.
 * Needs the scope `offices:write`.
 * Errors: `source_taken`, `office_cycle`, `reference_not_found`.
 */
offices: TRPCMutationProcedure<{ input: OfficeImport; output: ImportAnswer; meta: object }>;

/**
 * Import agents. Creates, or with `upsert` changes by their sources, up to 500 records, each change with its event; with `match` those without a source by their e-mail addresses. All or nothing, or with `isAtomic: false` the valid ones: then 207 if some were rejected.
 * Needs the scope `agents:write`.
 * Errors: `email_taken`, `source_taken`, `office_inactive`, `reference_not_found`.
 */
agents: TRPCMutationProcedure<{ input: AgentImport; output: ImportAnswer; meta: object }>;

/**
 * Import teams. Creates, or with `upsert` changes by their sources, up to 500 records, each change with its event; with `match` those without a source by their e-mail addresses. All or nothing, or with `isAtomic: false` the valid ones: then 207 if some were rejected.
 * Needs the scope `teams:write`.
 * Errors: `source_taken`, `reference_not_found`.
 */
teams: TRPCMutationProcedure<{ input: TeamImport; output: ImportAnswer; meta: object }>;

/**
 * Preview a file. Says by the first 128 KiB of a file how it would be read: which records it has, its encoding, and for each column the field that its name means, what its texts stand for, and how its days are written. What the mapping says is taken as it is. Nothing is kept.
 * Needs the scope `offices:write` or `agents:write` or `teams:write`.
 * Errors: `validation_failed`.
 */
preview: TRPCMutationProcedure<{ input: ImportPreviewQuery; output: ImportPreview; meta: object }>;

/**
 * Import a file. Receives a file of CSV or NDJSON, up to 256 MiB and 1,000,000 rows, and answers its import. A job reads it, checks every row, says what it would change (`/imports/{id}/rows`) and what is wrong (`/imports/{id}/errors`), and writes it when that is asked for. Counts as ten requests.
 * Needs the scope `offices:write` or `agents:write` or `teams:write`.
 * Errors: `validation_failed`, `limit_reached`.
 */
upload: TRPCMutationProcedure<{ input: ImportUpload; output: Import; meta: object }>;

/**
 * List imports. One page of the files that were imported, or are, of the resources that the key may read, from any interface.
 * Needs the scope `offices:read` or `agents:read` or `teams:read`.
 */
list: TRPCQueryProcedure<{ input: ImportQuery; output: ImportPage; meta: object }>;

/**
 * Read one import. The import with its progress, and what its check says. It is kept for 30 days after the file was received.
 * Needs the scope `offices:read` or `agents:read` or `teams:read`.
 */
get: TRPCQueryProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: Import; meta: object }>;

/**
 * List the rows of an import. One page of the rows of the file, each with what becomes of it and which fields change.
 * Needs the scope `offices:read` or `agents:read` or `teams:read`.
 */
rows: TRPCQueryProcedure<{ input: ImportRowQuery; output: ImportRowPage; meta: object }>;

/**
 * List the errors of an import. One page of what is wrong with rows of the file, each with its column and value.
 * Needs the scope `offices:read` or `agents:read` or `teams:read`.
 */
errors: TRPCQueryProcedure<{ input: ImportErrorQuery; output: ImportErrorPage; meta: object }>;

/**
 * Write an import. Writes a file whose check has ended, or lets one go on that was cancelled or has failed, and writes it then. What the check rejects or suspects must be confirmed or skipped. Repeated, it answers the import as it is.
 * Needs the scope `offices:write` or `agents:write` or `teams:write`.
 * Errors: `validation_failed`, `job_not_finished`, `import_unconfirmed`, `import_undone`, `limit_reached`.
 */
write: TRPCMutationProcedure<{ input: ImportWrite; output: Import; meta: object }>;

/**
 * Resume an import. Lets an import that was cancelled or has failed go on where it was: a check goes on as a check and writes nothing, one that was being written is written. Another one is answered as it is.
 * Needs the scope `offices:write` or `agents:write` or `teams:write`.
 * Errors: `import_undone`, `limit_reached`.
 */
resume: TRPCMutationProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: Import; meta: object }>;

/**
 * Cancel an import. No further rows are written; those that were stay, and the import can go on or be undone. One that has ended is answered as it is.
 * Needs the scope `offices:write` or `agents:write` or `teams:write`.
 */
cancel: TRPCMutationProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: Import; meta: object }>;

/**
 * Undo an import. Answers a job, which puts the records back that the import has changed and nobody has changed since, and deletes those that it has created; the others are its errors. Repeated, it answers the same job, unless that was cancelled or has failed.
 * Needs the scope `offices:write` or `agents:write` or `teams:write`.
 * Errors: `job_not_finished`, `limit_reached`.
 */
undo: TRPCMutationProcedure<{ input: JobUndo; output: Job; meta: object }>;
};
jobs: {
/**
 * List jobs. One page of the changes of many records, of the resources that the key may read: those that run and those that have ended.
 * Needs the scope `offices:read` or `agents:read` or `teams:read`.
 */
list: TRPCQueryProcedure<{ input: JobQuery; output: JobPage; meta: object }>;

/**
 * Read one job. The job with its progress. A job that has ended is kept for 30 days after it was accepted.
 * Needs the scope `offices:read` or `agents:read` or `teams:read`.
 */
get: TRPCQueryProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: Job; meta: object }>;

/**
 * List the errors of a job. One page of the records that the job could not change, each with the reason.
 * Needs the scope `offices:read` or `agents:read` or `teams:read`.
 */
errors: TRPCQueryProcedure<{ input: JobErrorQuery; output: JobErrorPage; meta: object }>;

/**
 * Cancel a job. No further records are changed; those that were stay changed, and the job can be undone. A job that has ended is answered as it is.
 * Needs the scope `offices:write` or `agents:write` or `teams:write`.
 */
cancel: TRPCMutationProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: Job; meta: object }>;

/**
 * Try the undo of a job. Changes nothing: answers how many records the undo of the job, or of the import with this id, would put back, and what would happen to the first 500 of them, the last changed first: what would change in the first five, and what could not be undone, because it was changed since.
 * Needs the scope `offices:write` or `agents:write` or `teams:write`.
 * Errors: `job_not_finished`.
 */
previewUndo: TRPCMutationProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: BulkPreview; meta: object }>;

/**
 * Undo a job. Answers a new job, which reverts the records that the job has changed and nobody has changed since; the others are its errors. Repeated, it answers the same job, unless that was cancelled or has failed.
 * Needs the scope `offices:write` or `agents:write` or `teams:write`.
 * Errors: `job_not_finished`, `limit_reached`.
 */
undo: TRPCMutationProcedure<{ input: JobUndo; output: Job; meta: object }>;
};
events: {
/**
 * List events. All changes of all records, in an order in which no reader misses one: continue with `nextAfter`. Events older than the retention are compacted to the newest of each record. Also needs the scope to read the records of each type: `offices:read`, `agents:read`, `teams:read`, and all of these without `types`. Events of keys, webhooks, people, sessions and denied rights are returned only if `types` names them; they need `keys:manage`, `webhooks:manage` and `people:manage`, and are for callers that are not limited to some offices. One who is gets the events of records that were within them before or after the change.
 * Needs the scope `events:read`.
 * Errors: `cursor_expired`.
 */
list: TRPCQueryProcedure<{ input: EventQuery; output: EventPage; meta: object }>;

/**
 * Follow the event log. The same events as they happen, as server-sent events. The id of each is the cursor after it (Last-Event-ID). Needs the same scopes as listing events.
 * Needs the scope `events:read`.
 * Errors: `cursor_expired`.
 */
stream: TRPCSubscriptionProcedure<{ input: EventStreamQuery; output: AsyncIterable<{ id: string; data: Event }, void, unknown>; meta: object }>;
};
webhooks: {
/**
 * List webhooks. One page of the webhooks, including disabled ones, without their secrets.
 * Needs the scope `webhooks:manage`.
 */
list: TRPCQueryProcedure<{ input: WebhookQuery; output: WebhookPage; meta: object }>;

/**
 * Create a webhook. The response has the secret that signs its messages, which is shown only once. Every event after its position in the log is sent to the URL at least once, those of one record in order, until the receiver answers 2xx; each message has ten attempts in three days. 410 disables the webhook. Also needs the scope to read the records of each type: `offices:read`, `agents:read`, `teams:read`, and all of these for all types; so do changing, rotating and replaying it.
 * Needs the scope `webhooks:manage`.
 * Errors: `cursor_expired`, `limit_reached`, `reference_not_found`.
 */
create: TRPCMutationProcedure<{ input: NewWebhook; output: WebhookWithSecret; meta: object }>;

/**
 * Read one webhook. The webhook, with its position in the log and, if it is failing, since when.
 * Needs the scope `webhooks:manage`.
 */
get: TRPCQueryProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: Webhook; meta: object }>;

/**
 * Delete a webhook. Permanent, with its secrets and its deliveries. Disable it instead to keep its position.
 * Needs the scope `webhooks:manage`.
 */
delete: TRPCMutationProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: void; meta: object }>;

/**
 * Change a webhook. JSON Merge Patch. A disabled webhook keeps its position and its pending deliveries. When it becomes active or gets another URL, it continues immediately.
 * Needs the scope `webhooks:manage`.
 * Errors: `reference_not_found`.
 */
update: TRPCMutationProcedure<{ input: WebhookPatch; output: Webhook; meta: object }>;

/**
 * Rotate the secret of a webhook. The response has the new secret, which is shown only once. The previous secret signs too for the overlap.
 * Needs the scope `webhooks:manage`.
 */
rotate: TRPCMutationProcedure<{ input: WebhookRotation; output: WebhookWithSecret; meta: object }>;

/**
 * Test a webhook. Sends one message of the type `webhook.test` and returns the result within 5 seconds. One test of a webhook runs at a time.
 * Needs the scope `webhooks:manage`.
 * Errors: `test_in_progress`.
 */
test: TRPCMutationProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: WebhookTest; meta: object }>;

/**
 * List the deliveries of a webhook. One page, newest first, each with the results of its attempts. Finished deliveries are kept for the retention.
 * Needs the scope `webhooks:manage`.
 */
deliveries: TRPCQueryProcedure<{ input: WebhookDeliveryQuery; output: WebhookDeliveryPage; meta: object }>;

/**
 * Replay events. Delivers all events after a position again, with the same `webhook-id`s, in the order of the log. The compacted part of the log has only the newest event of each record.
 * Needs the scope `webhooks:manage`.
 * Errors: `cursor_expired`.
 */
replay: TRPCMutationProcedure<{ input: WebhookReplay; output: Webhook; meta: object }>;
};
keys: {
/**
 * List keys. One page of the keys, including revoked and expired ones, without their secrets.
 * Needs the scope `keys:manage`.
 */
list: TRPCQueryProcedure<{ input: KeyQuery; output: KeyPage; meta: object }>;

/**
 * Create a key. The response has the secret, which is shown only once. Nobody can give scopes or offices that they do not have, or a key an expiry later than its own.
 * Needs the scope `keys:manage`.
 * Errors: `reference_not_found`, `limit_reached`.
 */
create: TRPCMutationProcedure<{ input: NewKey; output: KeyWithSecret; meta: object }>;

/**
 * Read one key. The key, with the prefix of its secret and the time when it was last used.
 * Needs the scope `keys:manage`.
 */
get: TRPCQueryProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: Key; meta: object }>;

/**
 * Change a key. JSON Merge Patch. Takes effect on all servers within a second. A key cannot change a key with scopes that it does not have, or give an expiry later than its own.
 * Needs the scope `keys:manage`.
 * Errors: `reference_not_found`.
 */
update: TRPCMutationProcedure<{ input: KeyPatch; output: Key; meta: object }>;

/**
 * Revoke a key. Permanent; takes effect on all servers within a second. Revoking a revoked key returns it unchanged. A key cannot revoke a key with scopes that it does not have.
 * Needs the scope `keys:manage`.
 */
revoke: TRPCMutationProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: Key; meta: object }>;

/**
 * Rotate a key. The response has the new secret, which is shown only once. The previous secret stays valid for the overlap, but cannot rotate keys. A key cannot rotate a key with scopes that it does not have, or with a later expiry.
 * Needs the scope `keys:manage`.
 * Errors: `key_revoked`.
 */
rotate: TRPCMutationProcedure<{ input: KeyRotation; output: KeyWithSecret; meta: object }>;
};
people: {
/**
 * List people. One page of the people who may sign in, or might once they are active again.
 * Needs the scope `people:manage`.
 */
list: TRPCQueryProcedure<{ input: PersonQuery; output: PersonPage; meta: object }>;

/**
 * Invite a person. The person can sign in from now on at the identity provider with the e-mail address, or, if the service has none, with a link that you make next (`POST /invitations`), and is active from the first time. Nothing is sent by this. Nobody can give roles or offices that they do not have; a key that expires cannot give any.
 * Needs the scope `people:manage`.
 * Errors: `person_email_taken`, `reference_not_found`.
 */
invite: TRPCMutationProcedure<{ input: NewPerson; output: Person; meta: object }>;

/**
 * Read one person. The person with their roles, and when they last signed in.
 * Needs the scope `people:manage`.
 */
get: TRPCQueryProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: Person; meta: object }>;

/**
 * Delete a person. Permanent; ends their sessions on all servers within a second. Their changes keep the id. Deactivate them instead to keep the name.
 * Needs the scope `people:manage`.
 * Errors: `last_admin`.
 */
delete: TRPCMutationProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: void; meta: object }>;

/**
 * Change a person. JSON Merge Patch. Takes effect on all servers within a second, also for sessions and open streams. Nobody can change a person with roles or offices that they do not have, or give such.
 * Needs the scope `people:manage`.
 * Errors: `person_email_taken`, `last_admin`, `reference_not_found`.
 */
update: TRPCMutationProcedure<{ input: PersonPatch; output: Person; meta: object }>;

/**
 * Deactivate a person. The person can no longer sign in, and their sessions end on all servers within a second. Deactivating an inactive person returns them unchanged.
 * Needs the scope `people:manage`.
 * Errors: `last_admin`.
 */
deactivate: TRPCMutationProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: Person; meta: object }>;

/**
 * Reactivate a person. The person can sign in again, with the same roles as before.
 * Needs the scope `people:manage`.
 */
reactivate: TRPCMutationProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: Person; meta: object }>;

/**
 * End all sessions of a person. Takes effect on all servers within a second; the person can sign in again. Those of another person need the scope `people:manage`.
 * Every caller may call it; it needs no scope.
 * Errors: `insufficient_scope`.
 */
revokeSessions: TRPCMutationProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: Person; meta: object }>;
};
invitations: {
/**
 * List invitations. One page of the invitations, without their links. One that was used or has ended is kept for 90 days.
 * Needs the scope `people:manage`.
 */
list: TRPCQueryProcedure<{ input: InvitationQuery; output: InvitationPage; meta: object }>;

/**
 * Make a link for a person. Whoever opens the link can set up a passkey and sign in as the person from then on. It works once, for days, and ends an earlier one of the person. It also ends when the roles or the e-mail address of the person change, and when all their sessions are ended. You need all rights of the person, and a key that does not expire. Where an identity provider is set up no links are made.
 * Needs the scope `people:manage`.
 * Errors: `not_found`, `link_unavailable`, `limit_reached`.
 */
create: TRPCMutationProcedure<{ input: NewInvitation; output: InvitationWithLink; meta: object }>;

/**
 * Read one invitation. Whom it is for, whether it was used, and what the mail server answered if it was sent.
 * Needs the scope `people:manage`.
 */
get: TRPCQueryProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: Invitation; meta: object }>;

/**
 * Revoke an invitation. The link works no longer. An invitation that was used or has ended is returned unchanged.
 * Needs the scope `people:manage`.
 */
revoke: TRPCMutationProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: Invitation; meta: object }>;
};
passkeys: {
/**
 * List passkeys. One page of your own passkeys, or with the scope `people:manage` of those of another person. A browser sets one up, with an invitation or when its person is signed in.
 * Every caller may call it; it needs no scope.
 * Errors: `insufficient_scope`.
 */
list: TRPCQueryProcedure<{ input: PasskeyQuery; output: PasskeyPage; meta: object }>;

/**
 * Rename a passkey. JSON Merge Patch. One of your own, or with the scope `people:manage` that of a person whose rights you have.
 * Every caller may call it; it needs no scope.
 * Errors: `insufficient_scope`.
 */
update: TRPCMutationProcedure<{ input: PasskeyPatch; output: Passkey; meta: object }>;

/**
 * Remove a passkey. Nobody can sign in with it any more, and the sessions that were signed in with it end on all servers within a second. One of your own, or with the scope `people:manage` that of a person whose rights you have.
 * Every caller may call it; it needs no scope.
 * Errors: `insufficient_scope`.
 */
delete: TRPCMutationProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: void; meta: object }>;
};
sessions: {
/**
 * List sessions. One page of your own sessions that have not ended, or with the scope `people:manage` of those of another person or of a key.
 * Every caller may call it; it needs no scope.
 * Errors: `insufficient_scope`.
 */
list: TRPCQueryProcedure<{ input: SessionQuery; output: SessionPage; meta: object }>;

/**
 * Who am I. The key or the person that makes this request, with its rights and its session.
 * Every caller may call it; it needs no scope.
 */
current: TRPCQueryProcedure<{ input: Record<string, never>; output: CurrentCaller; meta: object }>;

/**
 * Read one session. One of your own sessions, or with the scope `people:manage` that of another person or of a key.
 * Every caller may call it; it needs no scope.
 */
get: TRPCQueryProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: Session; meta: object }>;

/**
 * End a session. Ends a session, its sign-in links and the sessions opened with them. Takes effect on all servers within a second, also for open streams. A session that has ended is returned unchanged. That of another person or of a key needs the scope `people:manage`.
 * Every caller may call it; it needs no scope.
 * Errors: `insufficient_scope`.
 */
revoke: TRPCMutationProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: Session; meta: object }>;
};
stats: {
/**
 * Count offices, agents and teams. By status, office, region, month and the expiry of licences, all in one snapshot, whose time is `asOf`. A large directory is counted in the background, once in a minute or less often; a small one for each request. For a caller who is limited to some offices, what is within them is counted for each request. Needs the scope `offices:read` too; of the other resources those are counted that the key may read.
 * Needs the scope `agents:read`.
 */
get: TRPCQueryProcedure<{ input: {
/** How many offices `agents.byOffice` lists at most; at most 100 */
officesMax?: number | undefined;
}; output: Stats; meta: object }>;
};
views: {
/**
 * List saved views. One page of your own views and of the shared ones, of the lists that you may read. A view holds parameters of a list and no records: what you see through it is what you may see in the list.
 * Needs the scope `offices:read` or `agents:read` or `teams:read`.
 */
list: TRPCQueryProcedure<{ input: ViewQuery; output: ViewPage; meta: object }>;

/**
 * Save a view. Saves the parameters of a list, with its columns, as a view of your own, private unless `isShared` is true. The list must accept the parameters. A key or a person has at most 200 views.
 * Needs the scope `offices:read` or `agents:read` or `teams:read`.
 * Errors: `limit_reached`.
 */
create: TRPCMutationProcedure<{ input: NewView; output: View; meta: object }>;

/**
 * Read one saved view. One of your own views, or a shared one.
 * Needs the scope `offices:read` or `agents:read` or `teams:read`.
 * Errors: `version_conflict`.
 */
get: TRPCQueryProcedure<{ input: {
/** The id of the record; UUID */
id: string;
}; output: View; meta: object }>;

/**
 * Delete a saved view. Permanent. A shared view is deleted by its owner, or with the scope `people:manage` for everything.
 * Needs the scope `offices:read` or `agents:read` or `teams:read`.
 * Errors: `version_conflict`, `version_required`.
 */
delete: TRPCMutationProcedure<{ input: {
/** The id of the record; UUID */
id: string;
/** Reject the change if the record has another version; at least 1 */
ifVersion?: number | undefined;
}; output: void; meta: object }>;

/**
 * Change a saved view. JSON Merge Patch: a null in `query` removes a parameter. A shared view is changed by its owner, or with the scope `people:manage` for everything; only the owner makes it private.
 * Needs the scope `offices:read` or `agents:read` or `teams:read`.
 * Errors: `version_conflict`, `version_required`.
 */
update: TRPCMutationProcedure<{ input: ViewPatch; output: View; meta: object }>;
};
status: {
/**
 * Read how the service is. The servers that run, the database, and what waits: events without a position, deliveries, jobs and scheduled changes. Read at most once a second. For callers that are not limited to some offices.
 * Needs the scope `status:read`.
 */
get: TRPCQueryProcedure<{ input: Record<string, never>; output: ServiceStatus; meta: object }>;
};
}
>;

/** The procedures that accept an idempotency key. */
export const repeatable: ReadonlySet<string> = new Set(["offices.create","offices.update","offices.mergeDuplicates","offices.merge","offices.bulk","agents.create","agents.update","agents.mergeDuplicates","agents.merge","agents.bulk","teams.create","teams.update","teams.mergeDuplicates","teams.merge","teams.bulk","imports.offices","imports.agents","imports.teams","imports.upload","webhooks.update","keys.update","people.invite","people.update","passkeys.update","views.create","views.update"]);
