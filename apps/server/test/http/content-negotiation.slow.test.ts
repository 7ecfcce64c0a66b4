import { records } from '@roster/contract/records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Body,
  bodyOf,
  type CollectionName,
  collections,
  directoryOf,
  hasField,
  knownFields,
  smallest,
} from '../support/fixtures.ts';
import { absentFields, createReferences, filled, fullRecord, scripts } from '../support/full-records.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectProblem } from '../support/problems.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** The fields that a new record may have. */
const writable = (collection: CollectionName): string[] =>
  records[collection].fields.filter(({ isReadOnly }) => !isReadOnly).map(({ name }) => name);

/** Whether the records of a resource have licences. */
const isLicensed = (collection: CollectionName) => hasField(collection, 'licenses');

/** What a record is of whose fields only some were written: a display name has a default. */
const smallRecord = (collection: CollectionName, { firstName, lastName, ...sent }: Body) => ({
  ...absentFields(collection),
  ...sent,
  ...(firstName !== undefined && { firstName, lastName, displayName: `${firstName} ${lastName}` }),
});

describe.each(collections)('%s: what is sent is what is read', (collection) => {
  it.each(Object.entries(scripts))('with every field filled to its end, in %s', async (_, word) => {
    const sent = fullRecord(collection, word, await createReferences(server));
    expect(Object.keys(sent).sort()).toEqual(writable(collection).sort());
    const response = await server.request('POST', `/${collection}`, sent);
    const created = await bodyOf(response);
    expect(response.status, JSON.stringify(created)).toBe(201);
    expect(created).toMatchObject(sent);
    expect(await directoryOf(server).get(collection, String(created.id))).toEqual(created);
    const { items } = await directoryOf(server).list(collection, `ids=${created.id}`);
    expect(items).toEqual([created]);
  });

  it('with the least there is: everything else is null or empty', async () => {
    const sent = smallest(collection);
    const record = await directoryOf(server).create(collection, sent);
    const { id, statusChangedAt, createdAt, updatedAt, ...rest } = record;
    expect(id).toMatch(UUID7);
    expect(createdAt).toMatch(TIME);
    expect([statusChangedAt, updatedAt]).toEqual([createdAt, createdAt]);
    expect(rest).toEqual({ status: 'active', version: 1, ...smallRecord(collection, sent) });
  });

  it('with null for every field that may be null, as if it were absent', async () => {
    const required = smallest(collection);
    const optional = writable(collection).filter((name) => !(name in required));
    const nothing = Object.fromEntries(optional.map((name) => [name, null]));
    const record = await directoryOf(server).create(collection, { ...nothing, ...required });
    expect(record).toMatchObject(smallRecord(collection, required));
  });

  it('trimmed, with an empty text as null, but metadata as it is', async () => {
    const sent = knownFields(collection, {
      phone: '\u3000\t+351210000042 \n',
      mlsId: ' \u00a0 ',
      address: { city: ' Porto ', line1: '' },
      metadata: { ' k ': ' v ' },
    });
    const stored = { phone: '+351210000042', mlsId: null, address: { city: 'Porto', line1: null } };
    const record = await directoryOf(server).create(collection, sent);
    expect(record).toMatchObject({ ...knownFields(collection, stored), metadata: { ' k ': ' v ' } });
  });

  it.runIf(hasField(collection, 'address'))('with an address of nothing as none', async () => {
    const record = await directoryOf(server).create(collection, { address: { city: ' ', line1: null } });
    expect(record).toMatchObject({ address: null });
  });

  it.runIf(isLicensed(collection))('with the parts of a licence that were left out as null', async () => {
    const record = await directoryOf(server).create(collection, { licenses: [{ number: 'A-1' }] });
    expect((record as { licenses?: unknown }).licenses).toEqual([
      { number: 'A-1', region: null, type: null, expiresOn: null },
    ]);
  });
});

