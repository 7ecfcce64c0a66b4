import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useViewState } from '../app/view-state.ts';
import { classNames, iconLinkClasses } from './button.tsx';
import { ErrorBox } from './error-text.tsx';

interface DetailPanelProps {
  /** The list that it belongs to, where closing leads. */
  listPath: '/keys' | '/webhooks' | '/people' | '/scheduled-changes';
  title: ReactNode;
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
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section
      aria-labelledby={id}
      className={classNames(
        'absolute inset-0 z-10 flex flex-col bg-surface lg:static lg:border-line lg:border-s',
        isWide ? 'lg:w-[36rem] xl:w-[44rem]' : 'lg:w-[26rem] xl:w-[30rem]',
      )}
    >
      <header className="flex items-start gap-2 border-line border-b px-4 py-3">
        <h2
          ref={heading}
          id={id}
          tabIndex={-1}
          className="min-w-0 grow break-words pt-1 font-semibold text-lg outline-none"
        >
          {title}
        </h2>
        <Link
          to={listPath}
          search={search}
          aria-label={t`Close`}
          title={t`Close`}
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
