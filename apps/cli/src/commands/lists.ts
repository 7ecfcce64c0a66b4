import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Column, Row } from '../contract/columns.ts';
import { camelCase, type OperationContract } from '../contract/fields.ts';
import { operationContract } from '../contract/operations.ts';
import { type Input, parseInput } from '../contract/options.ts';
import type { Resource } from '../contract/resources.ts';
import type { Page } from '../service/client.ts';
import { addColumns, addJsonLines, columnsWanted } from '../ui/json-option.ts';
import { counted, grouped } from '../ui/text.ts';
import { buildOperationCommand, buildRecordCommand } from './command-builder.ts';
import type { CommandContext, ContextFactory } from './context.ts';
import { recordNames } from './record-names.ts';

/** Records per page with `--all`: the maximum of the service. */
const LIMIT_OF_ALL = 200;

interface Asked {
  operation: string;
  input: Input;
  all: boolean;
}

/** The input for the next page, if there is one. The log has positions instead of cursors. */
function placeAfter({ nextCursor, nextAfter, hasMore }: Page): Input | undefined {
  if (nextCursor !== undefined) return { cursor: nextCursor };
  return hasMore ? { after: nextAfter } : undefined;
}

export async function* pagesOf(
  { procedures, callOptions }: CommandContext,
  { operation, input, all }: Asked,
): AsyncGenerator<Page> {
  const procedure = procedures[camelCase(operation)];
  if (procedure === undefined) throw new Error(`There is no procedure ${operation}`);
  let page = await procedure.query<Page>(all ? { limit: LIMIT_OF_ALL, ...input } : input, callOptions);
  yield page;
  const { total, prevCursor } = page;
  for (let next = placeAfter(page); all && next !== undefined; next = placeAfter(page)) {
    // The first page already has the total.
    const { includeTotal: _, ...rest } = input;
    const read = await procedure.query<Page>({ limit: LIMIT_OF_ALL, ...rest, ...next }, callOptions);
    // The page before the pages is the one before the first of them.
    page = { ...read, prevCursor, ...(total !== undefined && { total }) };
    yield page;
  }
}

type Names = readonly [singular: string, plural: string];

const MORE = '(--all, --limit)';

function noteOn(
  last: Page,
  shown: number,
  { names, isForPeople, sort }: { names: Names; isForPeople: boolean; sort: unknown },
): string {
  const { total, nextCursor, prevCursor, isSimilar, nextAfter, hasMore } = last;
  const [, many] = names;
  if (nextAfter !== undefined) {
    const none = shown === 0 ? `No ${many} match. ` : '';
    const isBackward = sort === '-position';
    if (isBackward && hasMore)
      return `${none}There are more: continue with --sort=-position --after ${nextAfter}, or use --all.\n`;
    if (isBackward) return none === '' ? '' : `${none.trimEnd()}\n`;
    // Forwards the log has no end.
    const rest = hasMore ? 'There are more' : 'There are no more yet';
    return `${none}${rest}: continue with --after ${nextAfter}${hasMore ? ', or use --all' : ''}.\n`;
  }
  const hasNext = nextCursor !== undefined;
  const notes: string[] = [];
  if (isSimilar) notes.push(`No ${many} have these words; similar ones match.`);
  if (shown === 0 && prevCursor === undefined) notes.push(`No ${many} match.`);
  else if (total !== undefined)
    notes.push(`Showing ${grouped(shown)} of ${counted(total, names)}${hasNext ? ` ${MORE}` : ''}.`);
  else if (hasNext) notes.push(`Showing ${counted(shown, names)}; there are more ${MORE}.`);
  else if (isForPeople) notes.push(`Showing ${counted(shown, names)}.`);
  if (prevCursor !== undefined) notes.push('There are earlier ones: --json has their prevCursor.');
  return notes.map((note) => `${note}\n`).join('');
}

interface Listing {
  operation: string;
  input: Input;
  options: Record<string, unknown>;
  contract: OperationContract;
  columns: Column[];
  names: Names;
  /** Changes the rows of a page for people; not called for JSON. */
  word?: ((rows: readonly Row[]) => Promise<Row[]> | Row[]) | undefined;
}

/** Prints a list, and a note on the number of its rows. Resolves to the last page. */
export async function printList(
  { operation, input: given, options, contract, columns, names, word }: Listing,
  context: CommandContext,
): Promise<Page> {
  const { io, json, printer } = context;
  const { isForPeople } = printer;
  const all = options.all === true;
  const hasField = (name: string) => contract.fields.some(({ path }) => path[0] === name);
  const isCounted = isForPeople && !all && hasField('includeTotal');
  const input = isCounted ? { includeTotal: true, ...given } : given;
  let shown = 0;
  async function* worded(pages: AsyncIterable<Page>): AsyncGenerator<Page> {
    for await (const page of pages) {
      shown += page.items.length;
      yield word === undefined ? page : { ...page, items: await word(page.items) };
    }
  }
  const last = await printer.pages(worded(pagesOf(context, { operation, input, all })), columns);
  // A single JSON document contains all of this.
  if (hasField('limit') && json?.isLines !== false)
    io.stderr.write(noteOn(last, shown, { names, isForPeople, sort: given.sort }));
  return last;
}

/** A list other than the `list` of a resource. */
interface OtherList {
  operation: string;
  columns: (resource: Resource, isForPeople: boolean) => Column[];
  isOfOne?: true;
  /** Changes rows for people, in the columns of the list. */
  shown?: (context: CommandContext, resource: Resource) => (rows: readonly Row[]) => Promise<Row[]> | Row[];
  names: (resource: Resource) => Names;
  /** The commands to use next, for people. */
  advice?: (context: CommandContext, resource: Resource) => string;
}

export function otherListCommand({ operation, columns, isOfOne, shown, names, advice }: OtherList) {
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
      const options: Readonly<Record<string, unknown>> = command.opts();
      const { io, json, printer } = context;
      const id = isOfOne && { id: command.processedArgs[0] };
      const input = { ...parseInput(contract.fields, options), ...id };
      const own = columns(resource, printer.isForPeople);
      const wanted = columnsWanted(options, contract, own);
      const isWorded = json === undefined && options.columns === undefined;
      const word = isWorded ? (shown?.(context, resource) ?? namesFor(own, context)) : undefined;
      const list = { operation, input, options, contract, columns: wanted, names: names(resource), word };
      const { items } = await printList(list, context);
      if (advice !== undefined && printer.isForPeople && items.length > 0)
        io.stderr.write(`${advice(context, resource)}\n`);
    });
  };
}

export function namesFor(columns: readonly Column[], context: CommandContext) {
  return context.printer.isForPeople ? recordNames(columns, context) : undefined;
}
