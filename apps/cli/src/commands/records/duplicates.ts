import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { type Column, type Row, valueAt } from '../../columns.ts';
import type { ContextFactory } from '../../context/command-context.ts';
import { operationContract } from '../../contract/contract.ts';
import { parseInput } from '../../options/fields.ts';
import { addColumns, addJsonLines, columnsWanted } from '../../output/json-option.ts';
import type { Page } from '../../output/printer.ts';
import type { Resource } from '../../resources.ts';
import { buildOperationCommand } from '../command-builder.ts';
import { noteOn, pagesOf } from './list-pages.ts';

/** Two records that may be the same, as far as the command line reads them. */
type Pair = Row & { records: Row[]; reasons: { text: string }[] };

const columns: Column[] = [
  { field: 'score', title: 'SCORE' },
  { field: 'first', title: 'RECORD', widthMin: 14 },
  { field: 'second', title: 'MAY BE', widthMin: 14 },
  { field: 'why', title: 'WHY', widthMin: 20 },
  { field: 'id', title: 'PAIR', widthMin: 36 },
];

/** A pair with what a table shows of it: the names of the records and the reasons. */
function shownPair(pair: Row, { nameField }: Resource): Row {
  const { records, reasons } = pair as Pair;
  const [first, second] = records.map((record) => valueAt(record, nameField));
  return { ...pair, first, second, why: reasons.map(({ text }) => text).join('; ') };
}

/** `duplicates`: the pairs of records that may be the same, the most probable first. */
export function duplicatesCommand(resource: Resource, createContext: ContextFactory): CommandUnknownOpts {
  const contract = operationContract(resource.name, 'duplicates');
  const command = buildOperationCommand(resource, 'duplicates').option('--all', 'Fetch all pages');
  addJsonLines(command);
  addColumns(command);
  return command.action(async (options, command) => {
    const context = await createContext(resource, command);
    const input = parseInput(contract.fields, options);
    const pages = pagesOf(context, { operation: 'duplicates', input, all: options.all === true });
    async function* shown(): AsyncGenerator<Page> {
      for await (const page of pages)
        yield { ...page, items: page.items.map((pair) => shownPair(pair, resource)) };
    }
    const { io, json, printer } = context;
    const wanted = columnsWanted(command.opts(), contract, columns);
    const last = await printer.pages(json === undefined ? shown() : pages, wanted);
    if (json?.isLines !== false) io.stderr.write(noteOn(last, `pairs of ${resource.name}`));
  });
}
