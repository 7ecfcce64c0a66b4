import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectFault, expectProblem } from '../support/problems.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const post = (body: unknown, type?: string) =>
  server.request('POST', '/offices', body, type === undefined ? {} : { 'Content-Type': type });

describe('a body is read', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'APPLICATION/JSON',
  ])('as %s', async (type) => {
    const response = await post({ name: 'Αθήνα' }, type);
    expect(response.status).toBe(201);
    expect((await bodyOf(response)).name).toBe('Αθήνα');
  });

  it('up to 256 KiB and not a byte more', async () => {
    const padded = (length: number) => `{"name":"x"${' '.repeat(length - 12)}}`;
    expect((await post(padded(256 * 1024))).status).toBe(201);
    await expectProblem(await post(padded(256 * 1024 + 1)), 'payload_too_large');
  });

  it('after a byte order mark, which RFC 8259 lets a reader ignore', async () => {
    expect((await post('\ufeff{"name":"x"}')).status).toBe(201);
  });

  it('with escapes for characters beyond the basic plane', async () => {
    const response = await post('{"name":"\\ud83c\\udfe0"}');
    expect((await bodyOf(response)).name).toBe('🏠');
  });
});

describe('a body is rejected', () => {
  it.each([
    ['is cut off', '{"name":'],
    ['is no JSON', 'name=x'],
    ['has a comma too many', '{"name":"x",}'],
    ['has a second value', '{"name":"x"}{}'],
    ['is only blank', '   '],
    ['has NaN', '{"name":NaN}'],
    ['has a bare control character in a text', '{"name":"a\nb"}'],
  ])('when it %s: 400', async (_, body) => {
    await expectProblem(await post(body), 'invalid_json');
  });

  it.each([
    ['a lone continuation byte', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['half a surrogate pair', [0xed, 0xa0, 0x80]],
    ['a cut-off sequence', [0xe2, 0x82]],
    ['Latin-1', [0xe9]],
  ])('when it holds %s instead of UTF-8: 400', async (_, bytes) => {
    const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('"}')]);
    await expectProblem(await post(new Uint8Array(body)), 'invalid_json');
  });

  it.each(['[]', '"x"', '5', 'true', 'null', '[{"name":"x"}]'])('when it is %s: 422', async (body) => {
    await expectProblem(await post(body), 'validation_failed');
  });

  it('when it holds NUL: 422', async () => {
    const fault = { pointer: '#/name', code: 'invalid_character' };
    await expectFault(await post('{"name":"a\\u0000b"}'), 'validation_failed', fault);
  });

  it.each(['\\ud800', '\\udc00', 'a\\udbff', '\\udc00\\ud800'])(
    'when it holds the lone surrogate %s: 422',
    async (escaped) => {
      const faults = ['name', 'bio', 'address/city', 'source/key', 'metadata/key', 'licenses/0/number'];
      const text = `"${escaped}"`;
      const body = `{"name":${text},"bio":${text},"address":{"city":${text}},"source":{"name":"s","key":${text}},
      "metadata":{"key":${text}},"licenses":[{"number":${text}}]}`;
      const { errors } = await expectProblem(await post(body), 'validation_failed');
      expect(errors?.map(({ pointer, code }) => `${pointer} ${code}`).sort()).toEqual(
        faults.map((fault) => `#/${fault} invalid_character`).sort(),
      );
    },
  );

  it('when a name in its metadata is no Unicode, as a place that can be read', async () => {
    const response = await post('{"name":"x","metadata":{"\\ud800":"y"}}');
    const { errors = [] } = await expectProblem(response, 'validation_failed');
    expect(errors.map(({ code }) => code)).toEqual(['invalid_character']);
  });

  it('when an unknown field has a name that is no Unicode: 422', async () => {
    const { errors = [] } = await expectProblem(
      await post('{"name":"x","\\ud800":"y"}'),
      'validation_failed',
    );
    expect(errors.map(({ code }) => code)).toEqual(['unknown_field']);
  });

  it('with 422 if any value is nested ten thousand deep', async () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const deepObject = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    for (const value of [deep, deepObject]) {
      await expectProblem(await post(`{"name":${value}}`), 'validation_failed');
      await expectProblem(await post(`{"name":"x","unknown":${value}}`), 'validation_failed');
      await expectProblem(await post(`{"name":"x","metadata":{"a":${value}}}`), 'validation_failed');
    }
    await expectProblem(await post(deep), 'validation_failed');
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'x',
  ])('as %s: 415', async (type) => {
    await expectProblem(await post('{"name":"x"}', type), 'unsupported_media_type');
  });

  it('without a Content-Type: 415', async () => {
    const body = new TextEncoder().encode('{"name":"x"}');
    const response = await server.request('POST', '/offices', body, { 'Content-Type': '' });
    await expectProblem(response, 'unsupported_media_type');
  });
});

describe('no body', () => {
  it.each([undefined, 'application/json'])('is a missing field to POST (Content-Type %s)', async (type) => {
    const fault = { pointer: '#/name', code: 'required' };
    await expectFault(await post(type && '', type), 'validation_failed', fault);
  });

  it('is no patch: 400', async () => {
    const { id } = await directoryOf(server).office();
    for (const type of [{}, { 'Content-Type': 'application/merge-patch+json' }])
      await expectProblem(await server.request('PATCH', `/offices/${id}`, undefined, type), 'invalid_json');
    expect((await directoryOf(server).get('offices', id)).version).toBe(1);
    expect((await server.request('PATCH', `/offices/${id}`, {})).status).toBe(200);
  });
});
