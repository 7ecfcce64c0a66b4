import type { Column, Row } from '../columns.ts';
import type { CommandContext } from '../context/command-context.ts';
import { counted } from '../context/report-change.ts';
import { linePrinterFor, type Page } from '../output/printer.ts';
import { withReadablePhones } from '../output/readable-phones.ts';
import { table } from '../output/table.ts';
import type { Resource } from '../resources.ts';
import { openScreen } from '../terminal/full-screen.ts';
import { joined, type Styled, styled, stylesFor } from '../terminal/styled.ts';
import { changeTracker, type Wakeups, watchList } from './watch-list.ts';

interface WatchPagesOptions {
  /** Reads the list once. */
  pages: () => AsyncIterable<Page>;
  columns: Column[];
  resource: Resource;
  context: CommandContext;
  /** Yields when the list may have changed. */
  wakeups: Wakeups;
}

async function readRows(pages: AsyncIterable<Page>): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const { items } of pages) rows.push(...items);
  return rows;
}

/** On a terminal: redraws the table in place. */
async function watchOnScreen({
  pages,
  columns,
  resource,
  context,
  wakeups,
}: WatchPagesOptions): Promise<void> {
  const { io } = context;
  const { dim } = stylesFor(io.stdout.color);
  const screen = openScreen(io);
  let body: Styled = joined([]);
  const draw = (note: string) => {
    const time = new Date().toLocaleTimeString();
    screen.draw(styled`${dim(`${time} · ${note} · Ctrl-C to stop`)}\n${body}`);
  };
  try {
    await watchList({
      wakeups,
      signal: context.callOptions.signal,
      read: async () => withReadablePhones(await readRows(pages()), context.readHome),
      show: (rows) => {
        const { columns: width } = io.size();
        body =
          rows.length === 0
            ? joined([])
            : table({ columns, rows, width, color: io.stdout.color, ids: context.ids }).text;
        draw(`${counted(rows.length, [resource.singular, resource.name.replace('-', ' ')])}`);
      },
      fail: draw,
    });
  } finally {
    screen.close();
  }
}

/** In a pipe: prints a line for each record, and then for each changed one. */
async function watchInLines({
  pages,
  columns,
  resource,
  context,
  wakeups,
}: WatchPagesOptions): Promise<void> {
  const { io, json } = context;
  const changesIn = changeTracker();
  const print = linePrinterFor(io, columns, json);
  await watchList({
    wakeups,
    signal: context.callOptions.signal,
    read: () => readRows(pages()),
    show: (rows) => {
      const { changed, removed } = changesIn(rows);
      if (changed.length > 0) print(changed);
      for (const id of removed) io.stderr.write(`No longer in the list: ${resource.singular} ${id}\n`);
    },
    fail: (message) => void io.stderr.write(`${message} Trying again.\n`),
  });
}

/** Runs `list --watch` until the user interrupts. */
export async function watchPages(options: WatchPagesOptions): Promise<void> {
  const { isForPeople } = options.context.printer;
  await (isForPeople ? watchOnScreen(options) : watchInLines(options));
}
