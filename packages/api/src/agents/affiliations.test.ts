import { describe, expect, it } from 'vitest';
import { affiliatedWith, ana, officesOf, useAffiliations } from '../../test/support/affiliation-scene.ts';
import type { Caller } from '../../test/support/caller.ts';
import { fieldErrorsOf, rejected } from '../../test/support/rejected.ts';
import { assignPositions } from '../log/sequencer.ts';

const { database, caller, newOffice, newOffices, derivedOf } = useAffiliations();

const UNKNOWN = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
/** What a rejected call says: its error code, and the pointer and code of each field. */
async function faultsOf(call: Promise<unknown>): Promise<string[]> {
  const error = await rejected(call);
  return [error.errorCode, ...fieldErrorsOf(error)];
}

describe('the affiliations of an agent', () => {
  it('are kept in their order, with null and true for absent parts', async () => {
    const [first = '', second = ''] = await newOffices(2);
    const { id } = await caller().agents.create({
      ...ana,
      affiliations: [
        { officeId: second.toUpperCase() },
        { officeId: first, title: ' Broker ', isVisible: false, since: '2026-03-01' },
      ],
    });
    expect((await caller().agents.get({ id })).affiliations).toEqual([
      { officeId: second, title: null, isVisible: true, since: null },
      { officeId: first, title: 'Broker', isVisible: false, since: '2026-03-01' },
    ]);
  });

  it('are replaced as a whole by a patch, and one that changes nothing makes no version', async () => {
    const [first = '', second = ''] = await newOffices(2);
    const { id } = await caller().agents.create({ ...ana, ...affiliatedWith(first) });
    expect(officesOf(await caller().agents.update({ id, ...affiliatedWith(second) }))).toEqual([second]);
    expect((await caller().agents.update({ id, ...affiliatedWith(second) })).version).toBe(2);
    expect(await caller().agents.update({ id, affiliations: null })).toMatchObject({
      affiliations: [],
      version: 3,
    });
  });

  it('name an office at most once, up to 20, none that does not exist, and not the primary one', async () => {
    const [office = '', primary = ''] = await newOffices(2);
    const creating = (fields: object) => faultsOf(caller().agents.create({ ...ana, ...fields }));
    expect(await creating(affiliatedWith(office, office))).toEqual([
      'validation_failed',
      '#/affiliations/1/officeId repeated',
    ]);
    expect(await creating(affiliatedWith(...Array(21).fill(office)))).toContain('#/affiliations too_many');
    expect(await creating(affiliatedWith(UNKNOWN))).toEqual([
      'reference_not_found',
      '#/affiliations not_found',
    ]);
    expect(await creating({ officeId: primary, ...affiliatedWith(office, primary) })).toEqual([
      'validation_failed',
      '#/affiliations primary',
    ]);
    const { id } = await caller().agents.create({ ...ana, officeId: primary, ...affiliatedWith(office) });
    expect(await faultsOf(caller().agents.update({ id, ...affiliatedWith(primary) }))).toEqual([
      'validation_failed',
      '#/affiliations primary',
    ]);
  });

  it('lose the office that becomes the primary one, by the same change', async () => {
    const [first = '', second = '', third = ''] = await newOffices(3);
    const { id } = await caller().agents.create({
      ...ana,
      officeId: first,
      ...affiliatedWith(second, third),
    });
    const moved = await caller().agents.update({ id, officeId: second });
    expect(moved).toMatchObject({ officeId: second, version: 2 });
    expect(officesOf(moved)).toEqual([third]);
    expect(await derivedOf(id)).toEqual([third]);
    await assignPositions(database().db);
    const { items } = await caller().events.list({ subject: id });
    expect(items.at(-1)?.previous).toMatchObject({ officeId: first, affiliations: [{}, {}] });
  });
});

describe('an inactive office', () => {
  it('takes no new affiliation, and keeps those that it has', async () => {
    const [office = '', other = ''] = await newOffices(2);
    const { id } = await caller().agents.create({ ...ana, ...affiliatedWith(office) });
    await caller().offices.deactivate({ id: office });
    expect(officesOf(await caller().agents.get({ id }))).toEqual([office]);
    expect(officesOf(await caller().agents.update({ id, ...affiliatedWith(office, other) }))).toEqual([
      office,
      other,
    ]);
    for (const call of [
      () => caller().agents.create({ ...ana, ...affiliatedWith(other, office) }),
      () =>
        caller()
          .agents.create(ana)
          .then((agent) => caller().agents.update({ id: agent.id, ...affiliatedWith(office) })),
    ]) {
      expect(await faultsOf(call())).toEqual(['office_inactive', '#/affiliations inactive']);
    }
  });
});

