'use no memo';

import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useRights } from '../api/caller.ts';
import { Ellipsis } from '../icons.tsx';
import { classNames } from '../ui/button.tsx';
import { allowedNavigation } from './navigation.tsx';

const SHOWN_MAX = 4;

const tabClasses =
  'grid min-w-0 place-content-center justify-items-center gap-0.5 font-medium text-muted text-xs aria-[current=page]:text-text ' +
  '-outline-offset-2 [&_svg]:size-5 [&[aria-current=page]_svg]:stroke-[2.25]';

/** The first pages at the lower edge of a small screen, and what opens all of them. */
export function PhoneTabs({ isOpen, onOpen }: { isOpen: boolean; onOpen: () => void }) {
  const { t } = useLingui();
  const groups = allowedNavigation(useRights());
  const itemsOf = (id: string) => groups.find((group) => group.id === id)?.items ?? [];
  const tabs = [...itemsOf('start').slice(0, 1), ...itemsOf('directory')].slice(0, SHOWN_MAX);
  return (
    <nav
      aria-label={t`First pages`}
      className="grid h-16 auto-cols-fr grid-flow-col border-line border-t bg-surface pb-1 md:hidden print:hidden"
    >
      {tabs.map(({ to, label, icon: Icon }) => (
        <Link key={to} to={to} className={tabClasses}>
          <Icon aria-hidden />
          <span className="max-w-full truncate">{t(label)}</span>
        </Link>
      ))}
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        className={classNames(tabClasses, 'cursor-pointer')}
        onClick={onOpen}
      >
        <Ellipsis aria-hidden />
        <span className="max-w-full truncate">{t`More`}</span>
      </button>
    </nav>
  );
}
