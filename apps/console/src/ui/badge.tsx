import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { classNames } from './button.tsx';

const tones = {
  neutral: 'bg-hover text-text',
  good: 'bg-good-surface text-good',
  warning: 'bg-warning-surface text-warning',
  danger: 'bg-danger-surface text-danger',
} as const;

const SOON_DAYS = 90;

/** The tone of a day on which something ends, by the days until then; neutral if that is not soon. */
export function toneOfEnd(days: number): keyof typeof tones {
  if (days <= 0) return 'danger';
  return days <= SOON_DAYS ? 'warning' : 'neutral';
}

export function Badge({ tone = 'neutral', children }: { tone?: keyof typeof tones; children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex items-center rounded-full px-2 py-0.5 font-medium text-xs whitespace-nowrap',
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}

export function InactiveBadge() {
  return (
    <Badge tone="warning">
      <Trans>Inactive</Trans>
    </Badge>
  );
}

export function Callout({
  tone = 'neutral',
  title,
  children,
}: {
  tone?: keyof typeof tones;
  title: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div
      role={tone === 'danger' ? 'alert' : undefined}
      className={classNames('rounded-lg px-4 py-3 text-sm', tones[tone])}
    >
      <p className="font-semibold">{title}</p>
      {children}
    </div>
  );
}
