import { z } from 'zod';
import { addressFields, plainFields } from './agent.ts';

/** The contract of the peers that are made of one (Fastify, the stock wiring): types and lengths, no more. */

type Shape = Record<string, z.ZodType>;

const text = z.string().max(4_000).nullable();
const name = z.string().min(1).max(100);
const time = z.iso.datetime();
const texts = (names: readonly string[]): Shape => Object.fromEntries(names.map((field) => [field, text]));
const license = z.object({ number: z.string(), ...texts(['region', 'type', 'expiresOn']) });
const address = z.object(texts(addressFields));

const written: Shape = {
  ...texts(plainFields),
  displayName: z.string(),
  officeId: z.uuid().nullable(),
  licenses: z.array(license),
  address: address.nullable(),
  languages: z.array(z.string()),
  designations: z.array(z.string()),
  assistantToAgentId: z.uuid().nullable(),
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

export const AgentPatch = z.object({ ...written, address: address.partial().nullable() }).partial();
export const NewAgent = AgentPatch.extend({ firstName: name, lastName: name });

export const AgentQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  status: z.string().optional(),
  region: z.string().optional(),
  q: z.string().optional(),
  sort: z.string().optional(),
});
