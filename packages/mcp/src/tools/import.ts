import { z } from 'zod';
import type { ImportPreview } from '../changes/change-record.ts';
import { manyOf } from '../service.ts';
import { type ToolOfResources, tool } from '../tool.ts';
import { resourceOf } from './inputs.ts';

const RECORDS_MAX = 500;
const REJECTED_DEFAULT = 20;

/** The indexes of the records that matched one that is there, by what led to it. */
function matchedIndexes(results: ImportPreview['results']): Record<string, number[]> {
  const matched: Record<string, number[]> = {};
  for (const { index, matchedBy } of results)
    if (typeof matchedBy === 'string') matched[matchedBy] = [...(matched[matchedBy] ?? []), index];
  return matched;
}

/** `import_dry_run`: what an import would do. It needs the rights of an import, and writes nothing. */
export const importDryRun: ToolOfResources = (names) =>
  tool({
    name: 'import_dry_run',
    title: 'Try an import',
    description:
      `Checks up to ${RECORDS_MAX} ${manyOf()} as an import would, and answers how many would be created, changed and rejected, and why. ` +
      'It never writes: imports are made by the command line or the console. A record can name its office by the source of that too ' +
      '(`officeSource`, `mainOfficeSource`).',
    kind: 'reads',
    input: z.strictObject({
      resource: resourceOf(names),
      records: z
        .array(z.record(z.string(), z.unknown()))
        .min(1)
        .max(RECORDS_MAX)
        .describe('The records, as `values` of `create`'),
      mode: z
        .enum(['create', 'upsert', 'match'])
        .default('create')
        .describe(
          '`create`: all are new. `upsert`: matched by `source`. `match`: by `source`, else by e-mail address',
        ),
      acceptRenames: z
        .boolean()
        .default(false)
        .describe('Whether a record that its e-mail address alone matches may get another name'),
      rejectedMax: z
        .int()
        .min(1)
        .max(RECORDS_MAX)
        .default(REJECTED_DEFAULT)
        .describe('Rejected records in the result'),
    }),
    output: {
      created: z.int().describe('Would be created'),
      updated: z.int().describe('Would be changed'),
      unchanged: z.int().describe('Are as given'),
      rejected: z.int().describe('Would be rejected'),
      matched: z
        .record(z.string(), z.array(z.int()))
        .describe(
          'The indexes of records that match one that is there, by `source`, `email` or `emailAndName`',
        ),
      data: z.array(z.looseObject({})).describe('The rejected: `index` and why'),
    },
    run: async ({ resource, records, mode, acceptRenames, rejectedMax }, { service, signal, progress }) => {
      const total = records.length;
      await progress(0, total, `Checking ${total} records`);
      const input = { records, mode, acceptRenames, dryRun: true, isAtomic: false };
      const preview = (await service.mutate(`imports.${resource}`, input, { signal })) as ImportPreview;
      await progress(total, total, `Checked ${total} records`);
      const { results, created, updated, unchanged, rejected } = preview;
      const data = results
        .filter(({ error }) => error !== undefined)
        .slice(0, rejectedMax)
        .map(({ index, error }) => ({ index, ...error }));
      return {
        isWritten: false,
        created,
        updated,
        unchanged,
        rejected,
        matched: matchedIndexes(results),
        data,
      };
    },
  });
