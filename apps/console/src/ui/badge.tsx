'use no memo';

import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { classNames } from './button.tsx';

/** Grey: inactive, or nothing to do. Good has a live dot. Amber: soon. Red: expired, failed. The words always say it, too. */
const tones = {
  neutral: 'bg-inactive-surface text-inactive',
  good: 'text-text inset-ring inset-ring-line-strong before:size-1.5 before:rounded-full before:bg-live before:forced-color-adjust-none',
  warning: 'bg-soon-surface text-soon',
  danger: 'bg-danger-surface text-danger',
} as const;

const callouts = {
  neutral: 'border border-line bg-sunken text-text',
  good: 'border border-line bg-sunken text-text',
  warning: 'bg-soon-surface text-soon',
  danger: 'bg-danger-surface text-danger',
} as const;

/** A licence that ends within so many days ends soon. */
export const SOON_DAYS = 60;

/** The tone of a day on which something ends, by the days until then; neutral if that is not soon. */
export function toneOfEnd(days: number): 'neutral' | 'warning' | 'danger' {
  if (days <= 0) return 'danger';
  return days <= SOON_DAYS ? 'warning' : 'neutral';
}

/** The colours of such a day in a text. */
export const endClasses = { neutral: 'text-muted', warning: 'text-soon', danger: 'text-danger' } as const;

/** A pill. */
export function Badge({ tone = 'neutral', children }: { tone?: keyof typeof tones; children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex h-5 shrink-0 items-center gap-[5px] whitespace-nowrap rounded-full px-2 font-medium text-xs',
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}

export function InactiveBadge() {
  return (
    <Badge>
      <Trans>Inactive</Trans>
    </Badge>
  );
}

export function Callout({
  tone = 'neutral',
  title,
  children,
}: {
  tone?: keyof typeof callouts;
  title: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div
      role={tone === 'danger' ? 'alert' : undefined}
      className={classNames('rounded-md px-4 py-3 text-sm', callouts[tone])}
    >
      <p className="font-semibold">{title}</p>
      {children}
    </div>
  );
}
