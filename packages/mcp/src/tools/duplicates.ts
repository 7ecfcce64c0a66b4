import { z } from 'zod';
import { differences } from '../changes/differences.ts';
import { manyOf, nameOf, oneOf, type Page, type ResourceName, type Row } from '../service.ts';
import { pageOutput, type ToolOfResources, tool } from '../tool.ts';
import { changeOutput, PREVIEWED } from './change.ts';
import { restOf } from './find.ts';
import { changeOptions, cursor, limit, recordId, resourceOf } from './inputs.ts';
import { summaryOf } from './summaries.ts';

/** Two records that may be the same, as the service answers them. */
interface Pair extends Row {
  records: Row[];
  reasons: { text: string }[];
}

function pairSummary(resource: ResourceName, { id, score, reasons, records }: Pair) {
  const why = reasons.map(({ text }) => text);
  return { id, score, reasons: why, records: records.map((record) => summaryOf(resource, record)) };
}

export const findDuplicates: ToolOfResources = (names) =>
  tool({
    name: 'find_duplicates',
    title: 'Records that may be the same',
    description: `Pairs of ${manyOf()} that may be the same, the most probable first, each with a score from 0 to 1 and the reasons. Propose them; \`merge\` makes one of two.`,
    kind: 'reads',
    input: z.strictObject({
      resource: resourceOf(names),
      minScore: z.number().min(0.5).max(1).default(0.8).describe('The least score'),
      recordId: recordId('a record, for pairs with it').optional(),
      officeId: recordId('an office, for pairs with a record of it').optional(),
      limit: limit(10, 50),
      cursor,
    }),
    output: pageOutput,
    run: async ({ resource, ...query }, { service, signal }) => {
      const page = (await service.query(`${resource}.duplicates`, query, { signal })) as Page;
      return { data: page.items.map((pair) => pairSummary(resource, pair as Pair)), ...restOf(page) };
    },
  });

export const merge: ToolOfResources = (names) =>
  tool({
    name: 'merge',
    title: 'Make one record of two',
    description:
      `Merges one ${oneOf()} into another one, which keeps its values, gets those that it lacks, and everything that referred to the ` +
      `duplicate. The id of the duplicate leads to it then; it can be undone for 30 days. ${PREVIEWED}`,
    kind: 'changes',
    input: z.strictObject({
      resource: resourceOf(names),
      id: recordId('the record that survives'),
      duplicateId: recordId('the record that is merged into it, and deleted'),
      fields: z
        .record(z.string().max(100), z.enum(['survivor', 'duplicate', 'both']))
        .optional()
        .describe('By field, whose value stays, where it is not to be as described'),
      ...changeOptions,
    }),
    output: changeOutput,
    run: async ({ resource, ...input }, { service, signal }) => {
      const before = (await service.query(`${resource}.get`, { id: input.id }, { signal })) as Row;
      // With the version that was read, so that what is answered is what the merge made different.
      const sent = { ...input, ifVersion: input.ifVersion ?? before.version };
      const answer = (await service.mutate(`${resource}.merge`, sent, { signal })) as Row;
      const { mergeId: _, duplicateId: __, moved: ___, ...after } = answer;
      return {
        isWritten: !input.dryRun,
        ...(input.dryRun && { checked: 'everything' }),
        data: {
          resource,
          id: input.id,
          name: nameOf(resource, after),
          version: Number(input.dryRun ? before.version : after.version),
          changes: differences(before, after),
        },
      };
    },
  });
