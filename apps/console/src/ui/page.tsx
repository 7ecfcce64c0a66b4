'use no memo';

import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { classNames } from './button.tsx';
import { Toolbar } from './toolbar.tsx';

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

/** A page: its toolbar, and what scrolls under it, 24 px from the edge. */
export function Page({
  title,
  count,
  intro,
  tabs,
  actions,
  width = 'wide',
  children,
}: {
  title: string;
  count?: ReactNode;
  intro?: ReactNode;
  tabs?: ReactNode;
  actions?: ReactNode;
  /** The greatest width of lines; lists and charts are wider than text. */
  width?: keyof typeof widths;
  children: ReactNode;
}) {
  return (
    <div className="flex h-full flex-col print:h-auto">
      <Toolbar title={title} count={count} tabs={tabs}>
        {actions}
      </Toolbar>
      <div className="min-h-0 grow scroll-pb-16 overflow-y-auto print:overflow-visible" {...scrollable}>
        <div className={classNames('flex flex-col gap-5 p-4 sm:px-6', widths[width])}>
          {intro !== undefined && <p className="text-md text-muted">{intro}</p>}
          {children}
        </div>
      </div>
    </div>
  );
}
