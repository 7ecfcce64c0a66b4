import { describe, expect, it } from 'vitest';
import { createScene, useScene } from '../../test/support/agent-steps.ts';
import { callerIn } from '../../test/support/caller.ts';
import { keyOf } from '../../test/support/context.ts';
import { assignPositions } from '../log/sequencer.ts';
import { compactEvents } from '../log/upkeep.ts';

const shared = useScene();

describe('the history of a record', () => {
  it('says who and why, and is that of one resource', async () => {
    const { caller } = shared();
    const key = await caller.keys.create({ name: 'Back office', scopes: ['offices:write'] });
    const by = callerIn(shared().db, {
      request: {
        authenticate: async () => keyOf(['offices:read', 'offices:write'], key),
      },
    });
    const { id } = await by.offices.create({ name: 'Baixa' });
    await by.offices.deactivate({ id, reason: 'Moved' });
    const { items } = await caller.offices.history({ id });
    expect(items).toMatchObject([
      {
        type: 'office.deactivated',
        reason: 'Moved',
        actorId: key.id,
        actorName: 'Back office',
        requestId: 'test',
      },
      { type: 'office.created', reason: null },
    ]);
    await expect(caller.agents.history({ id })).rejects.toThrow(`No agent has the ID ${id}`);
    await expect(by.offices.history({ id })).rejects.toThrow('events:read');
  });

  it('shows the names of keys only to callers who may read keys', async () => {
    const { caller, db } = shared();
    const key = await caller.keys.create({ name: 'Reader', scopes: ['offices:read', 'events:read'] });
    const withScopes = (scopes: 'keys:manage'[]) =>
      callerIn(db, {
        request: {
          authenticate: async () => keyOf(['offices:read', 'offices:write', 'events:read', ...scopes], key),
        },
      });
    const { id } = await withScopes([]).offices.create({ name: 'Baixa' });
    for (const [scopes, actorName] of [
      [[], null],
      [['keys:manage'], 'Reader'],
    ] as const) {
      const reader = withScopes([...scopes]);
      expect((await reader.offices.history({ id })).items).toMatchObject([{ actorId: key.id, actorName }]);
    }
  });

  it('is there for deleted records, and ends with their purge', async () => {
    const { caller } = shared();
    const { id } = await caller.agents.create({ firstName: 'Ana', lastName: 'Reis', phoneExt: '1' });
    await caller.agents.delete({ id });
    const { items } = await caller.agents.history({ id });
    expect(items.map(({ type, changes }) => [type, changes.length])).toEqual([
      ['agent.deleted', 0],
      ['agent.created', 5],
    ]);
  });

  it('begins where the log does', async () => {
    await using own = await createScene();
    const { caller, db } = own;
    const { id } = await caller.agents.create({ firstName: 'Ana', lastName: 'Reis' });
    await caller.agents.update({ id, phoneExt: '1' });
    await assignPositions(db);
    await compactEvents(db, { now: new Date(Date.now() + 60_000), retentionDays: 0 });
    expect((await caller.agents.history({ id })).items).toMatchObject([{ version: 2 }]);
  });

  it('rejects a cursor of another record, and what is none', async () => {
    const { caller } = shared();
    const [one, other] = [
      await caller.offices.create({ name: 'A' }),
      await caller.offices.create({ name: 'B' }),
    ];
    await caller.offices.update({ id: one.id, phoneExt: '1' });
    const { nextCursor } = await caller.offices.history({ id: one.id, limit: 1 });
    expect(nextCursor).toBeDefined();
    await expect(caller.offices.history({ id: other.id, cursor: nextCursor })).rejects.toMatchObject({
      errorCode: 'cursor_mismatch',
    });
    for (const cursor of [
      'x',
      btoa('["1",-1,"x"]'),
      btoa('["9999999999999999999",null,"01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11"]'),
    ])
      await expect(caller.offices.history({ id: one.id, cursor })).rejects.toMatchObject({
        errorCode: 'invalid_cursor',
      });
  });
});
