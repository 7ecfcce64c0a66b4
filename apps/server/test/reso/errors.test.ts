import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { directoryOf } from '../support/fixtures.ts';
import { filter, resoOf } from '../support/http/reso.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;
let reso: ReturnType<typeof resoOf>;
let key: string;
beforeAll(async () => {
  server = await startTestServer();
  reso = resoOf(server);
  key = (await directoryOf(server).agent()).id;
});
afterAll(() => server[Symbol.asyncDispose]());

const nested = (levels: number) => `${'('.repeat(levels)}JobTitle eq 'x'${')'.repeat(levels)}`;
const terms = (count: number) => Array.from({ length: count }, () => "JobTitle eq 'x'").join(' or ');
const values = (count: number) => `JobTitle in (${Array.from({ length: count }, () => "'x'").join()})`;

describe('a hostile filter', () => {
  it.each([
    ['nesting', nested(500), 'too_deep'],
    ['nots', `${'not '.repeat(500)}(JobTitle eq 'x')`, 'too_deep'],
    ['too many comparisons', terms(201), 'too_many'],
    ['a huge in', values(501), 'too_many'],
    ['SQL', "JobTitle eq 'x'; drop table agent", 'invalid_format'],
    ['an unknown field', "Password eq 'x'", 'unknown_field'],
    ['a name of an object', "constructor eq 'x'", 'unknown_field'],
    ['the prototype', "__proto__ eq 'x'", 'unknown_field'],
    ["a name of the API's own", "lastName eq 'x'", 'unknown_field'],
    ['another entity', "Office/OfficeName eq 'x'", 'not_supported'],
    ['arithmetic', 'X_RosterVersion add 1 eq 2', 'not_supported'],
    ['an unknown function', 'length(JobTitle) eq 2', 'not_supported'],
    ['a number for a text', 'JobTitle eq 5', 'invalid_type'],
    ['a text for a number', "X_RosterVersion eq '5'", 'invalid_type'],
    ['a text for a time', "ModificationTimestamp gt '2026-01-01'", 'invalid_type'],
    ['a day for a time', 'ModificationTimestamp gt 2026-01-01', 'invalid_type'],
    ['a year out of range in UTC', 'ModificationTimestamp lt 9999-12-31T23:59:59-10:00', 'out_of_range'],
    ['an offset out of range', 'ModificationTimestamp lt 2026-01-01T00:00:00+16:00', 'out_of_range'],
    ['a leap second', 'ModificationTimestamp gt 2026-06-30T23:59:60Z', 'invalid_format'],
    ['a day of no year', 'MemberTransferDate gt 0000-01-01', 'out_of_range'],
    ['a number that is infinite', 'X_RosterVersion lt 1e999', 'invalid_format'],
    ['a collection that is compared', "MemberLanguages eq 'en'", 'invalid_type'],
    ['any on a text', "JobTitle/any(j: j eq 'x')", 'invalid_type'],
    ['another field in a lambda', "MemberLanguages/any(l: JobTitle eq 'x')", 'not_supported'],
    ['a value that no lookup has', "MemberStatus eq 'Retired'", 'invalid_value'],
    ['a part of a lookup', "contains(MemberStatus, 'A')", 'invalid_type'],
    ['NUL', "JobTitle eq '\u0000'", 'invalid_character'],
  ])('with %s is answered with its documented error, which names the option', async (_, text, code) => {
    const error = await reso.error('GET', `/Member?${filter(text)}`);
    expect(error).toMatchObject({ status: 400, code: 'invalid_parameter' });
    expect(error.details).toEqual([expect.objectContaining({ target: '$filter', code })]);
    expect(error.details[0]?.message).toMatch(/\(character \d+\)$/);
  });

  it('at the limits is answered', async () => {
    const lastDay = 'MemberTransferDate le 9999-12-31';
    expect((await reso.send('GET', `/Member?${filter(lastDay)}`)).status).toBe(200);
    // A URL has at most 10,000 characters.
    for (const text of [nested(19), terms(200), values(500)]) {
      expect((await reso.send('GET', `/Member?${filter(text)}`)).status).toBe(200);
    }
    const long = `MemberLastName eq '${'x'.repeat(10_000)}'`;
    expect((await reso.send('GET', `/Member?${filter(long)}`)).status).toBe(414);
  });
});

