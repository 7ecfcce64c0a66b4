import { Trans } from '@lingui/react/macro';
import type { Pages } from '../api/use-pages.ts';
import { Button } from './button.tsx';

/** The button that reads the next page of a list; none after the last. */
export function LoadMore({
  pages: { hasMore, isLoadingMore, loadMore },
}: {
  pages: Pick<Pages<unknown>, 'hasMore' | 'isLoadingMore' | 'loadMore'>;
}) {
  if (!hasMore) return null;
  return (
    <Button className="self-center" disabled={isLoadingMore} onClick={loadMore}>
      {isLoadingMore ? <Trans>Loading…</Trans> : <Trans>Load more</Trans>}
    </Button>
  );
}
