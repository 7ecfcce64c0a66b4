import type { MessageDescriptor } from '@lingui/core';
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
import { Badge } from '../../ui/badge.tsx';
import { firstValue } from '../../ui/browser/view-state.ts';
import { ErrorBox } from '../../ui/error-text.tsx';
import { ProgressBar } from '../../ui/progress.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { beginDraft } from './draft.ts';
import { DropZone } from './drop-zone.tsx';

type Tone = NonNullable<Parameters<typeof Badge>[0]['tone']>;
type State = Pick<Import, 'status' | 'step' | 'undoneBy'>;

/** The state of an import in a word, by its step and its status. */
function stateOf({ status, step, undoneBy }: State): { label: MessageDescriptor; tone: Tone } {
  const isWritten = step === 'write';
  if (undoneBy !== null) return { label: msg`Undone`, tone: 'warning' };
  switch (status) {
    case 'cancelled':
      return { label: msg`Cancelled`, tone: 'warning' };
    case 'failed':
      return { label: msg`Failed`, tone: 'danger' };
    case 'queued':
    case 'running':
      return { label: isWritten ? msg`Being imported` : msg`Being checked`, tone: 'neutral' };
    case 'completed':
      return isWritten
        ? { label: msg`Imported`, tone: 'good' }
        : { label: msg`Preview only`, tone: 'neutral' };
    case 'completed_with_errors':
      return isWritten
        ? { label: msg`Partially imported`, tone: 'warning' }
        : { label: msg`Preview only`, tone: 'neutral' };
  }
}

function ImportBadge(props: State) {
  const { t } = useLingui();
  const { label, tone } = stateOf(props);
  return <Badge tone={tone}>{t(label)}</Badge>;
}

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
