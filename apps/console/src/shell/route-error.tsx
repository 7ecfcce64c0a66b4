import { Trans } from '@lingui/react/macro';
import { Link, useRouter } from '@tanstack/react-router';
import { ErrorBox } from '../components/error-text.tsx';

/** In place of a view that could not be shown. */
export function RouteError({ error }: { error: unknown }) {
  const router = useRouter();
  return (
    <main className="mx-auto max-w-2xl">
      <ErrorBox error={error} onRetry={() => void router.invalidate()} />
    </main>
  );
}

/** In place of a view that there is not. */
export function NotFoundPage() {
  return (
    <main className="mx-auto max-w-2xl p-8">
      <h1 className="mb-2 font-semibold text-xl">
        <Trans>There is no such page</Trans>
      </h1>
      <Link to="/agents" className="text-accent underline">
        <Trans>Go to the agents</Trans>
      </Link>
    </main>
  );
}
