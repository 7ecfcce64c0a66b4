import { useLingui } from '@lingui/react/macro';
import { CountList } from '../../components/progress.tsx';
import type { RowCounts } from '../../import/types.ts';

interface RowCountListProps {
  counts: RowCounts;
  /** Whether it is what would happen, and not what has. */
  isForecast?: boolean;
}

/** What became of rows, counted, or what would. */
export function RowCountList({ counts, isForecast = false }: RowCountListProps) {
  const { t } = useLingui();
  const { created, updated, unchanged, rejected } = counts;
  return (
    <CountList
      counts={
        isForecast
          ? [
              { label: t({ message: 'New', context: 'count' }), count: created },
              { label: t`Would change`, count: updated },
              { label: t`As they are already`, count: unchanged },
              { label: t`With errors`, count: rejected },
            ]
          : [
              { label: t({ message: 'Created', context: 'count' }), count: created },
              { label: t({ message: 'Changed', context: 'count' }), count: updated },
              { label: t`As they were already`, count: unchanged },
              { label: t`Rejected`, count: rejected },
            ]
      }
    />
  );
}
