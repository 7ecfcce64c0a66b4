import { createTestDatabase } from '@roster/db/testing';
import fc from 'fast-check';
import { ADMIN, type Caller as Principal } from '../../../src/access/caller.ts';
import { licenseKey } from '../../../src/engine/sameness/keys.ts';
import { queryRecords } from '../../../src/query.ts';
import type { RecordQuery, RecordQueryPage } from '../../../src/records/query/condition.ts';
import { callerIn } from '../caller.ts';
import { contextOf } from '../context.ts';
import type { Json } from './query-reference.ts';

/** Texts with what patterns, quotes, Unicode and orders could get wrong. */
export const TEXTS = [
  ...['a', 'A', 'b', 'ab', 'aB c', '%', 'a%b', 'a_b', '_', '\\', '\\%', "O'Neil", '"', "';drop agent;--"],
  ...['é', 'e\u0301', 'Ção', '😀', 'a😀b', '\uff5e', 'ΑΣ', 'ας', 'İstanbul', 'straße', 'null', '$1', '{a,b}'],
  ...['a-b', 'A B', '\u200ba', 'a\u202ab'],
];

const text = fc.constantFrom(...TEXTS);
const optional = fc.option(text, { freq: 2 });
const short = fc.constantFrom('1', 'a', 'A', '%', '_');
const license = fc.record({
  number: text,
  region: fc.option(short),
  type: fc.option(text),
  expiresOn: fc.option(fc.constantFrom('2026-12-31', '2027-01-01', '2027-12-31')),
});
const address = fc.option(
  fc.record({
    line1: optional,
    line2: optional,
    city: optional,
    county: optional,
    region: fc.option(short),
    postalCode: optional,
    country: fc.option(fc.constantFrom('PT', 'ES')),
  }),
);
const telephone = fc.option(fc.constantFrom('+351210000042', '+351210000043', '+13055550123'));
/** What offices and agents have. */
const shared = {
  type: optional,
  phone: telephone,
  phoneExt: fc.option(short),
  fax: telephone,
  mlsId: optional,
  bio: optional,
  nationalAssociationId: optional,
  // No record has a licence twice.
  licenses: fc.uniqueArray(license, { maxLength: 2, selector: licenseKey }),
  address,
};
const office = fc.record({
  ...shared,
  name: text,
  legalName: optional,
  franchise: optional,
  mailingAddress: address,
  branchType: fc.option(fc.constantFrom('main', 'branch', 'stand_alone')),
  timeZone: fc.option(fc.constantFrom('Europe/Lisbon', 'UTC')),
});
const languages = fc.uniqueArray(fc.constantFrom('pt', 'en', 'pt-BR'), { maxLength: 3 });
const agent = fc.record({
  ...shared,
  firstName: text,
  lastName: optional,
  middleName: optional,
  nickname: optional,
  displayName: optional,
  namePrefix: optional,
  title: optional,
  mobilePhone: telephone,
  directPhone: telephone,
  languages,
  designations: fc.uniqueArray(text, { maxLength: 3 }),
});

const START = Date.parse('2026-01-31T08:00:00.000Z');

/** Offices and agents with generated values, of which many repeat, and how they are queried. */
export async function queryScene() {
  const database = await createTestDatabase();
  const { db } = database;
  let tick = 0;
  // Three records for each millisecond, so that times repeat too.
  const now = () => new Date(START + Math.floor(tick++ / 3));
  const caller = callerIn(db, { now });
  const officeIds: string[] = [];
  for (const [index, input] of fc.sample(office, { numRuns: 30, seed: 1 }).entries()) {
    const source = index % 2 === 0 ? { name: 'MLS', key: `O%${index}` } : null;
    const mainOfficeId = index % 3 === 0 ? officeIds.at(-1) : null;
    officeIds.push((await caller.offices.create({ ...input, source, mainOfficeId })).id);
  }
  const agentIds: string[] = [];
  for (const [index, input] of fc.sample(agent, { numRuns: 60, seed: 2 }).entries()) {
    const officeId = index % 4 === 0 ? null : officeIds[index % 5];
    const assistantToAgentId = index % 5 === 0 ? agentIds.at(-1) : null;
    const email = index % 3 === 0 ? `Agent${index}@X.example` : null;
    const { id } = await caller.agents.create({ ...input, officeId, assistantToAgentId, email });
    agentIds.push(id);
    if (index % 6 === 1) await caller.agents.transfer({ id, officeId: String(officeIds[index % 7]) });
    if (index % 7 === 1) await caller.agents.deactivate({ id, reason: 'a_b' });
  }
  const listOf = async (resource: 'offices' | 'agents') =>
    (await caller[resource].list({ limit: 200 })).items as unknown as Json[];
  const records = { offices: await listOf('offices'), agents: await listOf('agents') };
  /** One page, for a caller with all rights unless another is given. */
  const page = (query: RecordQuery, as: Principal = ADMIN): Promise<RecordQueryPage> =>
    queryRecords({ ...contextOf(db), caller: as }, query);
  return {
    database,
    db,
    caller,
    records,
    page,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}
export type QueryScene = Awaited<ReturnType<typeof queryScene>>;
