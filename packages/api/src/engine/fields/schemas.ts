import { z } from 'zod';
import { metadata, source } from './composite.ts';
import { returnedId, text } from './field.ts';
import { scheduledChanges } from './scheduled-changes.ts';

export const Status = z.enum(['active', 'inactive']).meta({
  id: 'Status',
  description: 'Status (RESO OfficeStatus, MemberStatus)',
  example: 'active',
});
export type Status = z.infer<typeof Status>;

/** A UUID. Ours are version 7, so they sort by creation time. */
export const RecordId = z.uuid().toLowerCase().meta({
  description: 'ID of the record',
  example: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11',
});

export const OneRecord = z.strictObject({ id: RecordId });

const earliest = Date.parse('0001-01-01T00:00:00Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');
/** An offset of 16 hours or more is valid in RFC 3339, but PostgreSQL can't read it. */
const farOffset = /[+-](?:1[6-9]|2\d)(?::?\d\d)?$/;

/** A fraction that PostgreSQL, which stores six digits, would round up to the next second. */
const roundedUp = /\.9{6}[5-9]/;

/** PostgreSQL stores years 1 to 9999 in UTC. */
function isOfKnownYear(time: string): boolean {
  const ms = Date.parse(time);
  return ms >= earliest && (ms < latest || (ms === latest && !roundedUp.test(time)));
}

/** The times that both PostgreSQL and RFC 3339 can represent. */
export const Time = z.iso
  .datetime({ offset: true, abort: true })
  .refine(isOfKnownYear, {
    message: 'must be a time of the years 1 to 9999 in UTC',
    params: { code: 'out_of_range' },
  })
  .refine((time) => !farOffset.test(time), {
    message: 'must have an offset from UTC of less than 16 hours',
    params: { code: 'out_of_range' },
  });

export const count = (description: string, example = 1) => z.int32().min(0).meta({ description, example });

export const versionNumber = (description: string, example = 3) =>
  z.int32().min(1).meta({ description, example });

export const logPosition = (description: string, example = 4711) =>
  z.int().min(0).meta({ description, example });

const timeDocs = (description: string) => ({
  description,
  example: '2026-01-31T08:00:00.000Z',
  format: 'date-time',
});

function time(description: string) {
  return { output: z.string().meta(timeDocs(description)), storage: 'timestamptz' as const };
}

export function optionalTime(description: string) {
  return { output: z.string().nullable().meta(timeDocs(description)), storage: 'timestamptz' as const };
}

export const serverFields = {
  id: {
    output: returnedId(
      'ID of the record, assigned by the server: UUID version 7 (RESO OfficeKey, MemberKey)',
    ),
    storage: 'uuid' as const,
  },
  status: { output: Status, storage: 'text' as const },
  statusReason: {
    output: z.string().nullable().meta({
      description: 'Reason given for the deactivation; `null` if none was given or the record is active',
      example: 'Moved to Porto',
    }),
    storage: 'text' as const,
  },
  statusChangedAt: time('When the status last changed, or when the record was created'),
  deactivatedAt: optionalTime('When the record was deactivated; `null` if active'),
  createdAt: time('When the record was created (RESO OriginalEntryTimestamp)'),
  updatedAt: time('When the record last changed (RESO ModificationTimestamp)'),
  version: {
    output: versionNumber(
      'Version of the record. Starts at 1 and increases by 1 with every change. The ETag is based on it.',
    ),
    storage: 'int' as const,
  },
};

export const recordFields = {
  source: source('Source of the record; unique among records of the same resource'),
  metadata: metadata({
    description: 'Up to 50 custom key-value pairs. A merge patch changes only the pairs you send.',
    example: { costCentre: '4711' },
  }),
  scheduledChanges,
};

const reason = text(
  { lengthMax: 500 },
  {
    description:
      'Reason for the change, stored in its event. For a deactivation, also the `statusReason` while inactive.',
    example: 'Moved to Porto',
  },
);

/** `ifVersion` is for RPC and the CLI. REST uses If-Match (see `rpcOnly`). */
export const versioned = {
  id: RecordId,
  ifVersion: z
    .int()
    .min(1)
    .meta({
      description: 'Version you expect. The change fails if the record has a different version.',
      example: 3,
    })
    .optional(),
};

export const OneRecordOfVersion = z.strictObject(versioned);

export const inHeaders: readonly string[] = ['ifVersion', 'lastEventId'];
export const rpcOnly: readonly string[] = [...inHeaders, 'direction', 'content'];

export const transitionInput = { ...versioned, reason: reason.input.optional() };

export const Transition = z.strictObject(transitionInput).meta({
  id: 'Transition',
  description: 'Optional reason for the change',
  example: { reason: 'Moved to Porto' },
});

export const assignedId = returnedId('ID assigned by the server');

export function returnedTime(description: string) {
  return z.string().meta({ description, example: '2026-01-31T08:00:00.000Z', format: 'date-time' });
}

export function logPlace(pattern: RegExp, words: string): z.ZodString {
  const params = { code: 'invalid_format' };
  return z
    .string()
    .refine((text) => pattern.test(text), { message: `must be ${words}`, params })
    .meta({ pattern: pattern.source });
}

export const effectiveTime = {
  effectiveAt: Time.meta({
    description: 'When the change takes effect (RFC 3339). Defaults to now.',
    example: '2026-02-01T08:00:00Z',
  }).optional(),
  effectiveOn: z.iso
    .date()
    .meta({
      description:
        'Day on which the change takes effect, at 00:00 in the time zone of the office, or in UTC.',
      example: '2026-02-01',
    })
    .optional(),
};

export const scheduledInput = { ...transitionInput, ...effectiveTime };

export const oneTime = { dependentSchemas: { effectiveAt: { properties: { effectiveOn: false } } } };

export const StatusChange = z.strictObject(scheduledInput).meta({
  ...oneTime,
  id: 'StatusChange',
  description: 'Optional reason and time of the change',
  example: { reason: 'Moved to Porto' },
});
