import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Import } from '@roster/client';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { mapResources } from '../../api/contract/contracts.ts';
import { isEnded, pauseMs } from '../../api/jobs.ts';
import { usePages } from '../../api/use-pages.ts';
import { resources } from '../../resources/index.ts';
import { ChoiceFilter } from '../../ui/admin/filters.tsx';
import { firstValue, useViewState } from '../../ui/browser/view-state.ts';
import { ErrorBox } from '../../ui/error-text.tsx';
import { Page } from '../../ui/page.tsx';
import { type Column, PagedTable, rowLinkClasses } from '../../ui/paged-table.tsx';
import { ProgressBar } from '../../ui/progress.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { beginDraft } from './draft.ts';
import { DropZone } from './drop-zone.tsx';
import { ImportBadge } from './import-labels.tsx';

const PAGE_SIZE = 50;

function useColumns(): Column<Import>[] {
  const { t } = useLingui();
  return [
    {
      id: 'name',
      label: t`File`,
      cell: ({ id, name, resource, total }) => (
        <>
          <Link to="/imports/$id" params={{ id }} className={rowLinkClasses}>
            {name ?? t`Without a name`}
          </Link>
          <p className="text-muted text-xs">
            {t(resources[resource].labels.many)} · <Plural value={total} one="# row" other="# rows" />
          </p>
        </>
      ),
    },
    {
      id: 'state',
      label: t`State`,
      cell: (one) =>
        isEnded(one) ? (
          <ImportBadge {...one} />
        ) : (
          <ProgressBar value={one.processed} max={one.total} label={t`Progress`} />
        ),
    },
    {
      id: 'createdAt',
      label: t`Started`,
      width: 'medium',
      cell: ({ createdAt }) => <RelativeTime time={createdAt} />,
    },
    { id: 'createdBy', label: t`By`, width: 'wide', cell: ({ createdBy }) => createdBy?.name ?? '–' },
  ];
}

/** Begins an import, and lists those of the service. */
export function ImportsPage() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [search] = useViewState();
  const resource = firstValue(search.resource);
  const query = { limit: PAGE_SIZE, ...(resource && { resource }) };
  const pages = usePages('imports', 'list', query, {
    refetchMs: (rows, count) => !rows.every(isEnded) && pauseMs(count),
  });
  const begin = useMutation({
    mutationFn: ({ file, fileName }: { file: Blob; fileName: string }) => beginDraft(file, fileName),
    onSuccess: () => navigate({ to: '/imports/new' }),
  });
  return (
    <Page title={t`Imports`} width="wide">
      <DropZone isBusy={begin.isPending} onFile={(given) => begin.mutate(given)} />
      {begin.isError && <ErrorBox error={begin.error} />}
      <div className="flex flex-wrap gap-3">
        <ChoiceFilter
          name="resource"
          label={msg`Records`}
          choices={mapResources((name) => resources[name].labels.many)}
        />
      </div>
      <PagedTable
        label={t`Imports`}
        pages={pages}
        columns={useColumns()}
        empty={
          <Trans>
            No imports yet. Imports from here and from the command line are kept for a limited time.
          </Trans>
        }
      />
    </Page>
  );
}
