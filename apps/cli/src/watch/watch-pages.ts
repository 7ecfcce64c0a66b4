import type { Session } from '../context/command-context.ts';
import { openScreen } from '../output/full-screen.ts';
import { linePrinterFor, type Page } from '../output/printer.ts';
import { joined, type Styled, styled, stylesFor } from '../output/styled.ts';
import { table } from '../output/table.ts';
import type { Column, Noun, Row } from '../resources.ts';
import { changeTracker, type Wakeups, watchList } from './watch-list.ts';

interface WatchPagesOptions {
  /** Reads the list once. */
  pages: () => AsyncIterable<Page>;
  columns: Column[];
  noun: Noun;
  session: Session;
  /** What says that the list may have changed. */
  wakeups: Wakeups;
}

async function rowsOf(pages: AsyncIterable<Page>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const { items } of pages) rows.push(...items);
  return rows;
}

/** For a person: the table as it is now, drawn over the one before. */
async function watchOnScreen({ pages, columns, noun, session, wakeups }: WatchPagesOptions): Promise<void> {
  const { io } = session;
  const { dim } = stylesFor(io.stdout.color);
  const screen = openScreen(io);
  let body: Styled = joined([]);
  const draw = (note: string) => {
    const time = new Date().toLocaleTimeString();
    screen.draw(styled`${dim(`${time} · ${note} · Ctrl-C ends`)}\n${body}`);
  };
  try {
    await watchList({
      wakeups,
      signal: session.callOptions.signal,
      read: () => rowsOf(pages()),
      show: (rows) => {
        const { columns: width } = io.size();
        body =
          rows.length === 0
            ? joined([])
            : table({ columns, rows, width, color: io.stdout.color, ids: session.ids });
        draw(`${rows.length} ${rows.length === 1 ? noun.singular : noun.name}`);
      },
      fail: draw,
    });
  } finally {
    screen.close();
  }
}

/** For a program: a line for each record at first, and then for each that has changed. */
async function watchInLines({ pages, columns, noun, session, wakeups }: WatchPagesOptions): Promise<void> {
  const { io, json } = session;
  const changesIn = changeTracker();
  const print = linePrinterFor(io, columns, json);
  await watchList({
    wakeups,
    signal: session.callOptions.signal,
    read: () => rowsOf(pages()),
    show: (rows) => {
      const { changed, gone } = changesIn(rows);
      if (changed.length > 0) print(changed);
      for (const id of gone) io.stderr.write(`No longer in the list: ${noun.singular} ${id}\n`);
    },
    fail: (message) => void io.stderr.write(`${message} Trying again.\n`),
  });
}

/** `list --watch`, until the user interrupts. */
export async function watchPages(options: WatchPagesOptions): Promise<void> {
  const { io, json } = options.session;
  await (io.isTerminal && json === undefined ? watchOnScreen(options) : watchInLines(options));
}
