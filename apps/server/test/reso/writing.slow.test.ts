import { describe, expect, it } from 'vitest';
import { bodyOf } from '../support/fixtures.ts';
import { type Entity, resoOf } from '../support/http/reso.ts';
import { startTestServer } from '../support/index.ts';

const ana = { MemberFirstName: 'Ana', MemberLastName: 'Sousa' };
const pathOf = (id: string) => `/Member('${id}')`;

describe('PATCH', () => {
  it('needs a version where the service requires one', async () => {
    await using strict = await startTestServer({ isVersionRequired: true });
    const { send, error } = resoOf(strict);
    const created = await bodyOf<Entity>(await send('POST', '/Member', { ...ana, MemberStateLicense: 'L' }));
    const path = pathOf(String(created.MemberKey));
    for (const body of [{ JobTitle: 'x' }, { MemberStateLicense: 'M' }, { MemberStatus: 'Inactive' }]) {
      expect(await error('PATCH', path, { body })).toMatchObject({ status: 428, code: 'version_required' });
    }
    expect((await send('PATCH', path, { MemberStateLicense: 'M' }, { 'If-Match': '"1"' })).status).toBe(204);
  });
});
