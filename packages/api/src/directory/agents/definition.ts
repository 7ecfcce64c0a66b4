import { type AgentRow, constant, fragment } from '@roster/db';
import { type RawBuilder, sql } from 'kysely';
import type { ResourceDefinition } from '../../engine/definition.ts';
import {
  type JsonShape,
  jsonShape,
  jsonShapeOf,
  recordExpressions,
  recordShape,
} from '../../engine/json/record-json.ts';
import { recordFields } from '../../engine/json/record-sql.ts';
import { type Asked, byItems, equals, equalsWithoutCase, isAnyId } from '../../engine/list/filters.ts';
import { isWithin } from '../../engine/office-limit.ts';
import { transferEventVerbs } from '../../engine/outbox/event-outbox.ts';
import { withoutCaseSql } from '../../engine/sameness/sql.ts';
import { type Columns, columnsOf, type Expressions } from '../../engine/sql/column-mapping.ts';
import type { Condition, Filter, FilterPart } from '../../engine/sql/filter.ts';
import { licenseExpirySql, licenseFilters, licenseSort, searchedLicenses } from '../licenses.ts';
import { officeSummary, offices } from '../offices/definition.ts';
import { placeFilters, placeRecord, placeSort, searchedPlace } from './place.ts';
import {
  Agent,
  AgentQuery,
  agentFields,
  agentFilterFields,
  ImportedAgent,
  type ListedAgent,
  NewAgent,
} from './schemas.ts';

/** The column of a display name is null for the default; the expiry of licences has none. */
type StoredAsGiven = Omit<typeof agentFields, 'displayName' | 'nextLicenseExpiresOn'>;

/** Han, kana and Hangul, as a class of a regular expression of PostgreSQL. */
const EAST_ASIAN = '[\\u3005\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7af]';

/** Scripts without spaces, in which the family name is first. */
const searchedUnspaced = {
  columns: ['first_name', 'last_name'],
  text: (row: string) =>
    `case when concat(${row}.last_name, ${row}.first_name) ~ '^${EAST_ASIAN}+$' then concat(${row}.last_name, ${row}.first_name) end`,
};

const agentRecord = recordFields<StoredAsGiven, AgentRow>('agent', agentFields, {
  expressions: {
    displayName: (row) =>
      `coalesce(${row}.display_name, concat_ws(' ', ${row}.first_name, ${row}.last_name))`,
    nextLicenseExpiresOn: licenseExpirySql,
  },
  searchedAlso: [
    searchedUnspaced,
    searchedLicenses,
    { columns: ['office_name'], text: (row) => `${row}.office_name` },
    searchedPlace,
  ],
});

const withOffice = {
  office: sql<ListedAgent['office']>`(select ${officeSummary} from office where office.id = agent.office_id)`,
};
const withPlace = (offices?: RawBuilder<unknown>) => ({ place: placeRecord(offices) });

type Expanded = Pick<ListedAgent, 'office' | 'place'>;
type Added<Row> = { [Name in keyof Row]?: RawBuilder<Row[Name]> };

/** `more` may depend on the offices of a limit. */
function expanded(more: (offices?: RawBuilder<unknown>) => Added<Expanded>): JsonShape<ListedAgent> {
  const fields = recordExpressions<Agent>(agentRecord);
  return {
    ...jsonShape({ ...fields, ...more() }),
    limited: (offices) => jsonShapeOf({ ...fields, ...more(offices) }),
  };
}

/** By their names in alphabetical order. */
const expansions = {
  office: { shape: constant(expanded(() => withOffice)), resource: offices.name },
  place: { shape: constant(expanded(withPlace)) },
  'office,place': {
    shape: constant(expanded((limited) => ({ ...withOffice, ...withPlace(limited) }))),
    resource: offices.name,
  },
};

/** A display name equal to the default is stored as the default. */
function unlessDefault(shown: RawBuilder<unknown>, byDefault: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`nullif(${shown}::text, ${byDefault})`;
}

const nameColumns = ['first_name', 'last_name'] as const;

