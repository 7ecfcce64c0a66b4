import type { Event, Job } from '@roster/client';
import { expect, it } from 'vitest';
import { happeningsOf } from './story.ts';

const eventOf = (position: number, bulkId?: string) =>
  ({
    position: String(position),
    type: 'agent.updated',
    occurredAt: `2026-11-27T10:00:0${position}.000Z`,
    details: bulkId === undefined ? null : { bulkId },
  }) as unknown as Event;

it('tells the changes of a job as one line, at the time of the latest, and others one by one', () => {
  const job = { id: 'job-1', total: 360 } as Job;
  const events = [eventOf(5), eventOf(4, 'job-1'), eventOf(3, 'job-1'), eventOf(2, 'job-2'), eventOf(1)];
  expect(
    happeningsOf(events, [job]).map(({ occurredAt, jobId, job: of }) => [
      occurredAt.slice(18, 19),
      jobId,
      of?.total,
    ]),
  ).toEqual([
    ['5', undefined, undefined],
    ['4', 'job-1', 360],
    ['2', 'job-2', undefined],
    ['1', undefined, undefined],
  ]);
});
