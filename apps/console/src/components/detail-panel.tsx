import { useLingui } from '@lingui/react/macro';
import { Link, Outlet } from '@tanstack/react-router';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useViewState } from '../page/view-state.ts';
import { classNames, iconLinkClasses } from './button.tsx';
import { ErrorBox } from './error-text.tsx';
import { Page } from './page.tsx';
import { ViewHeading } from './view-heading.tsx';

interface DetailPanelProps {
  /** The list that it belongs to, where closing leads. */
  listPath: '/keys' | '/webhooks' | '/people' | '/scheduled-changes';
  title: string;
  error: Error | null;
  onRetry: () => void;
  /** Wider, for what holds a table. */
  isWide?: boolean;
  children: ReactNode;
}

/**
 * The details of one row, beside their list, or over it where there is no room. The title has the focus when it opens, so that a
 * keyboard and a screen reader continue there.
 */
export function DetailPanel({ listPath, title, error, onRetry, isWide, children }: DetailPanelProps) {
  const { t } = useLingui();
  const [search] = useViewState();
  return (
    <section
      aria-label={title}
      className={classNames(
        'absolute inset-0 z-10 flex flex-col bg-surface lg:static lg:border-line lg:border-s',
        isWide ? 'lg:w-[36rem] xl:w-[44rem]' : 'lg:w-[26rem] xl:w-[30rem]',
      )}
    >
      <header className="flex items-start justify-between gap-2 border-line border-b px-4 py-3">
        <ViewHeading title={title} level={2} className="wrap-anywhere min-w-0 pt-1 font-semibold text-lg" />
        <Link
          to={listPath}
          search={search}
          aria-label={t`Close`}
          data-tooltip={t`Close`}
          className={iconLinkClasses}
        >
          <X aria-hidden />
        </Link>
      </header>
      <div className="flex grow flex-col gap-4 overflow-y-auto px-4 py-4">
        {error === null ? children : <ErrorBox error={error} onRetry={onRetry} />}
      </div>
    </section>
  );
}

interface ViewFrameProps {
  title: string;
  /** Under the title: what the view is for. */
  description: string;
  /** Buttons at the end of the title's line. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A view with a list, and the details of one of its rows beside it, or over it where there is no room. */
export function ViewFrame({ title, description, actions, children }: ViewFrameProps) {
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)_auto]">
      <Page title={title} intro={description} actions={actions} width="table">
        <div className="flex flex-col gap-3">{children}</div>
      </Page>
      <Outlet />
    </div>
  );
}
