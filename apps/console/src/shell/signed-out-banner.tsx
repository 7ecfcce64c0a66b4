import { Trans } from '@lingui/react/macro';
import { useIsSignedOut } from '../api/session-end.ts';
import { buttonClasses } from '../components/button.tsx';

/**
 * Says that the session has ended, above the view, which stays as it is. Signing in happens in a tab of its own, so that nothing
 * that was typed here is lost.
 */
export function SignedOutBanner() {
  const isSignedOut = useIsSignedOut();
  if (!isSignedOut) return null;
  return (
    <div
      role="alert"
      className="fixed inset-x-0 top-0 z-50 flex flex-wrap items-center justify-center gap-3 bg-warning-surface p-3 text-sm text-warning shadow-lg"
    >
      <span>
        <Trans>You are signed out. What you typed is still here: sign in, then go on.</Trans>
      </span>
      <a
        className={buttonClasses('primary')}
        href="/console/sign-in?close=true"
        target="_blank"
        rel="noopener opener"
      >
        <Trans>Sign in</Trans>
      </a>
    </div>
  );
}
