'use no memo';

import { Trans, useLingui } from '@lingui/react/macro';
import { Link, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { mayReload, PartError, reloadPage } from '../ui/browser/lazy-chunks.ts';
import { buttonClasses } from '../ui/button.tsx';
import { ErrorBox } from '../ui/error-text.tsx';
import { ViewHeading } from '../ui/view-heading.tsx';

/** The time for which it is said that the page is loaded again before that happens, in milliseconds. */
const READING_MS = 1_500;

function Reloading() {
  useEffect(() => {
    const timer = setTimeout(reloadPage, READING_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p role="status" className="p-8">
      <Trans>Part of this page couldn't be loaded. Reloading the page. Your input is kept.</Trans>
    </p>
  );
}

export function RouteError({ error }: { error: unknown }) {
  const { t } = useLingui();
  const router = useRouter();
  if (error instanceof PartError && error.needsReload && mayReload()) return <Reloading />;
  return (
    <div className="mx-auto flex max-w-2xl flex-col p-4">
      <ViewHeading title={t`Can't show this view`} className="px-4 font-semibold text-xl" />
      <ErrorBox error={error} onRetry={() => void router.invalidate()} />
    </div>
  );
}

export function NotFoundPage() {
  const { t } = useLingui();
  return (
    <div className="mx-auto flex max-w-2xl flex-col items-start gap-3 p-8">
      <p aria-hidden className="font-mono text-muted text-sm">
        404
      </p>
      <ViewHeading title={t`Page not found`} />
      <p className="text-muted text-sm">
        <Trans>Check the address. It may be mistyped.</Trans>
      </p>
      <Link to="/" className={buttonClasses('primary')}>
        <Trans>Go to the first view</Trans>
      </Link>
    </div>
  );
}
