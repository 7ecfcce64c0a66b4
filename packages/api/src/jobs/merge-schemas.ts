import { z } from 'zod';
import { DuplicateQuery } from '../duplicates/schemas.ts';
import { SCORE_MIN } from '../duplicates/score.ts';
import type { ResourceTexts } from '../resources/definition.ts';
import { expected, expectedUnlessTried, isExpected } from './bulk-schemas.ts';
import { reason } from './schemas.ts';

/** The pairs that a dry run tries to merge. */
export const PAIRS_CHECKED_MAX = 50;

const { kind, officeId, recordId } = DuplicateQuery.shape;

/** Which pairs of records are merged: the filters of their list. */
const PairSelection = z
  .strictObject({
    minScore: z
      .number()
      .min(SCORE_MIN)
      .max(1)
      .meta({
        description: `The least score, from ${SCORE_MIN} to 1, when the job is accepted and when a pair is merged`,
        example: 0.95,
      }),
    kind,
    officeId,
    recordId,
  })
  .meta({
    description:
      'Which pairs: the filters of their list. Those that were decided not to be the same are none',
    example: { minScore: 0.95, kind: ['telephone'] },
  });
export type PairSelection = z.output<typeof PairSelection>;

/** The merge of many pairs of a resource. */
export function mergeManyOf({ name, texts }: { name: string; texts: Pick<ResourceTexts, 'schema'> }) {
  return z
    .strictObject({
      filter: PairSelection,
      expectedCount: expected.expectedCount,
      dryRun: z
        .boolean()
        .optional()
        .meta({
          description: `Changes nothing: answers how many pairs there are, and what would become of the first ${PAIRS_CHECKED_MAX}`,
          example: true,
        }),
      reason,
    })
    .refine(...isExpected)
    .meta({
      ...expectedUnlessTried,
      id: `${texts.schema}Merges`,
      description: `The merge of all pairs of ${name} from a score on`,
      example: { filter: { minScore: 0.95 }, dryRun: true },
    });
}

export interface MergeMany {
  filter: PairSelection;
  expectedCount?: number | undefined;
  dryRun?: boolean | undefined;
  reason?: string | null | undefined;
}

export const mergeManyDocs =
  'Makes one record of each pair that may be the same, from a score on, by a job in the background, the most probable first. The one that is ' +
  'active survives, else the one that was created first; it keeps its values and gets those that it lacks. A pair is merged if both are ' +
  'still as alike when it is its turn, also of a chain, and an error of the job otherwise. `expectedCount` must be the number of pairs. With ' +
  '`dryRun` nothing is changed: answers 200 with the number, the first five survivors, and the errors among the first ' +
  `${PAIRS_CHECKED_MAX}. The undo of the job takes all of its merges back. Counts as ten requests.`;