describe('an office with affiliated agents', () => {
  it('cannot be deleted, and says how many there are', async () => {
    const office = await newOffice();
    const { id } = await caller().agents.create({ ...ana, ...affiliatedWith(office) });
    const error = await rejected(caller().offices.delete({ id: office }));
    expect([error.errorCode, error.dependents]).toEqual(['has_dependents', { affiliatedAgents: 1 }]);
    await caller().agents.delete({ id });
    await caller().offices.delete({ id: office });
    expect(await faultsOf(caller().agents.restore({ id }))).toEqual([
      'reference_not_found',
      '#/affiliations not_found',
    ]);
  });
});

describe('the filter officeId', () => {
  it('finds primary and affiliated agents in every order and over all pages, or the primary ones alone', async () => {
    const [office = '', other = ''] = await newOffices(2);
    const names = ['Dias', 'Alves', 'Faria', 'Braga', 'Cunha', 'Esteves', 'Gomes'];
    for (const [index, lastName] of names.entries()) {
      const where = index % 2 === 0 ? { officeId: office } : { officeId: other, ...affiliatedWith(office) };
      await caller().agents.create({ ...ana, lastName, ...where, title: index < 5 ? 'Broker' : null });
    }
    await caller().agents.create({ ...ana, lastName: 'Zink', ...affiliatedWith(other) });
    const pages = async (query: Parameters<Caller['agents']['list']>[0]) => {
      const found: (string | null)[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await caller().agents.list({ ...query, limit: 2, ...(cursor && { cursor }) });
        found.push(...page.items.map(({ lastName }) => lastName));
        if (page.nextCursor === undefined) return found;
        cursor = page.nextCursor;
      }
    };
    expect(await pages({ officeId: office, sort: 'createdAt' })).toEqual(names);
    expect(await pages({ officeId: office })).toEqual(names.toReversed());
    expect(await pages({ officeId: office, sort: 'lastName', expand: 'office' })).toEqual(names.toSorted());
    expect(await pages({ officeId: [office, other], sort: 'createdAt' })).toEqual([...names, 'Zink']);
    const primary = names.filter((_, index) => index % 2 === 0);
    expect(await pages({ officeId: office, affiliation: 'primary', sort: 'createdAt' })).toEqual(primary);
    expect(await pages({ officeId: office, affiliation: 'any', sort: '-lastName' })).toEqual(
      names.toSorted().toReversed(),
    );
    for (const [officeId, total] of [
      [office, 7],
      [[office, other], 8],
    ] as const) {
      const counted = await caller().agents.list({
        officeId: [...[officeId].flat()],
        includeTotal: true,
        limit: 1,
      });
      expect(counted.total).toBe(total);
    }
  });
});

describe('an import', () => {
  const importing = (records: object[], mode: 'create' | 'upsert' = 'create') =>
    caller().imports.agents({ records: records.map((record) => ({ ...ana, ...record })), mode });

  it('writes affiliations, and reports every office that is unknown, inactive or the primary one', async () => {
    const [office = '', closed = ''] = await newOffices(2);
    const source = { name: 'Affiliations', key: '1' };
    const { results } = await importing([{ source, ...affiliatedWith(office, closed) }]);
    await caller().offices.deactivate({ id: closed });
    const id = results[0]?.id ?? '';
    expect(officesOf(await caller().agents.get({ id }))).toEqual([office, closed]);
    expect(await importing([{ source, ...affiliatedWith(closed, office) }], 'upsert')).toMatchObject({
      updated: 1,
    });
    expect(await importing([{ source, officeId: office }], 'upsert')).toMatchObject({ updated: 1 });
    expect(officesOf(await caller().agents.get({ id }))).toEqual([closed]);
    const error = await rejected(
      importing([
        affiliatedWith(UNKNOWN),
        affiliatedWith(closed),
        { officeId: office, ...affiliatedWith(office) },
      ]),
    );
    expect(fieldErrorsOf(error)).toEqual([
      '#/records/0/affiliations not_found',
      '#/records/1/affiliations inactive',
      '#/records/2/affiliations primary',
    ]);
  });
});
