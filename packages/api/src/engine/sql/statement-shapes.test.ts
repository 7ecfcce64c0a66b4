import { connect, type Database, forgetStatements } from '@roster/db';
import fc from 'fast-check';
import type { Kysely, Transaction } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OfficeScene, officeScene } from '../../../test/support/office-scene.ts';
import { agents } from '../../directory/agents/definition.ts';
import { offices } from '../../directory/offices/definition.ts';
import { definitions } from '../../directory/registry.ts';
import { teams } from '../../directory/teams/definition.ts';
import { readHistory } from '../../history/repository.ts';
import { firstMatching } from '../../jobs/record-sets.ts';
import { findEvents, readEvents } from '../../log/repository.ts';
import type { EventType } from '../../log/types.ts';
import { deactivation, reactivation, transfer, writtenColumns } from '../../records/service.ts';
import { countDirectory } from '../../stats/repository.ts';
import { findRecord } from '../list/find-record.ts';
import { readPage } from '../list/list-records.ts';
import type { ListInput } from '../list/listable.ts';
import { type OfficeLimit, readLimit } from '../office-limit.ts';
import { loadVocabulary } from '../search/vocabulary.ts';
import { always, byId, byIds, changeRecords, deleteRecords, insertRecord } from '../write/mutations.ts';

/**
 * A statement that was compiled for one request runs for others. So a request must have the same text and the same result whatever
 * was compiled before it: many of them, in random order, on what the others have left compiled, are compared with the same ones of a
 * process that has nothing compiled.
 */

let scene: OfficeScene;
let db: Kysely<Database>;
let limits: Record<'none' | 'main' | 'other', OfficeLimit | undefined>;
const texts: string[] = [];
beforeAll(async () => {
  scene = await officeScene();
  const { all, offices: ids, agents: people, database } = scene;
  for (const officeId of [ids.main, ids.other]) {
    await all.agents.update({ id: people.main, affiliations: [{ officeId: ids.other }] });
    const members = [{ agentId: people.main }, { agentId: people.other }];
    await all.teams.create({ name: 'Equipa', officeId, members });
  }
  await scene.settle();
  db = connect({ connection: database.connection, onStatement: ({ sql }) => texts.push(sql) });
  // It is kept for a while, so that the first search alone would read it.
  for (const { table } of definitions) await loadVocabulary(db, table);
  limits = {
    none: undefined,
    main: await readLimit(db, [ids.main]),
    other: await readLimit(db, [ids.other]),
  };
});
afterAll(async () => {
  await db.destroy();
  await scene[Symbol.asyncDispose]();
});

type Request = (trx: Transaction<Database>) => Promise<unknown>;

const now = new Date('2040-01-31T08:00:00.000Z');
const cause = { now, actorId: null, requestId: null };

const resource = fc.constantFrom(...definitions);
const limit = fc.constantFrom('none' as const, 'main' as const, 'other' as const);
const officeId = fc.constantFrom('main' as const, 'branch' as const, 'other' as const);
const agentId = fc.constantFrom('main' as const, 'branch' as const, 'other' as const, 'none' as const);
const officeIds = fc.subarray(['main', 'branch', 'other'] as const, { minLength: 1 });
/** One of some lists of values. */
const anyOf = (...lists: string[][]) => fc.constantFrom(...lists);

const words = fc.constantFrom('Reis', 'Porto Ana', 'r', '!', '+351 912 345 678', '12 34 56 78');

/** The filters that lists of a resource have, each with values of several shapes. */
const filters = fc.record(
  {
    status: anyOf(['active'], ['inactive'], ['active', 'inactive']),
    city: anyOf(['Porto'], ['Porto', 'Faro']),
    region: anyOf(['Norte'], ['Norte', 'Sul']),
    country: anyOf(['PT'], ['PT', 'ES']),
    email: anyOf(['a@example.com'], ['a@example.com', 'b@example.com']),
    mlsId: anyOf(['1'], ['1', '2']),
    createdSince: fc.constantFrom('2020-01-01T00:00:00Z', '2050-01-01T00:00:00Z'),
    createdBefore: fc.constant('2050-01-01T00:00:00Z'),
    updatedSince: fc.constant('2020-01-01T00:00:00Z'),
    deactivatedSince: fc.constant('2020-01-01T00:00:00Z'),
    empty: fc.subarray(['email', 'phone', 'mlsId'] as const, { minLength: 1 }),
    notEmpty: fc.subarray(['email', 'phone', 'address'] as const, { minLength: 1 }),
    not: fc.subarray(['status', 'city', 'region', 'email', 'mlsId']),
    q: words,
  },
  { requiredKeys: [] },
);

const licenseFilters = fc.record(
  {
    licenseNumber: anyOf(['1'], ['1', '2']),
    licenseExpiresSince: fc.constant('2026-01-31'),
    licenseExpiresBefore: fc.constant('2026-02-01'),
  },
  { requiredKeys: [] },
);

