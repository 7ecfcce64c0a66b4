import { expect, it } from 'vitest';
import { directoryOf } from '../support/fixtures.ts';
import { expectConflict, ifMatch, useVersions } from './version-scene.ts';

const { server, strict, officeOfVersion2 } = useVersions();

it('lets one of 50 clients with the same ETag succeed, and returns a conflict to the 49 others', async () => {
  const { id } = await officeOfVersion2();
  const racers = Array.from({ length: 50 }, (_, index) =>
    (index % 2 ? strict() : server()).request(
      'PATCH',
      `/offices/${id}`,
      { bio: `racer ${index}` },
      ifMatch('"2"'),
    ),
  );
  const responses = await Promise.all(racers);
  const winners = responses.filter(({ status }) => status === 200);
  expect(winners).toHaveLength(1);
  for (const response of responses) if (response.status !== 200) await expectConflict(response, 3);
  const [winner] = winners;
  expect(await directoryOf(server()).get('offices', id)).toEqual(winner && (await winner.json()));
});
