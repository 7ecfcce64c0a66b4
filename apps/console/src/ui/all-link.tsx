import { Trans, useLingui } from '@lingui/react/macro';
import { Link, type LinkProps } from '@tanstack/react-router';
import { ChevronRight } from '../icons.tsx';
import { buttonClasses } from './button.tsx';

/** The link from a section to all of what it shows, with how many that are if it is known. */
export function AllLink({ count, label, ...to }: LinkProps & { count?: number | undefined; label?: string }) {
  const { i18n } = useLingui();
  return (
    <Link {...to} className={`${buttonClasses('quiet', 'small')} -me-2`}>
      {label ?? (count === undefined ? <Trans>All</Trans> : <Trans>All {i18n.number(count)}</Trans>)}
      <ChevronRight aria-hidden className="size-3.5! rtl:rotate-180" />
    </Link>
  );
}