describe('an option', () => {
  it.each([
    ['/Member?$skip=1000000000', '$skip', 'out_of_range'],
    ['/Member?$skip=99999999999999', '$skip', 'invalid_format'],
    ['/Member?$top=-1', '$top', 'invalid_format'],
    ['/Member?$count=maybe', '$count', 'invalid_format'],
    ['/Member?$select=Password', '$select', 'unknown_field'],
    ['/Member?$select=Office', '$select', 'unknown_field'],
    ['/Member?$orderby=Password', '$orderby', 'unknown_field'],
    ['/Member?$orderby=MemberLanguages', '$orderby', 'invalid_type'],
    ['/Member?$expand=Media', '$expand', 'unknown_field'],
    ['/Member?$expand=Office,Office', '$expand', 'invalid_format'],
    ['/Member?$expand=Office($top=1)', '$expand', 'not_supported'],
    ['/Office?$expand=Members($count=true)', '$expand', 'not_supported'],
    ['/Office?$expand=Members($expand=Office)', '$expand', 'too_deep'],
    ['/Member?$search=ana', '$search', 'not_supported'],
    ['/Member?$apply=aggregate(x)', '$apply', 'not_supported'],
    ['/Member?limit=5', 'limit', 'not_supported'],
    ['/Member?$top=1&$top=2', '$top', 'invalid_format'],
    ['/Member?$format=atom', '$format', 'not_supported'],
    ['/Member?$skiptoken=x', '$skiptoken', 'invalid_format'],
    ['/Lookup?$skiptoken=1~abc', '$skiptoken', 'invalid_format'],
    ['/Lookup?$expand=Office', '$expand', 'not_supported'],
    ['/Member?$skip=1&$skiptoken=1~abc', '$skip', 'not_allowed'],
    ['/EntityEvent?$skiptoken=1~1&skip=0', '$skip', 'not_allowed'],
    ['?$top=1', '$top', 'not_allowed'],
    ['/Member/$count?$top=1', '$top', 'not_allowed'],
    ['/$metadata?$format=json', '$format', 'not_supported'],
    ["/EntityEvent?$filter=ResourceName ne 'Member'", '$filter', 'not_supported'],
    ['/EntityEvent?$orderby=ResourceName', '$orderby', 'not_supported'],
    ['/EntityEvent?$orderby=EntityEventSequence desc,ResourceName', '$orderby', 'not_supported'],
    ['/EntityEvent?$skip=10001', '$skip', 'out_of_range'],
    ['/EntityEvent?$expand=Office', '$expand', 'not_supported'],
    ['/EntityEvent?$skiptoken=1~abc', '$skiptoken', 'invalid_format'],
    ['/EntityEvent/$count?$orderby=EntityEventSequence', '$orderby', 'not_allowed'],
  ])('that is wrong is rejected: %s', async (path, target, code) => {
    const error = await reso.error('GET', path);
    expect(error).toMatchObject({ status: 400, code: 'invalid_parameter' });
    expect(error.details).toEqual([expect.objectContaining({ target, code })]);
  });

  it('of sets is none of one entity', async () => {
    expect(await reso.error('GET', `/Member('${key}')?$top=1`)).toMatchObject({
      details: [{ target: '$top', code: 'not_allowed' }],
    });
  });

  it('of a page belongs to the filter and the order of the page before', async () => {
    await directoryOf(server).agent();
    const page = await reso.get('/Member?$top=2', { Prefer: 'maxpagesize=1' });
    const link = `${page['@odata.nextLink']}&${filter("JobTitle eq 'x'")}`;
    expect(await reso.error('GET', link)).toMatchObject({ status: 400, code: 'cursor_mismatch' });
    expect(await reso.error('GET', '/Member?$skiptoken=1~abc')).toMatchObject({ code: 'invalid_cursor' });
  });
});

