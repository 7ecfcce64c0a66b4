import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { ImportError, ImportRow, JobError, WebhookDelivery } from '@roster/client';
import { type Column, columnsOf, type Row, valueAt } from '../../columns.ts';
import type { CommandContext, ContextFactory } from '../../context/command-context.ts';
import { operationContract } from '../../contract/contract.ts';
import { camelCase } from '../../contract/fields.ts';
import { actorNames } from '../../history/actor-names.ts';
import { type Input, parseInput } from '../../options/fields.ts';
import { addColumns, addJsonLines, columnsWanted } from '../../output/json-option.ts';
import type { Page } from '../../output/printer.ts';
import type { Resource } from '../../resources.ts';
import { buildOperationCommand, buildRecordCommand } from '../command-builder.ts';

/** Records per page with `--all`: the maximum of the service. */
const LIMIT_OF_ALL = 200;

interface Asked {
  operation: string;
  input: Input;
  all: boolean;
}

/** The place of the page after a page: by a cursor, or of the log, which has no end, by a position; undefined of the last page. */
function placeAfter({ nextCursor, nextAfter, hasMore }: Page): Input | undefined {
  if (nextCursor !== undefined) return { cursor: nextCursor };
  return hasMore ? { after: nextAfter } : undefined;
}

/** The pages of a list, or of what belongs to one record: the first page, or all. */
export async function* pagesOf(
  { procedures, callOptions }: CommandContext,
  { operation, input, all }: Asked,
): AsyncGenerator<Page> {
  const { query } = procedures[camelCase(operation)] as { query: (...input: unknown[]) => Promise<Page> };
  let page = await query(all ? { limit: LIMIT_OF_ALL, ...input } : input, callOptions);
  yield page;
  const { total, prevCursor } = page;
  for (let next = placeAfter(page); all && next !== undefined; next = placeAfter(page)) {
    // The first page already has the total.
    const { includeTotal: _, ...rest } = input;
    const read = await query({ limit: LIMIT_OF_ALL, ...rest, ...next }, callOptions);
    // The page before the pages is the one before the first of them.
    page = { ...read, prevCursor, ...(total !== undefined && { total }) };
    yield page;
  }
}

/** A note below the rows: that there are none, the total, and how to get the next page and the one before. */
export function noteOn(page: Page, name: string): string {
  const { items, total, nextCursor, prevCursor, isSimilar, nextAfter, hasMore } = page;
  // The log has no end.
  if (nextAfter !== undefined) {
    const none = items.length === 0 ? `No ${name} match. ` : '';
    const rest = hasMore ? 'There are more' : 'There are no more yet';
    return `${none}${rest}: continue with --after ${nextAfter}${hasMore ? ', or use --all' : ''}.\n`;
  }
  const notes: string[] = [];
  if (isSimilar) notes.push(`No ${name} have these words; similar ones match.`);
  if (total !== undefined) notes.push(`${total} ${name} match.`);
  else if (items.length === 0 && prevCursor === undefined) notes.push(`No ${name} match.`);
  if (nextCursor !== undefined)
    notes.push(`There are more: continue with --cursor ${nextCursor}, or use --all.`);
  if (prevCursor !== undefined)
    notes.push(`There are more before these: go back with --cursor ${prevCursor}`);
  return notes.map((note) => `${note}\n`).join('');
}

/** A list beside that of the records of a resource. */
interface OtherList {
  operation: string;
  columns: (resource: Resource) => Column[];
  /** Whether it is of what belongs to one record, whose id is the argument. */
  isOfOne?: true;
  /** Words a row for people; called for what is not printed as JSON. */
  shown?: (context: CommandContext, resource: Resource) => (rows: readonly Row[]) => Promise<Row[]> | Row[];
  /** The name of what is listed, for the note. */
  nameOf?: (resource: Resource) => string;
}

async function* wording(
  pages: AsyncIterable<Page>,
  word: (rows: readonly Row[]) => Promise<Row[]> | Row[],
): AsyncGenerator<Page> {
  for await (const page of pages) yield { ...page, items: await word(page.items) };
}