const paging = fc.record(
  { includeTotal: fc.boolean(), startAt: fc.constant('M'), isExpanded: fc.boolean() },
  { requiredKeys: [] },
);

/** A page, the one after it, and that before this one. */
const pages = fc
  .record({
    of: resource,
    within: limit,
    input: fc.tuple(filters, licenseFilters).map(([all, ofLicenses]) => ({ ...all, ...ofLicenses })),
    paging,
    ids: officeIds,
    column: fc.constantFrom('officeId' as const, 'anyOfficeId' as const, 'agentId' as const, undefined),
    sort: fc.constantFrom('name', '-name', 'createdAt', '-updatedAt', 'nextLicenseExpiresOn', 'relevance'),
    limit: fc.constantFrom(1, 50),
  })
  .map(({ of, within, input, paging: { isExpanded, startAt, ...more }, ids, column, ...page }): Request => {
    const { licenseNumber, licenseExpiresSince, licenseExpiresBefore, ...common } = input;
    const hasLicenses = 'licenses' in of.fields;
    const isByName = /^-?name$/.test(page.sort);
    const isSortable =
      (page.sort !== 'relevance' || common.q !== undefined) &&
      (page.sort !== 'nextLicenseExpiresOn' || hasLicenses);
    const sort = isByName ? page.sort.replace('name', of.nameSort) : isSortable ? page.sort : 'createdAt';
    const wanted = ids.map((name) => scene.offices[name]);
    const own =
      of.name === agents.name && column !== 'agentId'
        ? { ...(column && { [column]: wanted }) }
        : of.name === teams.name && column === 'agentId'
          ? { agentId: [scene.agents.main] }
          : {};
    const asked: ListInput = {
      ...common,
      ...(hasLicenses && { licenseNumber, licenseExpiresSince, licenseExpiresBefore }),
      ...(isByName && startAt !== undefined && { startAt }),
      ...more,
      ...own,
      limit: page.limit,
      sort,
    };
    const expanded = isExpanded ? Object.values(of.expansions ?? {})[0]?.shape : undefined;
    return async (trx) => {
      const read = (cursor?: string) =>
        readPage<{ id: string }, ListInput, object>(trx, {
          resource: of,
          input: { ...asked, ...(cursor !== undefined && { cursor }) },
          expanded,
          now,
          limit: limits[within],
        });
      const first = (await read()).decode();
      if (first.nextCursor === undefined) return [first];
      const second = (await read(first.nextCursor)).decode();
      return [first, second, second.prevCursor && (await read(second.prevCursor)).decode()];
    };
  });

const record = fc
  .record({ of: resource, within: limit, office: officeId, agent: agentId, isExpanded: fc.boolean() })
  .map(({ of, within, office, agent, isExpanded }): Request => {
    const id = () => (of.name === offices.name ? scene.offices[office] : scene.agents[agent]);
    const expanded = isExpanded ? Object.values(of.expansions ?? {})[0]?.shape : undefined;
    return async (trx) => {
      const found = await findRecord(trx, of, { id: id(), limit: limits[within], expanded });
      return [found?.decode(), found?.version];
    };
  });

/** Patches of agents, by which some columns get expressions of their own. */
const patch = fc.record(
  {
    firstName: fc.constant('Rui'),
    lastName: fc.constant('Sá'),
    displayName: fc.constantFrom('Rui Sá', null),
    title: fc.constantFrom('Broker', null),
    metadata: fc.constantFrom({ a: '1' }, null),
    address: fc.constantFrom({ city: 'Porto' }, { country: 'PT' }, null),
    languages: fc.constant(['pt']),
  },
  { requiredKeys: [] },
);

const precondition = fc.constantFrom(
  undefined,
  ...(['any', 'of', 'except'] as const).map((kind) => ({ kind, versions: [1] })),
);

const update = fc
  .record({
    patch,
    within: limit,
    office: fc.option(officeId, { nil: undefined }),
    agent: agentId,
    precondition,
    isAlways: fc.boolean(),
  })
  .map(({ patch: given, within, office, agent, precondition: expected, isAlways }): Request => {
    const change = () => writtenColumns(agents, given, { isPatch: true });
    return (trx) =>
      changeRecords(trx, agents, {
        selection: byId(scene.agents[agent]),
        columns: { ...change(), ...(office && { office_id: { value: scene.offices[office] } }) },
        precondition: expected,
        when: isAlways ? always : undefined,
        verb: 'updated',
        cause,
        limit: limits[within],
      });
  });

const members = fc
  .record({ within: limit, agent: fc.option(agentId, { nil: undefined }) })
  .map(({ within, agent }): Request => {
    const given = () =>
      agent === undefined
        ? []
        : [{ agentId: scene.agents[agent], role: 'member', title: null, since: null, until: null }];
    return async (trx) => {
      const ids = (await trx.selectFrom('team').select('id').orderBy('id').execute()).map(({ id }) => id);
      const columns = writtenColumns(teams, { members: given() }, { isPatch: true });
      const selection = byIds(ids);
      return changeRecords(trx, teams, { selection, columns, verb: 'updated', cause, limit: limits[within] });
    };
  });

