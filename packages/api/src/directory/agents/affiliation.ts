import { z } from 'zod';
import { date, text } from '../../engine/fields/field.ts';

const officeDocs = {
  description:
    'An affiliated office. Each office at most once, and never the one in `officeId` (RESO OfficeKey)',
  example: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11',
};
const visibleDocs = { description: 'Whether the office shows the agent to the public', example: true };
const title = text(
  { lengthMax: 100 },
  {
    description: "The agent's job title in this office (RESO JobTitle)",
    example: 'Consultant for new homes',
  },
);
const since = date({ description: 'First day of the affiliation, if known', example: '2026-03-01' });

function rejectRepeated({ value, issues }: z.core.ParsePayload<{ officeId: string }[]>): void {
  const named = new Set<string>();
  for (const [index, { officeId }] of value.entries()) {
    if (named.has(officeId)) {
      const message = 'is an office that is already in this list';
      const path = [index, 'officeId'];
      issues.push({ code: 'custom', input: officeId, message, path, params: { code: 'repeated' } });
    }
    named.add(officeId);
  }
}

/** In addition to the primary office. Absent parts are null, and `isVisible` is true. */
export const affiliation = {
  input: z
    .strictObject({
      officeId: z.uuid().toLowerCase().meta(officeDocs),
      title: title.input.default(null),
      isVisible: z.boolean().default(true).meta(visibleDocs),
      since: since.input.default(null),
    })
    .meta({ id: 'NewAffiliation', description: 'An affiliation to write' }),
  output: z
    .strictObject({
      officeId: z.string().meta({ ...officeDocs, format: 'uuid' }),
      title: title.output,
      isVisible: z.boolean().meta(visibleDocs),
      since: since.output,
    })
    .meta({
      id: 'Affiliation',
      description: 'An office an agent belongs to in addition to the primary office',
    }),
  listStorage: 'jsonb' as const,
  checkItems: rejectRepeated,
};
