import { type Database, type Param, statement } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { type OfficeLimit, officesValue } from '../engine/office-limit.ts';
import { isKnownType, type RecordEventType } from '../log/types.ts';
import { isEventWithin } from '../log/visibility.ts';
import { type QueryContext, runQuery } from '../trpc/query-call.ts';
import { checkStart, limitOf } from './service.ts';

export interface LogEntry {
  position: number;
  type: RecordEventType;
  subject: string;
}

export interface EntryQuery {
  /** A position, or one with `~` in the compacted log. The part begins after it. */
  after: string;
  last: number;
  types?: RecordEventType[];
  subject?: string;
  isDescending: boolean;
  skip: number;
  limit: number;
  includeTotal: boolean;
}

export interface EntryPage {
  items: LogEntry[];
  /** Less than `skip` if the page ended before. */
  skipped: number;
  /** The next page's `after`, or `last` if descending; undefined at the end. */
  next?: string;
  total?: number;
}

/** Entries scanned per statement. Fewer under a limit, which is checked in their JSON. */
const SCAN_MAX = 10_000;
const LIMITED_SCAN_MAX = 2_000;

interface EntryRow {
  items: LogEntry[];
  matched: number;
  scanned: number;
  edge: number | null;
  total?: number;
  lastPosition: number;
  compactedTo: number;
}

type Shape = Pick<EntryQuery, 'isDescending' | 'includeTotal'> &
  Record<'ofTypes' | 'ofSubject' | 'isLimited', boolean>;

function partOf(place: Param<Record<string, unknown>>, { ofTypes, ofSubject, isLimited }: Shape) {
  const range = [
    ...(ofSubject ? [sql`subject_id = ${place('subject')}`] : []),
    sql`position > ${place('after')}`,
    sql`position <= ${place('last')}`,
  ];
  const conditions = [
    ...(ofTypes ? [sql`type = any(${place('types')})`] : []),
    ...(isLimited ? [isEventWithin(place('offices'))] : []),
  ];
  return { range: sql.join(range, sql` and `), conditions };
}

const pageStatement = statement<Shape, EntryRow>(
  (shape, place) => {
    const { isDescending, includeTotal, isLimited } = shape;
    const { range, conditions } = partOf(place, shape);
    const order = isDescending ? sql`order by position desc` : sql`order by position`;
    const matching = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
    const all = sql.join([range, ...conditions], sql` and `);
    const total = includeTotal ? sql`, (select count(*) from event where ${all})::float8 as total` : sql``;
    const columns = sql.raw(`position, type, subject_id${isLimited ? ', record, previous' : ''}`);
    const edge = isDescending ? sql`min(position)` : sql`max(position)`;
    return sql<EntryRow>`
    with slice as (select ${columns} from event where ${range} ${order} limit ${place('scanMax')}),
      found as (select position, type, subject_id from slice ${matching} ${order} limit ${place('wanted')}),
      page as (select * from found ${order} offset ${place('skip')})
    select
      coalesce(
        (select json_agg(json_build_object('position', position, 'type', type, 'subject', subject_id) ${order}) from page),
        '[]') as items,
      (select count(*) from found)::int as matched,
      (select count(*) from slice)::int as scanned,
      (select ${edge} from slice)::float8 as edge${total},
      last_position::float8 as "lastPosition",
      compacted_to::float8 as "compactedTo"
    from event_log`;
  },
  { isReadOnly: true },
);

/**
 * Reads a page of the log without records. It scans a bounded number of entries: a page with a next one can
 * be short or even empty. Throws `insufficient_scope`, `cursor_expired`, and `timeout` if counting takes too
 * long.
 */
export function queryEntries(context: QueryContext, query: EntryQuery): Promise<EntryPage> {
  return runQuery(() => readPage(context, query));
}

async function readPage(context: QueryContext, query: EntryQuery): Promise<EntryPage> {
  const { caller } = context;
  const officeLimit = limitOf(caller, query.types);
  const row = await readRow(context.db, query, officeLimit);
  checkStart(query.after, row);
  const items = row.items.slice(0, query.limit).filter(isKnownType);
  const next = nextPlace(query, row, officeLimit);
  return {
    items,
    skipped: Math.min(query.skip, row.matched),
    ...(next !== undefined && { next }),
    ...(row.total !== undefined && { total: row.total }),
  };
}

async function readRow(
  db: Kysely<Database>,
  query: EntryQuery,
  officeLimit: OfficeLimit | undefined,
): Promise<EntryRow> {
  const { types, subject, isDescending, includeTotal, skip, limit, last } = query;
  const isLimited = officeLimit !== undefined;
  const statement = pageStatement({
    isDescending,
    includeTotal,
    isLimited,
    ofTypes: types !== undefined,
    ofSubject: subject !== undefined,
  });
  const [row] = await statement.execute(db, {
    types,
    subject,
    skip,
    last,
    after: Number.parseInt(query.after, 10),
    scanMax: scanMaxOf(query, isLimited),
    wanted: skip + limit + 1,
    offices: officeLimit && officesValue(officeLimit),
  });
  if (row === undefined) throw new Error('the table event_log has no row');
  return row;
}

function scanMaxOf({ types, skip, limit }: EntryQuery, isLimited: boolean): number {
  if (isLimited) return LIMITED_SCAN_MAX;
  return types === undefined ? skip + limit + 1 : SCAN_MAX;
}

function nextPlace(
  query: EntryQuery,
  row: EntryRow,
  officeLimit: OfficeLimit | undefined,
): string | undefined {
  const { limit, isDescending } = query;
  const hasMore = row.items.length > limit;
  const isCut = row.scanned === scanMaxOf(query, officeLimit !== undefined);
  const place = hasMore ? row.items[limit - 1]?.position : isCut ? row.edge : undefined;
  if (place === undefined || place === null) return undefined;
  if (isDescending) return String(place - 1);
  return place < row.compactedTo ? `${place}~` : String(place);
}
