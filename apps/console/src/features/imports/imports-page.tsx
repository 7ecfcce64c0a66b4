import { msg } from '@lingui/core/macro';
import { Plural, useLingui } from '@lingui/react/macro';
import type { Import } from '@roster/client';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { mapResources } from '../../api/contract/contracts.ts';
import { isEnded, pauseMs } from '../../api/jobs.ts';
import { usePages } from '../../api/use-pages.ts';
import { resources } from '../../resources/index.ts';
import { adminTable } from '../../ui/admin/admin-screen.tsx';
import { firstValue } from '../../ui/browser/view-state.ts';
import { ErrorBox } from '../../ui/error-text.tsx';
import { ProgressBar } from '../../ui/progress.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { beginDraft } from './draft.ts';
import { DropZone } from './drop-zone.tsx';
import { ImportBadge } from './import-labels.tsx';

const PAGE_SIZE = 50;

/** Takes the file of a new import. */
function NewImport(): ReactNode {
  const navigate = useNavigate();
  const begin = useMutation({
    mutationFn: ({ file, fileName }: { file: Blob; fileName: string }) => beginDraft(file, fileName),
    onSuccess: () => void navigate({ to: '/imports/new' }),
  });
  return (
    <>
      <DropZone isBusy={begin.isPending} onFile={(given) => begin.mutate(given)} />
      {begin.isError && <ErrorBox error={begin.error} />}
    </>
  );
}

function RowsOfFile({ resource, total }: Import) {
  const { t } = useLingui();
  return (
    <p className="text-muted text-xs">
      {t(resources[resource].labels.many)} · <Plural value={total} one="# row" other="# rows" />
    </p>
  );
}

const { List } = adminTable<Import>({
  resource: 'imports',
  path: '/imports',
  labels: {
    title: msg`Imports`,
    empty: msg`No imports yet. Imports from here and from the command line are kept for a limited time.`,
  },
  defaultSort: '-createdAt',
  useList: (_sort, search) => {
    const resource = firstValue(search.resource);
    const query = { limit: PAGE_SIZE, ...(resource && { resource }) };
    return usePages('imports', 'list', query, {
      refetchMs: (rows, count) => !rows.every(isEnded) && pauseMs(count),
    });
  },
  titleOf: ({ name }, i18n) => name ?? i18n._(msg`Without a name`),
  name: { label: msg`File`, more: (file) => <RowsOfFile {...file} /> },
  fields: [
    {
      id: 'state',
      label: msg`State`,
      column: 'always',
      value: (one, i18n) =>
        isEnded(one) ? (
          <ImportBadge {...one} />
        ) : (
          <ProgressBar value={one.processed} max={one.total} label={i18n._(msg`Progress`)} />
        ),
    },
    {
      id: 'createdAt',
      label: msg`Started`,
      column: 'medium',
      value: ({ createdAt }) => <RelativeTime time={createdAt} />,
    },
    { id: 'createdBy', label: msg`By`, column: 'wide', value: ({ createdBy }) => createdBy?.name },
  ],
  Filters: NewImport,
  filters: [
    { name: 'resource', label: msg`Records`, choices: mapResources((name) => resources[name].labels.many) },
  ],
  actions: [],
});

/** Begins an import, and lists those of the service. */
export function ImportsPage(): ReactNode {
  return <List />;
}
