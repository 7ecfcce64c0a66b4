import { connect } from '@roster/db';
import { createTestDatabase } from '@roster/db/testing';
import { expect, it } from 'vitest';
import { callerIn } from '../../../test/support/caller.ts';

/** One clause a line, so that a change of a statement is read in review as a change of it. */
function laidOut(sql: string): string {
  return sql
    .replaceAll(/\s+/g, ' ')
    .replaceAll(
      / (from|where|order by|limit|returning|union all|on conflict|set|select json_build_object)\b/g,
      '\n  $1',
    )
    .trim();
}

it('asks the database nothing but the statements that were reviewed', async () => {
  await using database = await createTestDatabase();
  const said: string[] = [];
  const db = connect({ connection: database.connection, onStatement: ({ sql }) => said.push(laidOut(sql)) });
  const caller = callerIn(db);
  const reviewed: string[] = [];
  const review = async <Result>(title: string, act: () => Promise<Result>): Promise<Result> => {
    said.length = 0;
    const response = await act();
    reviewed.push(`-- ${title}\n${said.join(';\n')};`);
    return response;
  };
  const { offices, agents } = caller;
  const { id: officeId } = await offices.create({ name: 'Atlântico' });
  const { id } = await review('agents.create', () =>
    agents.create({ firstName: 'Ana', lastName: 'Reis', officeId }),
  );
  await review('agents.get', () => agents.get({ id }));
  await review('agents.update of one version', () =>
    agents.update({ id, title: 'Broker', officeId: null, ifVersion: 1 }),
  );
  await review('agents.list', () => agents.list({}));
  await review('agents.list, filtered, searched, expanded and counted', () =>
    agents.list({
      q: 'ana reis',
      status: 'active',
      officeId,
      sort: 'lastName',
      expand: 'office',
      includeTotal: true,
    }),
  );
  await agents.create({ firstName: 'Rui', lastName: 'Sá' });
  const { nextCursor } = await agents.list({ limit: 1, sort: '-updatedAt' });
  await review('agents.list, after a cursor', () =>
    agents.list({ limit: 1, sort: '-updatedAt', cursor: nextCursor }),
  );
  await review('agents.list, from a name on, of those without an e-mail', () =>
    agents.list({
      limit: 1,
      sort: 'lastName',
      startAt: 'S',
      empty: 'email',
      notEmpty: ['officeId', 'address'],
    }),
  );
  await review('agents.delete', () => agents.delete({ id }));
  await review('agents.restore', () => agents.restore({ id }));
  const source = (key: string) => ({ name: 'MLS', key });
  const known = { firstName: 'Eva', lastName: 'Luz', source: source('1') };
  const { imports } = caller;
  await imports.agents({ records: [known] });
  const records = [known, { ...known, source: source('2'), officeName: 'Atlântico' }];
  await review('imports.agents, of new ones and others', () => imports.agents({ mode: 'upsert', records }));
  await db.destroy();
  await expect(`${reviewed.join('\n\n')}\n`).toMatchFileSnapshot('statements.sql');
});
