import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { ChevronRight } from '../../icons.tsx';
import { resources } from '../../resources/index.ts';
import { useIsPhone, useMedia } from '../../ui/browser/media.ts';
import { classNames } from '../../ui/button.tsx';
import { CloseLink, PANEL_TITLE, useCover } from '../../ui/side-panel.tsx';

/** From this width on the page of a record has its history beside it. */
const BESIDE_RECORD = '(min-width: 75rem)';

/** Whether there is room for the history beside the page of a record. */
export const useRoomBeside = (): boolean => useMedia(BESIDE_RECORD);

interface PanelProps {
  resource: ResourceName;
  title: ReactNode;
  /** The part under the bar: the name with what it says, and the buttons. */
  head?: ReactNode;
  actions?: ReactNode;
  tabs?: ReactNode;
  /** Whether it is a page, instead of a panel beside the list. */
  isWhole?: boolean;
  /** Beside what a page shows. */
  aside?: ReactNode;
  children: ReactNode;
}

/** The name of a record, which is the heading of its panel or its page. */
export function RecordTitle({ isWhole, children }: { isWhole: boolean; children: ReactNode }) {
  return (
    <h2
      id={PANEL_TITLE}
      tabIndex={-1}
      className={classNames(
        'min-w-0 break-words font-semibold outline-none',
        isWhole ? 'text-2xl tracking-[-0.015em]' : 'text-xl tracking-[-0.01em]',
      )}
    >
      {children}
    </h2>
  );
}

/** The frame of a record beside its list, or as a page. Its tabs name the window; the focus stays in the list, if there is room beside it. */
export function Panel({
  resource,
  title,
  head,
  actions,
  tabs,
  isWhole = false,
  aside,
  children,
}: PanelProps) {
  const { t } = useLingui();
  const section = useRef<HTMLElement>(null);
  useCover(section, isWhole);
  const isPhone = useIsPhone();
  const list = { to: `/${resource}`, search: true } as const;
  return (
    <section
      ref={section}
      aria-labelledby={PANEL_TITLE}
      className={classNames(
        'absolute inset-0 z-10 flex min-h-0 flex-col bg-surface',
        !isWhole && 'lg:static lg:z-auto lg:w-[480px] lg:shrink-0 lg:border-line lg:border-s',
      )}
    >
      <header
        className={classNames(
          'flex min-h-14 shrink-0 items-center gap-2 px-4',
          isWhole ? 'border-line border-b sm:px-6' : 'max-sm:pe-3 lg:ps-3.5',
        )}
      >
        {isWhole ? (
          <nav
            aria-label={t`Breadcrumb`}
            className="flex min-w-0 grow items-center gap-1.5 whitespace-nowrap"
          >
            <h1>
              <Link {...list} className="text-muted hover:text-text">
                {t(resources[resource].labels.many)}
              </Link>
            </h1>
            <ChevronRight aria-hidden className="size-3.5 shrink-0 text-muted rtl:rotate-180" />
            <span aria-current="page" className="min-w-0 truncate font-medium">
              {title}
            </span>
          </nav>
        ) : (
          <CloseLink {...list} name={t(resources[resource].labels.many)} />
        )}
        {!isWhole && <div className="min-w-0 grow">{!isPhone && tabs}</div>}
        {actions}
      </header>
      <div className="flex min-h-0 grow">
        <div className="@container min-h-0 min-w-0 grow scroll-pb-16 overflow-y-auto">
          {head !== undefined && (
            <div className={classNames('px-4 sm:px-6', isWhole ? 'pt-4' : 'pt-1')}>{head}</div>
          )}
          {(isWhole || isPhone) && tabs !== undefined && <div className="px-4 pt-4 sm:px-6">{tabs}</div>}
          {children}
        </div>
        {aside}
      </div>
    </section>
  );
}
