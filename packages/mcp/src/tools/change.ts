import type { JsonSchema } from '@roster/contract';
import { z } from 'zod';
import { changeRecord, tryCreate } from '../changes/change-record.ts';
import { newRecordSchema } from '../schemas/record-schemas.ts';
import { nameOf, oneOf, type ResourceName, type Row } from '../service.ts';
import { type ToolCall, type ToolOfResources, tool } from '../tool.ts';
import { changeOptions, dryRun, ifVersion, recordOf, resourceOf } from './inputs.ts';

/** The members of the answer of every change. */
export const changeOutput = {
  isWritten: z.boolean().describe('False of a dry run'),
  checked: z
    .enum(['everything', 'fields'])
    .optional()
    .describe('By a dry run: all rules, or the values alone'),
  data: z
    .looseObject({})
    .describe('`id`, `name` and `version` of the record, and `changes`: each `field`, `before` and `after`'),
};

export const PREVIEWED = 'Writes nothing unless `dryRun` is false: show the user the changes first.';

const lookAlikes = z
  .array(z.looseObject({}))
  .optional()
  .describe('The records that look like it, the most probable first; absent if you may not read them');

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
function valuesOf(schema: JsonSchema) {
  return z
    .record(z.string(), z.unknown())
    .refine((values) => Object.keys(values).length > 0, {
      message: 'must name a field',
      params: { code: 'required' },
    })
    .meta(schema);
}

export const create: ToolOfResources = (names) =>
  tool({
    name: 'create',
    title: 'Create a record',
    description: `Creates one ${oneOf()}. A second call creates a second one: \`lookAlikes\`, also of a dry run, names the records that are there and look like it. Tell the user of them; \`merge\` makes one of two.`,
    kind: 'adds',
    input: z.strictObject({
      resource: resourceOf(names),
      values: valuesOf(newRecordSchema(names)),
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
      changes: valuesOf({
        description:
          'JSON Merge Patch of the fields that `values` of `create` describes: absent ones stay, null clears, lists are replaced as a whole',
      }),
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
      toVersion: z.int().min(1).describe('The version whose values it gets'),
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
