'use no memo';

import type { ReactNode } from 'react';
import { ViewHeading } from './view-heading.tsx';

/** The classes of a tab: a link of a `nav` with `aria-current`, or a tab with `aria-selected`. */
export const tabClasses =
  'inline-flex h-7 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-sm px-2.5 font-medium text-muted text-sm ' +
  'hover:bg-hover hover:text-text max-sm:h-9 [&_svg]:size-4 ' +
  'aria-[current=page]:bg-active aria-[current=page]:text-text aria-selected:bg-active aria-selected:text-text';

interface ToolbarProps {
  title: string;
  /** Beside the title, muted: how many there are, or the day. */
  count?: ReactNode;
  tabs?: ReactNode;
  /** The controls at the end, of which the last may be filled. */
  children?: ReactNode;
}

/** The one row of controls at the top of a page, 56 px high; it has a second one only where the room is short. */
export function Toolbar({ title, count, tabs, children }: ToolbarProps) {
  return (
    <header className="flex min-h-14 shrink-0 flex-wrap items-center gap-x-4 gap-y-2 border-line border-b px-4 py-2 sm:px-6">
      <ViewHeading
        title={title}
        className="flex min-w-0 items-baseline gap-1.5 font-semibold max-sm:text-xl sm:text-lg"
      >
        <span className="truncate">{title}</span>
        {count !== undefined && <span className="font-normal text-muted text-sm tabular-nums">{count}</span>}
      </ViewHeading>
      {tabs}
      {children !== undefined && (
        <div className="ms-auto flex min-w-0 flex-wrap items-center gap-2">{children}</div>
      )}
    </header>
  );
}