/** Builds a command that prints a list: a page, or with `--all` every page. */
function otherListCommand({ operation, columns, isOfOne, shown, nameOf = () => operation }: OtherList) {
  return (resource: Resource, createContext: ContextFactory): CommandUnknownOpts => {
    const contract = operationContract(resource.name, operation);
    const isPaged = contract.fields.some(({ flag }) => flag === 'limit');
    const command: CommandUnknownOpts = (isOfOne ? buildRecordCommand : buildOperationCommand)(
      resource,
      operation,
    );
    if (isPaged) {
      command.option('--all', 'Fetch all pages');
      addJsonLines(command);
    }
    addColumns(command);
    return command.action(async () => {
      const context = await createContext(resource, command);
      const options = command.opts() as Record<string, unknown>;
      const { io, json, printer } = context;
      const id = isOfOne && { id: command.processedArgs[0] };
      const input = { ...parseInput(contract.fields, options), ...id };
      const pages = pagesOf(context, { operation, input, all: options.all === true });
      const word = json === undefined ? shown?.(context, resource) : undefined;
      const wanted = columnsWanted(options, contract, columns(resource));
      const last = await printer.pages(word === undefined ? pages : wording(pages, word), wanted);
      // A single JSON document contains all of this.
      if (isPaged && json?.isLines !== false) io.stderr.write(noteOn(last, nameOf(resource)));
    });
  };
}

/** `deliveries <id>`: the past and pending deliveries of a webhook; `--json` includes each attempt. */
export const deliveriesCommand = otherListCommand({
  operation: 'deliveries',
  isOfOne: true,
  columns: () =>
    columnsOf<WebhookDelivery>(['messageId', 'type', 'status', 'subject', 'finishedAt', 'nextAttemptAt']),
});

/** `errors <id>`: the records that a job could not change, or the rows that an import has rejected, with the reasons. */
export const errorsCommand = otherListCommand({
  operation: 'errors',
  isOfOne: true,
  columns: ({ name }) =>
    name === 'imports'
      ? columnsOf<ImportError>(['row', 'column', 'value', 'detail'])
      : columnsOf<JobError>(['id', 'code', 'detail']),
});

/** `rows <id>`: the rows of an import, with what becomes of them; `--json` includes the fields that change. */
export const rowsCommand = otherListCommand({
  operation: 'rows',
  isOfOne: true,
  columns: () => columnsOf<ImportRow>(['row', 'outcome', 'recordId', 'matchedBy', 'suspicious']),
});

/** Two records that may be the same, as far as the command line reads them. */
type Pair = Row & { records: Row[]; reasons: { text: string }[] };

/** `duplicates`: the pairs of records that may be the same, the most probable first. */
export const duplicatesCommand = otherListCommand({
  operation: 'duplicates',
  nameOf: ({ name }) => `pairs of ${name}`,
  columns: () => [
    { field: 'score', title: 'SCORE' },
    { field: 'first', title: 'RECORD', widthMin: 14 },
    { field: 'second', title: 'MAY BE', widthMin: 14 },
    { field: 'why', title: 'WHY', widthMin: 20 },
    { field: 'id', title: 'PAIR', widthMin: 36 },
  ],
  shown:
    (_context, { nameField }) =>
    (rows) =>
      (rows as Pair[]).map((pair) => {
        const [first, second] = pair.records.map((record) => valueAt(record, nameField));
        return { ...pair, first, second, why: pair.reasons.map(({ text }) => text).join('; ') };
      }),
});

/** `events list`: the events after a cursor in the order of the log, on a terminal with the names of keys. */
export const listEventsCommand = otherListCommand({
  operation: 'list',
  nameOf: ({ name }) => name,
  columns: (resource) => resource.columns({}),
  shown: (context) => {
    const namesOf = actorNames(context);
    return async (rows) => {
      if (!context.io.isTerminal) return [...rows];
      const nameOf = await namesOf(rows.map(({ actorId }) => actorId as string | null));
      return rows.map((row) => ({
        ...row,
        actorId: row.actorId === null ? null : nameOf(String(row.actorId)),
      }));
    };
  },
});
