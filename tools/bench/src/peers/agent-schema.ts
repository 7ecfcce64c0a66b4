import { z } from 'zod';

/** The contract of the peers that are made of one (Fastify, oRPC, the stock wiring): types and lengths, no more. */

const text = z.string().max(4_000).nullable();
const time = z.iso.datetime();

const address = z.object({
  line1: text,
  line2: text,
  city: text,
  county: text,
  region: text,
  postalCode: text,
  country: text,
});

const license = z.object({ number: z.string(), region: text, type: text, expiresOn: text });

const written = {
  firstName: z.string().min(1).max(100),
  lastName: z.string().min(1).max(100),
  middleName: text,
  nickname: text,
  namePrefix: text,
  nameSuffix: text,
  displayName: z.string(),
  title: text,
  type: text,
  officeId: z.uuid().nullable(),
  email: text,
  phone: text,
  phoneExt: text,
  mobilePhone: text,
  directPhone: text,
  fax: text,
  mlsId: text,
  nationalAssociationId: text,
  licenses: z.array(license),
  address: address.nullable(),
  languages: z.array(z.string()),
  designations: z.array(z.string()),
  assistantToAgentId: z.uuid().nullable(),
  website: text,
  photoUrl: text,
  bio: text,
  metadata: z.record(z.string(), z.string()),
};

export const Agent = z.object({
  id: z.uuid(),
  status: z.string(),
  statusReason: text,
  statusChangedAt: time,
  deactivatedAt: time.nullable(),
  createdAt: time,
  updatedAt: time,
  version: z.int(),
  transferredAt: time.nullable(),
  ...written,
  source: z.object({ name: z.string(), key: z.string() }).nullable(),
  scheduledChanges: z.array(z.unknown()),
  affiliations: z.array(z.unknown()),
  nextLicenseExpiresOn: z.string().nullable(),
});

export const AgentPage = z.object({ items: z.array(Agent) });

const writable = { ...written, address: address.partial().nullable() };
export const AgentPatch = z.object(writable).partial();
export const NewAgent = AgentPatch.required({ firstName: true, lastName: true });

export const AgentQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  status: z.string().optional(),
  region: z.string().optional(),
  q: z.string().optional(),
  sort: z.string().optional(),
});
