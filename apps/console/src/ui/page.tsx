import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { classNames } from './button.tsx';
import { ViewHeading } from './view-heading.tsx';

const widths = { text: 'max-w-3xl', wide: 'max-w-7xl', table: 'max-w-[110rem]', full: 'max-w-none' } as const;

/** The attributes of what scrolls: a keyboard reaches it, also if nothing in it has the focus. */
export const scrollable = { tabIndex: 0 } as const;

/** The attributes of a text that says more in its tooltip: Tab stops at it. */
export const hint = (tooltip: string) => ({ 'data-tooltip': tooltip, tabIndex: 0 });

export const tabClasses =
  'inline-flex min-h-9 items-center border-transparent border-b-2 px-1 text-sm text-muted hover:text-text ' +
  'aria-[current=page]:border-accent aria-[current=page]:font-semibold aria-[current=page]:text-text';

export function Loading() {
  return (
    <p role="status" className="text-muted text-sm">
      <Trans>Loading…</Trans>
    </p>
  );
}

export function Page({
  title,
  intro,
  actions,
  width = 'wide',
  children,
}: {
  title: string;
  intro?: ReactNode;
  actions?: ReactNode;
  /** The greatest width of lines; lists and charts are wider than text. */
  width?: keyof typeof widths;
  children: ReactNode;
}) {
  return (
    <div className="h-full scroll-pb-16 overflow-y-auto print:h-auto" {...scrollable}>
      <div className={classNames('mx-auto flex flex-col gap-5 p-4 sm:p-6', widths[width])}>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <div className="min-w-0 grow">
            <ViewHeading title={title} />
            {intro !== undefined && <p className="text-muted text-sm">{intro}</p>}
          </div>
          {actions}
        </div>
        {children}
      </div>
    </div>
  );
}