/** `kept` are the names that a patch does not contain. */
const givenName = fragment<{ kept: readonly string[] }>(({ kept }, param) => {
  const names = nameColumns.map((column) =>
    kept.includes(column) ? sql.ref(`target.${column}`) : sql`${param(column)}::text`,
  );
  return unlessDefault(param('display_name'), sql`concat_ws(' ', ${sql.join(names)})`);
});

function agentColumns(input: object, { isPatch }: { isPatch: boolean }): Columns {
  const columns = columnsOf(agentFields, input, { isPatch });
  const { display_name: shown } = columns;
  if (typeof shown?.value !== 'string') return columns;
  const kept = isPatch ? nameColumns.filter((column) => !(column in columns)) : [];
  return { ...columns, display_name: { value: shown.value, by: givenName({ kept }), reads: kept } };
}

const computedColumns = {
  display_name: unlessDefault(
    sql.ref('merged.display_name'),
    sql`concat_ws(' ', merged.first_name, merged.last_name)`,
  ),
};

const defaults = {
  displayName: ({ firstName, lastName }: Readonly<Record<string, unknown>>) =>
    [firstName, lastName].filter((name) => name !== null).join(' '),
};

function transferOf({ office_id: officeId }: Expressions, now: RawBuilder<Date>): Expressions {
  if (officeId === undefined) return {};
  const isMoved = sql`target.office_id is distinct from ${officeId}::uuid`;
  return { transferred_at: sql`case when ${isMoved} then ${now} else target.transferred_at end` };
}

interface OfficeFilter {
  officeId?: string[] | undefined;
  affiliation?: 'primary' | 'any' | undefined;
  not?: readonly string[] | undefined;
}

/** Matches the primary or an affiliated office, or only the primary one. */
export function agentFilters<Given extends OfficeFilter>({ officeId, affiliation, ...others }: Given) {
  if (affiliation === 'primary') return { ...others, officeId };
  const not = others.not?.map((name) => (name === 'officeId' ? 'anyOfficeId' : name));
  return { ...others, ...(not && { not }), anyOfficeId: officeId };
}

const isOfOffice = fragment<{ isOne: boolean }, Condition>(({ isOne }, param) => {
  const wanted = param('office_id');
  if (isOne)
    return sql`(
      office_id = ${wanted}::uuid
      or id in (select agent_id from agent_affiliation where affiliated_office_id = ${wanted}::uuid))`;
  return sql`(office_id = any(${wanted}::uuid[])
    or id in (select agent_id from agent_affiliation where affiliated_office_id = any(${wanted}::uuid[])))`;
});

const partsOfOffice = fragment<{ isOne: boolean }, readonly FilterPart[]>(({ isOne }, param) => {
  const wanted = param('office_id');
  const primary = equals({ column: 'office_id', isOne, type: 'uuid' }).sql(param);
  if (!isOne) {
    const others = sql<boolean>`id in (
      select agent_id from agent_affiliation where affiliated_office_id = any(${wanted}::uuid[]))
      and (office_id = any(${wanted}::uuid[])) is not true`;
    return [{ condition: primary }, { condition: others }];
  }
  const affiliated = {
    join: sql`join agent_affiliation on agent_affiliation.agent_id = agent.id`,
    condition: sql<boolean>`affiliated_office_id = ${wanted}::uuid`,
    sameColumns: { created_at: 'agent_created_at', id: 'agent_id' },
  };
  return [{ condition: primary }, affiliated];
});

/** An agent is never affiliated with the primary office, but can be with several of these. */
function ofAnyOffice(ids: string[]): Filter {
  const isOne = ids.length === 1;
  return {
    ...isAnyId('office_id', ids),
    condition: isOfOffice({ isOne }),
    parts: partsOfOffice({ isOne }),
  };
}

const hasName = fragment((_, param) => {
  const shown = sql`coalesce(display_name, concat_ws(' ', first_name, last_name))`;
  const names = [sql.ref('first_name'), sql.ref('last_name'), shown].map(withoutCaseSql);
  return sql<boolean>`array[${sql.join(names)}] && array(
    select ${withoutCaseSql(sql`wanted`)} from unnest(${param('names')}::text[]) as wanted)`;
});

