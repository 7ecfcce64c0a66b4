import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { X } from '../icons.tsx';
import { ChevronLeft } from '../more-icons.tsx';
import { useShortcuts } from './browser/shortcuts.ts';
import { classNames, iconButtonClasses } from './button.tsx';

/** Below this width a panel covers the list beside it. */
const BESIDE_LIST = '(min-width: 64rem)';

/** The id of the heading that names the panel: there is one panel at a time. */
export const PANEL_TITLE = 'panel-title';

/**
 * As long as a panel covers what is beside it, nothing reaches that; the heading has the focus when the panel opens over it.
 * With `isWhole` it covers that at any width.
 */
export function useCover(section: RefObject<HTMLElement | null>, isWhole = false): void {
  useEffect(() => {
    const wide = window.matchMedia(BESIDE_LIST);
    const covered = [...(section.current?.parentElement?.children ?? [])].filter(
      (element) => element !== section.current,
    );
    const update = () => {
      for (const element of covered) element.toggleAttribute('inert', isWhole || !wide.matches);
    };
    update();
    if (isWhole || !wide.matches) document.getElementById(PANEL_TITLE)?.focus({ preventScroll: true });
    wide.addEventListener('change', update);
    return () => {
      wide.removeEventListener('change', update);
      for (const element of covered) element.removeAttribute('inert');
    };
  }, [section, isWhole]);
}

interface SidePanelProps {
  list: Parameters<typeof CloseLink>[0];
  /** Has the id `PANEL_TITLE`. */
  heading: ReactNode;
  width: string;
  children: ReactNode;
}

interface CloseLinkProps {
  to: string;
  search: true | Record<string, unknown>;
  /** The name of the list, which is shown where the panel covers it. */
  name?: string;
}

export function CloseLink({ name, ...list }: CloseLinkProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const label = msg`Back to the list`;
  useShortcuts([{ keys: 'Escape', label, group: 'record', run: () => void navigate(list) }]);
  return (
    <Link
      {...list}
      data-tooltip={t(label)}
      className={classNames(
        iconButtonClasses(),
        'max-lg:[&_svg]:size-5 max-lg:[&_svg]:text-text lg:order-last',
        name !== undefined && 'max-lg:-ms-2 max-lg:w-auto max-lg:gap-1 max-lg:pe-3 max-lg:text-md',
      )}
    >
      <ChevronLeft aria-hidden className="lg:hidden rtl:rotate-180" />
      <X aria-hidden className="max-lg:hidden" />
      <span className="sr-only">{t(label)}</span>
      {name !== undefined && <span className="lg:hidden">{name}</span>}
    </Link>
  );
}

export function SidePanel({ list, heading, width, children }: SidePanelProps) {
  const section = useRef<HTMLElement>(null);
  useCover(section);
  return (
    <section
      ref={section}
      aria-labelledby={PANEL_TITLE}
      className={classNames(
        'absolute inset-0 z-10 flex min-h-0 flex-col bg-surface lg:static lg:z-auto lg:shrink-0 lg:border-line lg:border-s',
        width,
      )}
    >
      <header className="px-4 pt-3 sm:px-6">
        <div className="flex items-start gap-2 pb-3">
          <CloseLink {...list} />
          <div className="min-w-0 grow">{heading}</div>
        </div>
      </header>
      <div className="min-h-0 grow scroll-pb-16 overflow-y-auto">{children}</div>
    </section>
  );
}
