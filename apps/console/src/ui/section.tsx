import { Trans, useLingui } from '@lingui/react/macro';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ChevronRight } from '../icons.tsx';
import { buttonClasses } from './button.tsx';

/** The link from a part of the home page to all of it, with how many that are if it is known. */
export function AllLink({ count, label, ...to }: LinkProps & { count?: number | undefined; label?: string }) {
  const { i18n } = useLingui();
  return (
    <Link {...to} className={`${buttonClasses('quiet', 'small')} -me-2`}>
      {label ?? (count === undefined ? <Trans>All</Trans> : <Trans>All {i18n.number(count)}</Trans>)}
      <ChevronRight aria-hidden className="rtl:rotate-180" />
    </Link>
  );
}

export function Section({
  title,
  count,
  all,
  children,
}: {
  title: string;
  count?: ReactNode;
  all?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-2">
      <div className="flex min-h-8 items-center gap-2">
        <h2 className="font-semibold text-md">{title}</h2>
        {count !== undefined && <span className="text-muted text-sm tabular-nums">{count}</span>}
        {all !== undefined && <span className="ms-auto">{all}</span>}
      </div>
      {children}
    </section>
  );
}

export const groupClasses = 'overflow-hidden rounded-md border border-line bg-surface';
export const lineClasses =
  'flex min-h-9 items-center gap-3 border-line-soft border-t px-3 py-1 text-sm first:border-t-0';