describe('a path', () => {
  it.each([
    '/Nothing',
    '/member',
    '/Member/',
    '/Member()',
    '/Member(1)',
    "/Member('a')/Nothing",
    "/Member('a",
    '/$batch',
    '/EntityEvent(1)/$count',
    "/Lookup('x')/Y",
    "/Member(OfficeKey='a')",
    '/%ff',
    `/Member('${'('.repeat(5_000)}`,
  ])('that names nothing gets 404: %s', async (path) => {
    expect((await reso.send('GET', path)).status).toBe(path === '/%ff' ? 400 : 404);
  });

  it('rejects a method that it does not have, and lists those that it has', async () => {
    const response = await reso.send('POST', '/Lookup', {});
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    const entity = await reso.send('POST', `/Member('${key}')`, {});
    expect([entity.status, entity.headers.get('allow')]).toEqual([405, 'DELETE, GET, HEAD, OPTIONS, PATCH']);
  });
});

describe('the version of OData', () => {
  it('is the newest that the client accepts', async () => {
    const versionWith = async (headers: Record<string, string>) =>
      (await reso.send('GET', '', undefined, headers)).headers.get('odata-version');
    expect(await versionWith({})).toBe('4.01');
    expect(await versionWith({ 'OData-Version': '4.0' })).toBe('4.0');
    expect(await versionWith({ 'OData-MaxVersion': '4.0' })).toBe('4.0');
    expect(await versionWith({ 'OData-MaxVersion': '5.0' })).toBe('4.01');
    for (const headers of [
      { 'OData-Version': '3.0' },
      { 'OData-Version': '5.0' },
      { 'OData-MaxVersion': '3.0' },
    ]) {
      expect(await reso.error('GET', '', { headers })).toMatchObject({
        status: 400,
        code: 'invalid_parameter',
      });
    }
  });
});

describe('the format of responses', () => {
  const accept = (Accept: string) => reso.send('GET', '/Member?$top=1', undefined, { Accept });

  it.each([
    'application/json',
    'application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false',
    'Application/JSON; Metadata=Minimal; charset="UTF-8"',
    'application/json;odata.metadata=none, application/json;q=0.5',
    'application/json;odata.metadata=full;q=0.9, */*;q=0.1',
    'text/html',
    '',
  ])('is JSON with minimal metadata for Accept: %s', async (value) => {
    const response = await accept(value);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/json;odata.metadata=minimal;IEEE754Compatible=false;charset=utf-8',
    ]);
  });

  it.each([
    ['application/json;odata.metadata=none', 'odata.metadata=none'],
    ['application/json; odata.metadata=full; x=1', 'odata.metadata=full, x=1'],
    ['application/json;IEEE754Compatible=true', 'IEEE754Compatible=true'],
    ['application/json;charset=utf-16', 'charset=utf-16'],
    ['application/json;odata=verbose', 'odata=verbose'],
    ['application/json;odata.metadata=none, application/json;q=0, text/html', 'odata.metadata=none'],
  ])('is rejected if none that is accepted is supported: %s', async (value, named) => {
    const detail = `must not have ${named}: responses are application/json;odata.metadata=minimal`;
    const expected = { status: 400, code: 'invalid_parameter', message: `Accept ${detail}.` };
    expect(await reso.error('GET', '/Member', { headers: { Accept: value } })).toMatchObject(expected);
    const [format = ''] = value.split(',');
    expect(await reso.error('GET', `/Member?$format=${encodeURIComponent(format)}`)).toMatchObject({
      status: 400,
      message: `$format ${detail}.`,
    });
  });

  it('is that of $format, which stands before Accept', async () => {
    const headers = { Accept: 'application/json;odata.metadata=none' };
    expect((await reso.send('GET', '/Member?$format=json', undefined, headers)).status).toBe(200);
    expect(await reso.error('GET', '/Member?$format=atom')).toMatchObject({
      message: '$format must be json.',
    });
  });
});
