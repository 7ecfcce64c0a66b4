'use no memo';

import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useId } from 'react';
import { ChevronRight } from '../icons.tsx';
import { classNames } from './button.tsx';
import { ViewHeading } from './view-heading.tsx';

/** The classes of a tab: a link of a `nav` with `aria-current`, or a tab with `aria-selected`. */
export const tabClasses =
  'inline-flex h-7 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-sm px-2.5 font-medium text-muted text-sm ' +
  'hover:bg-hover hover:text-text max-sm:h-9 max-sm:px-3 max-sm:text-md [&_svg]:size-4 ' +
  'aria-[current=page]:bg-active aria-[current=page]:text-text aria-selected:bg-active aria-selected:text-text';

const widths = { text: 'max-w-3xl', wide: 'max-w-7xl', table: 'max-w-[110rem]', full: 'max-w-none' } as const;

/** The attributes of what scrolls: a keyboard reaches it, also if nothing in it has the focus. */
export const scrollable = { tabIndex: 0 } as const;

/** The attributes of a text that says more in its tooltip: Tab stops at it. */
export const hint = (tooltip: string) => ({ 'data-tooltip': tooltip, tabIndex: 0 });

export function Loading() {
  return (
    <p role="status" className="text-muted text-sm">
      <Trans>Loading…</Trans>
    </p>
  );
}

/** A page: its toolbar, one row unless the room is short, and what scrolls under it, 24 px from the edge. */
export function Page({
  above,
  title,
  count,
  intro,
  tabs,
  actions,
  width = 'wide',
  children,
}: {
  /** The link to the page that it is part of. */
  above?: ReactNode;
  title: string;
  /** Beside the title, muted: how many there are, or the day. */
  count?: ReactNode;
  intro?: ReactNode;
  tabs?: ReactNode;
  /** The controls at the end of the toolbar, of which the last may be filled. */
  actions?: ReactNode;
  /** The greatest width of lines; lists and charts are wider than text. */
  width?: keyof typeof widths;
  children: ReactNode;
}) {
  const { t } = useLingui();
  return (
    <div className="flex h-full flex-col print:h-auto">
      <header className="flex min-h-14 shrink-0 flex-wrap items-center gap-x-4 gap-y-2 border-line border-b px-4 py-2 sm:px-6">
        <div className="flex min-w-0 items-center gap-1.5">
          {above !== undefined && (
            <nav aria-label={t`Breadcrumb`} className="flex items-center gap-1.5 text-muted text-sm">
              {above}
              <ChevronRight aria-hidden className="size-3.5 shrink-0 rtl:rotate-180" />
            </nav>
          )}
          <ViewHeading
            title={title}
            className="flex min-w-0 items-baseline gap-2 font-semibold max-sm:text-xl sm:text-lg"
          >
            <span className="truncate">{title}</span>
            {count !== undefined && (
              <span className="font-normal text-muted text-sm tabular-nums">{count}</span>
            )}
          </ViewHeading>
        </div>
        {tabs}
        {actions !== undefined && (
          <div className="ms-auto flex min-w-0 flex-wrap items-center gap-2">{actions}</div>
        )}
      </header>
      <div className="min-h-0 grow scroll-pb-16 overflow-y-auto print:overflow-visible" {...scrollable}>
        <div className={classNames('flex min-h-full flex-col gap-5 p-4 sm:px-6', widths[width])}>
          {intro !== undefined && <p className="text-md text-muted">{intro}</p>}
          {children}
        </div>
      </div>
    </div>
  );
}

interface SectionProps {
  title: ReactNode;
  /** Beside the title, muted: how many there are, or in which order. */
  note?: ReactNode;
  /** At the end of the line of the title: the link to all of it, or buttons. */
  end?: ReactNode;
  /** The level of the heading: 3 in a record, whose name is one of level 2. */
  level?: 2 | 3;
  children: ReactNode;
}

/** The classes of a heading in a record: smaller in its panel than on its page. */
export const recordHeadingClasses = 'font-semibold text-sm max-sm:text-md @2xl:text-md';

/** A part of a page under a heading. */
export function Section({ title, note, end, level = 2, children }: SectionProps) {
  const id = useId();
  const Heading = `h${level}` as const;
  return (
    <section
      aria-labelledby={id}
      className={classNames('flex min-w-0 flex-col', level === 2 ? 'gap-2' : 'gap-1')}
    >
      <div className="flex min-h-7 flex-wrap items-center gap-x-2 gap-y-1">
        <Heading id={id} className={level === 2 ? 'font-semibold text-md' : recordHeadingClasses}>
          {title}
        </Heading>
        {note !== undefined && <div className="text-muted text-sm tabular-nums">{note}</div>}
        {end !== undefined && <div className="ms-auto flex items-center gap-2">{end}</div>}
      </div>
      {children}
    </section>
  );
}

export const groupClasses = 'overflow-hidden rounded-md border border-line bg-surface';
export const lineClasses =
  'flex min-h-9 items-center gap-3 border-line-soft border-t px-3 py-1 text-sm first:border-t-0';
