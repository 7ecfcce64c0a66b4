import { z } from 'zod';
import { changeRecord, tryCreate } from '../changes/change-record.ts';
import { writableSchema } from '../schemas/record-schemas.ts';
import { nameOf, oneOf, type ResourceName, type Row } from '../service.ts';
import { type ToolCall, type ToolOfResources, tool } from '../tool.ts';
import { changeOptions, dryRun, ifVersion, recordOf, resourceOf } from './inputs.ts';

const changeList = z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() }));

/** The members of the answer of every change. */
export const changeOutput = {
  isWritten: z.boolean().describe('False of a dry run: nothing was written'),
  checked: z
    .enum(['everything', 'fields'])
    .optional()
    .describe('Of a dry run: `everything` if the service tried it, `fields` if only the values were checked'),
  data: z.object({
    resource: z.string(),
    id: z.string().nullable(),
    name: z.unknown().optional(),
    version: z.int().nullable(),
    changes: changeList,
    notReverted: changeList.optional(),
  }),
};

export const PREVIEWED =
  'Answers what it would change and writes nothing, unless `dryRun` is false. Show the user the changes before you write.';

const lookAlikes = z
  .array(z.object({ id: z.unknown(), name: z.unknown(), score: z.number(), reasons: z.array(z.string()) }))
  .optional()
  .describe(
    'The records that were there and look like it, the most probable first; absent if you may not read them',
  );

/** Finds the records that a new one looks like; undefined if the caller may read none, or the service cannot compare its values. */
async function findLookAlikes(resource: ResourceName, values: Row, { service, rights, signal }: ToolCall) {
  if (!rights.resources('read').includes(resource)) return undefined;
  const answer = await service
    .mutate(`${resource}.checkDuplicates`, values, { signal })
    .catch((error: unknown) => {
      // The creation says what is wrong with the values.
      if (service.problemOf(error) === undefined) throw error;
      return undefined;
    });
  return (answer as { lookAlikes: LookAlike[] } | undefined)?.lookAlikes.map(
    ({ score, reasons, record }) => ({
      id: record.id,
      name: nameOf(resource, record),
      score,
      reasons: reasons.map(({ text }) => text),
    }),
  );
}

interface LookAlike {
  score: number;
  reasons: { text: string }[];
  record: Row;
}

/** An object whose members the service checks; the schema says what they may be. */
function valuesOf(names: readonly ResourceName[], operation: 'create' | 'update', description: string) {
  return z
    .record(z.string(), z.unknown())
    .refine((values) => Object.keys(values).length > 0, 'must name a field')
    .meta({ ...writableSchema(names, operation), description });
}

export const create: ToolOfResources = (names) =>
  tool({
    name: 'create',
    title: 'Create a record',
    description: `Creates one ${oneOf()}. A second call creates a second one: \`lookAlikes\`, also of a dry run, names the records that are there and look like it. Tell the user of them; \`merge\` makes one of two.`,
    kind: 'adds',
    input: z.strictObject({
      resource: resourceOf(names),
      values: valuesOf(names, 'create', 'The fields of the record'),
      dryRun: dryRun(false),
    }),
    output: { ...changeOutput, lookAlikes },
    run: async ({ resource, values, dryRun }, call) => {
      const { service, signal } = call;
      const alike = await findLookAlikes(resource, values, call);
      const changesTo = (record: Row) =>
        Object.keys(values).map((field) => ({ field, before: null, after: record[field] ?? null }));
      if (dryRun) {
        const checked = await tryCreate(resource, values, call);
        return {
          isWritten: false,
          checked,
          lookAlikes: alike,
          data: { resource, id: null, version: null, changes: changesTo(values) },
        };
      }
      const record = (await service.mutate(`${resource}.create`, values, { signal })) as Row;
      const { id, version } = record;
      return {
        isWritten: true,
        lookAlikes: alike,
        data: { resource, id, name: nameOf(resource, record), version, changes: changesTo(record) },
      };
    },
  });

export const update: ToolOfResources = (names) =>
  tool({
    name: 'update',
    title: 'Change fields of a record',
    description: `Changes fields of the one ${oneOf()} that is named. ${PREVIEWED}`,
    kind: 'changes',
    input: z.strictObject({
      ...recordOf(names),
      changes: valuesOf(
        names,
        'update',
        'JSON Merge Patch: absent fields stay, null clears, lists are replaced as a whole; `create` describes the fields',
      ),
      ifVersion,
      dryRun: dryRun(true),
    }),
    output: changeOutput,
    run: ({ resource, id, changes, ifVersion, dryRun }, call) => {
      const change = {
        resource,
        id,
        ifVersion,
        operation: 'update',
        input: changes,
        patch: changes,
      } as const;
      return changeRecord(change, dryRun, call);
    },
  });

/** A tool that sets the status of one record. */
function statusTool(
  operation: 'deactivate' | 'reactivate',
  { title, does, status }: { title: string; does: string; status: string },
): ToolOfResources {
  return (names) =>
    tool({
      name: operation,
      title,
      description: `${does} ${PREVIEWED}`,
      kind: 'changes',
      input: z.strictObject({
        ...recordOf(names),
        ...changeOptions,
      }),
      output: changeOutput,
      run: ({ resource, id, reason, ifVersion, dryRun }, call) => {
        const input = reason === undefined ? {} : { reason };
        return changeRecord({ resource, id, ifVersion, operation, input, patch: { status } }, dryRun, call);
      },
    });
}

export const deactivate = statusTool('deactivate', {
  title: 'Deactivate a record',
  does: `Makes the one ${oneOf()} that is named inactive. No other record changes.`,
  status: 'inactive',
});

export const reactivate = statusTool('reactivate', {
  title: 'Reactivate a record',
  does: `Makes the one ${oneOf()} that is named active again. No other record changes.`,
  status: 'active',
});

export const revert: ToolOfResources = (names) =>
  tool({
    name: 'revert',
    title: 'Go back to an earlier version',
    description:
      'Gives the one record that is named, or some of its fields, the values of an earlier version; `history` has the versions. ' +
      `The status does not change. ${PREVIEWED}`,
    kind: 'changes',
    input: z.strictObject({
      ...recordOf(names),
      toVersion: z.int().min(1),
      fields: z.array(z.string().max(100)).min(1).max(100).optional().describe('Only these fields'),
      ...changeOptions,
    }),
    output: changeOutput,
    run: async ({ resource, ...input }, { service, signal }) => {
      const answer = (await service.mutate(`${resource}.revert`, input, { signal })) as Row;
      const { id, version, changes, notReverted } = answer;
      return {
        isWritten: !input.dryRun,
        ...(input.dryRun && { checked: 'everything' }),
        data: { resource, id, name: nameOf(resource, answer), version, changes, notReverted },
      };
    },
  });