const status = fc
  .record({ within: limit, agent: agentId, kind: fc.nat(2), isOne: fc.boolean() })
  .map(({ within, agent, kind, isOne }): Request => {
    return (trx) => {
      const id = scene.agents[agent];
      const moved = () => transfer(agents, scene.offices.branch, cause);
      const change = [deactivation(cause), reactivation(cause), moved()][kind] ?? moved();
      const selection = isOne ? byId(id) : byIds([id]);
      return changeRecords(trx, agents, { selection, ...change, limit: limits[within] });
    };
  });

const insertion = fc
  .record({
    patch,
    within: limit,
    office: fc.option(officeId, { nil: null }),
    verb: fc.constantFrom('created' as const, 'restored' as const),
  })
  .map(({ patch: given, within, office, verb }): Request => {
    return (trx) => {
      const officeIdOf = office === null ? null : scene.offices[office];
      const input = { firstName: 'Eva', lastName: 'Luz', ...given, officeId: officeIdOf };
      const columns = {
        id: { value: '0198f000-0000-7000-8000-000000000000' },
        created_at: { value: now },
        updated_at: { value: now },
        status_changed_at: { value: now },
        ...writtenColumns(agents, input, { isPatch: false }),
      };
      return insertRecord(trx, agents, { columns, verb, cause, limit: limits[within] });
    };
  });

const deletion = fc
  .record({ within: limit, agent: agentId, isOne: fc.boolean(), precondition })
  .map(({ within, agent, isOne, precondition: expected }): Request => {
    return (trx) => {
      const id = scene.agents[agent];
      const selection = isOne ? byId(id) : byIds([id]);
      return deleteRecords(trx, agents, { selection, cause, precondition: expected, limit: limits[within] });
    };
  });

const types: EventType[][] = [['agent.created'], ['key.created'], ['key.created', 'agent.created']];
const log = fc
  .record({
    within: limit,
    types: fc.constantFrom(undefined, ...types),
    agent: fc.option(agentId, { nil: undefined }),
    ofActor: fc.boolean(),
    hasRecords: fc.boolean(),
    withHidden: fc.boolean(),
    kind: fc.nat(4),
    q: fc.option(words, { nil: undefined }),
  })
  .map(({ within, types: asked, agent, ofActor, hasRecords, withHidden, kind, q }): Request => {
    return async (trx) => {
      const officeLimit = limits[within];
      const subject = agent === undefined ? undefined : scene.agents[agent];
      const actorId = ofActor ? '0198f000-0000-7000-8000-000000000000' : undefined;
      const filter = { ...(q === undefined ? { all: true as const } : { q }) };
      switch (kind) {
        case 0:
          return readEvents(trx, {
            after: withHidden ? 1_000 : 1,
            isBackward: withHidden,
            types: asked,
            subject,
            actorId,
            limit: 3,
            officeLimit,
          });
        case 1:
          return findEvents(trx, [1, 2, 3, 4, 5], officeLimit);
        case 2:
          return countDirectory(trx, { now, limit: officeLimit });
        case 3:
          return firstMatching(trx, agents, { filter, limit: officeLimit, now, max: hasRecords ? 2 : 5 });
        default: {
          const place = { id: '1000', position: ofActor ? 1000 : null };
          const before = asked === undefined ? undefined : place;
          const read = { table: agents.table, before, limit: 5, hasRecords, withHidden, officeLimit };
          return readHistory(trx, { ...read, subject: subject ?? scene.agents.main });
        }
      }
    };
  });

const request = fc.oneof(
  { arbitrary: pages, weight: 6 },
  { arbitrary: fc.oneof(record, update, members, status, insertion, deletion, log), weight: 6 },
);

/** The texts and the result of a request, or its error. Nothing that it changes is kept. */
async function outcomeOf(run: Request) {
  const undone = new Error('undone');
  let result: unknown;
  const attempt = db.transaction().execute(async (trx) => {
    texts.length = 0;
    result = await run(trx).catch((error: Error) => error.message);
    throw undone;
  });
  await attempt.catch((error: unknown) => {
    if (error !== undone) throw error;
  });
  return { texts: texts.filter((text) => !/^(begin|rollback)/.test(text)), result };
}

it('has the same text and the same result, whatever was compiled before', { timeout: 120_000 }, async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 20, maxLength: 40 }), async (requests) => {
      const outcomes = [];
      for (const run of requests) outcomes.push(await outcomeOf(run));
      for (const [place, run] of requests.entries()) {
        forgetStatements();
        const alone = await outcomeOf(run);
        expect(outcomes[place]).toEqual(alone);
        for (const text of alone.texts) seen.add(text);
      }
    }),
    { numRuns: 20 },
  );
  // The requests of a run have hundreds of shapes.
  expect(seen.size).toBeGreaterThan(100);
});