const speaks = fragment(
  (_, param) => sql<boolean>`exists (
    select from unnest(languages) as spoken, unnest(${param('spoken')}::text[]) as wanted
    where spoken = wanted or starts_with(spoken, wanted || '-'))`,
);

/** No index has these: agents are read in the order of the list until the page is full. */
const personFilters = {
  name: (names: string[]): Filter => ({ condition: hasName({}), values: { names } }),
  title: (titles: string[]): Filter => ({
    condition: equalsWithoutCase({ column: 'title', isOne: false }),
    values: { title: titles },
  }),
  language: (spoken: string[]): Filter => ({ condition: speaks({}), values: { spoken } }),
};

const teamRows = { table: 'team_member', owner: 'agent_id', item: 'team_id' };

const limit = { column: 'office_id', rule: 'an agent must be in one of them' };
const office = { table: offices.table, limitColumn: offices.limit.column };

export const agents = constant({
  name: 'agents',
  texts: {
    schema: 'Agent',
    one: 'an agent',
    title: 'Agents',
    description: 'The agents who work in the offices (RESO Member)',
  },
  schemas: {
    record: Agent,
    created: NewAgent,
    imported: ImportedAgent,
    query: AgentQuery,
    filters: agentFilterFields,
  },
  nameField: 'displayName',
  nameParts: ['firstName', 'lastName'],
  listFields: ['displayName', 'status', 'email', 'phone', 'officeId'],
  usualColumns: ['displayName', 'officeId', 'address.city', 'phone', 'email', 'nextLicenseExpiresOn'],
  ...agentRecord,
  fields: agentFields,
  table: 'agent',
  ...recordShape<Agent>('agent'),
  isVersioned: true,
  nameSort: 'lastName',
  tieBreaks: { lastName: 'firstName', firstName: 'lastName', city: 'lastName' },
  sortColumns: { firstName: 'sorted_first_name', lastName: 'sorted_last_name', city: 'place_city' },
  computedSorts: { ...licenseSort, ...placeSort },
  filters: {
    ...licenseFilters,
    officeId: (values: string[]) => isAnyId('office_id', values),
    anyOfficeId: ofAnyOffice,
    ...placeFilters,
    ...personFilters,
    teamId: (ids: string[], { isLimited }: Asked) =>
      byItems({ derived: teamRows, of: { table: 'team', limitColumn: 'office_id' }, ids, isLimited }),
  },
  textWithin: (offices) => sql<string>`agent_text_within(agent, ${offices}::uuid[])`,
  searchedPaths: ['licenses.*.number', 'office.name', 'place.city'],
  orderedIndexes: {
    place_region: 'sorted_last_name',
    place_city: 'sorted_last_name',
    office_id: 'created_at',
  },
  columns: agentColumns,
  computed: computedColumns,
  defaults,
  officeColumn: limit.column,
  sideEffects: transferOf,
  isWithin: (limited) => isWithin(sql.ref(`agent.${limit.column}`), limited),
  limit,
  parent: { column: 'office_id', field: 'officeId', isTree: false, mustBeActive: true },
  references: {
    office_id: office,
    assistant_to_agent_id: { table: 'agent', limitColumn: limit.column, countedAs: 'assistants' },
    affiliations: {
      ...office,
      countedAs: 'affiliatedAgents',
      items: {
        field: 'officeId',
        foreignKey: 'agent_affiliation_office_id_fkey',
        rows: { table: 'agent_affiliation', column: 'affiliated_office_id', owner: 'agent_id' },
      },
    },
  },
  uniqueBy: ['source', 'email'],
  eventVerbs: transferEventVerbs,
  expansions,
  ruleErrors: {
    create: ['email_taken', 'source_taken', 'office_inactive', 'reference_not_found'],
    change: ['email_taken', 'source_taken', 'office_inactive', 'reference_not_found'],
    reactivate: ['office_inactive'],
    merge: ['office_inactive'],
  },
} as const satisfies ResourceDefinition<Agent>);