type ErrorCase = [what: string, body: Record<string, unknown>, fault: string];
const tooLong = (length: number) => filled('é🏠', length + 1);
const errorCases: ErrorCase[] = [
  ['a text that is too long, in characters', { phone: tooLong(32) }, '#/phone too_long'],
  ['a text that is a number', { phone: 5 }, '#/phone invalid_type'],
  ['a text that is a boolean', { mlsId: true }, '#/mlsId invalid_type'],
  ['an e-mail without @', { email: 'ana.example' }, '#/email invalid_format'],
  ['an e-mail with two @', { email: 'ana@b@c' }, '#/email invalid_format'],
  ['an e-mail with a blank', { email: 'ana b@c.example' }, '#/email invalid_format'],
  ['an e-mail that is too long', { email: `a@${tooLong(252)}` }, '#/email too_long'],
  ['a website of another kind', { website: 'ftp://roster.example' }, '#/website invalid_format'],
  ['a website that is a script', { website: 'javascript:alert(1)' }, '#/website invalid_format'],
  ['a website without a host', { website: 'https://' }, '#/website invalid_format'],
  ['a country that is not assigned', { address: { country: 'XX' } }, '#/address/country invalid_format'],
  ['an unknown part of an address', { address: { street: 'x' } }, '#/address/street unknown_field'],
  ['an address that is a text', { address: 'Porto' }, '#/address invalid_type'],
  ['a source with an empty name', { source: { name: ' ', key: '1' } }, '#/source/name required'],
  ['a licence without a number', { licenses: [{}] }, '#/licenses/0/number required'],
  [
    'a licence that ends on a day that is none',
    { licenses: [{ number: '1', expiresOn: '2027-02-29' }] },
    '#/licenses/0/expiresOn invalid_format',
  ],
  ['licences that are no list', { licenses: { number: '1' } }, '#/licenses invalid_type'],
  ['metadata with a number', { metadata: { a: 1 } }, '#/metadata/a invalid_type'],
  ['metadata with an empty key', { metadata: { '': 'x' } }, '#/metadata/ required'],
  [
    'metadata with a long key',
    { metadata: { [filled('k', 41)]: 'x' } },
    `#/metadata/${filled('k', 41)} too_long`,
  ],
  ['metadata with a long value', { metadata: { a: tooLong(500) } }, '#/metadata/a too_long'],
  [
    'metadata of 51 pairs',
    { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 'x'])) },
    '#/metadata too_many',
  ],
  ['another status', { status: 'inactive' }, '#/status read_only'],
  ['a version', { version: 7 }, '#/version read_only'],
  ['an id', { id: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11' }, '#/id read_only'],
  ['an unknown field', { nmae: 'x' }, '#/nmae unknown_field'],
];
/** In a merge patch these have another meaning. */
const errorsOnCreate: ErrorCase[] = [
  ['a source without a key', { source: { name: 'MLS' } }, '#/source/key required'],
];
const errorCasesOfOffices: ErrorCase[] = [
  ['a name of blanks', { name: ' \t' }, '#/name required'],
  ['no name', { name: null }, '#/name invalid_type'],
  ['a name that is too long', { name: tooLong(255) }, '#/name too_long'],
  ['a branch type of its own', { branchType: 'kiosk' }, '#/branchType invalid_choice'],
  ['a time zone that is none', { timeZone: 'Europe/Atlantis' }, '#/timeZone invalid_format'],
  ['an offset for a time zone', { timeZone: '+01:00' }, '#/timeZone invalid_format'],
  ['too many licences', { licenses: Array(21).fill({ number: '1' }) }, '#/licenses too_many'],
  ['a main office that is no id', { mainOfficeId: '17' }, '#/mainOfficeId invalid_format'],
];
const errorCasesOfAgents: ErrorCase[] = [
  ['names of blanks', { firstName: ' ', lastName: '  ' }, '#/firstName required'],
  ['a first name that is too long', { firstName: tooLong(100) }, '#/firstName too_long'],
  ['a language that is none', { languages: ['portuguese_'] }, '#/languages/0 invalid_format'],
  ['an empty designation', { designations: [' '] }, '#/designations/0 required'],
  ['too many designations', { designations: Array(31).fill('x') }, '#/designations too_many'],
  ['too many languages', { languages: Array(21).fill('pt') }, '#/languages too_many'],
  ['too many licences', { licenses: Array(51).fill({ number: '1' }) }, '#/licenses too_many'],
  ['the time of a transfer', { transferredAt: '2026-01-31T08:00:00.000Z' }, '#/transferredAt read_only'],
];
const member = { agentId: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11' };
const errorCasesOfTeams: ErrorCase[] = [
  ['a name of blanks', { name: ' \t' }, '#/name required'],
  ['a social link that is no URL', { socialLinks: ['ribeira'] }, '#/socialLinks/0 invalid_format'],
  ['a member that is no id', { members: [{ agentId: '17' }] }, '#/members/0/agentId invalid_format'],
  ['a member twice', { members: [member, member] }, '#/members/1/agentId repeated'],
  ['a role of its own', { members: [{ ...member, role: 'star' }] }, '#/members/0/role invalid_choice'],
  [
    'two leads on one day',
    {
      members: [
        { ...member, role: 'lead', until: '2026-03-01' },
        { agentId: member.agentId.replace('0198', '0199'), role: 'lead', since: '2026-03-01' },
      ],
    },
    '#/members/1/role second_lead',
  ],
  [
    'a member who leaves before the beginning',
    { members: [{ ...member, since: '2026-03-02', until: '2026-03-01' }] },
    '#/members/0/until out_of_range',
  ],
];
const casesByResource: Partial<Record<CollectionName, ErrorCase[]>> = {
  offices: errorCasesOfOffices,
  agents: errorCasesOfAgents,
  teams: errorCasesOfTeams,
};

/** Whether records of any resource have a field. */
const isKnownField = (name: string) => collections.some((collection) => hasField(collection, name));

/** The cases of a resource: its own, and those that are not of a field which only others have. */
const casesFor = (collection: CollectionName) => [
  ...errorCases.filter(([, body]) =>
    Object.keys(body).every((name) => hasField(collection, name) || !isKnownField(name)),
  ),
  ...(casesByResource[collection] ?? []),
];

async function faultsOf(result: Promise<Response>): Promise<string[]> {
  const { errors = [] } = await expectProblem(await result, 'validation_failed');
  return errors.map(({ pointer, code }) => `${pointer} ${code}`);
}

describe.each(collections)('%s: rejected on create', (collection) => {
  it.each([...casesFor(collection), ...errorsOnCreate])('%s', async (_, body, fault) => {
    const create = server.request('POST', `/${collection}`, { ...smallest(collection), ...body });
    expect(await faultsOf(create)).toEqual([fault]);
  });
});

describe.each(collections)('%s: rejected on update, without a change', (collection) => {
  it.each(casesFor(collection))('%s', async (_, body, fault) => {
    const record = await directoryOf(server).create(collection);
    const update = server.request('PATCH', `/${collection}/${record.id}`, {
      ...body,
      ...knownFields(collection, { phoneExt: '7' }),
    });
    expect(await faultsOf(update)).toEqual([fault]);
    expect(await directoryOf(server).get(collection, record.id)).toEqual(record);
  });
});
