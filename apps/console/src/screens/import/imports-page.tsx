import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useRights } from '../../api/caller.ts';
import { IconButton } from '../../components/button.tsx';
import { ErrorBox } from '../../components/error-text.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/time.tsx';
import { beginImport } from '../../import/begin-import.ts';
import { deleteImport, listImports } from '../../import/documents.ts';
import { useRun } from '../../import/run-state.ts';
import type { ImportDocument } from '../../import/types.ts';
import { resources } from '../../resources/index.ts';
import { DropZone } from './drop-zone.tsx';
import { StageBadge } from './stage-labels.tsx';

function ImportLine({ document, onDelete }: { document: ImportDocument; onDelete: () => void }) {
  const { t } = useLingui();
  const { id, fileName, createdAt, rows, resource } = document;
  const run = useRun(id);
  return (
    <li className="flex flex-wrap items-center gap-3 border-line border-b py-2">
      <div className="min-w-0 grow">
        <Link to="/imports/$id" params={{ id }} className="break-all font-medium text-accent underline">
          {fileName}
        </Link>
        <p className="text-muted text-xs">
          {t(resources[resource].labels.many)}
          {rows > 0 && (
            <>
              {' · '}
              <Plural value={rows} one="# row" other="# rows" />
            </>
          )}
          {' · '}
          <RelativeTime time={createdAt} />
        </p>
      </div>
      <StageBadge document={document} />
      <IconButton label={t`Forget ${fileName}`} disabled={run !== undefined} onClick={onDelete}>
        <Trash2 aria-hidden />
      </IconButton>
    </li>
  );
}

/** Begins an import, and has those of this browser. */
export function ImportsPage() {
  const { t } = useLingui();
  const { caller } = useRights();
  const navigate = useNavigate();
  const client = useQueryClient();
  const imports = useQuery({
    queryKey: ['imports', caller.id],
    queryFn: () => listImports(caller.id),
    staleTime: 0,
  });
  const begin = useMutation({
    mutationFn: (given: { file: Blob; fileName: string }) => beginImport(given, caller.id),
    onSuccess: (id) => navigate({ to: '/imports/$id', params: { id } }),
  });
  const remove = async (id: string) => {
    await deleteImport(id);
    await client.invalidateQueries({ queryKey: ['imports'] });
  };
  return (
    <Page title={t`Imports`} width="text">
      <DropZone isBusy={begin.isPending} onFile={(given) => begin.mutate(given)} />
      {begin.isError && <ErrorBox error={begin.error} />}
      {imports.isError && <ErrorBox error={imports.error} />}
      {imports.data !== undefined && imports.data.length > 0 && (
        <section aria-labelledby="own-imports">
          <h2 id="own-imports" className="font-semibold">
            <Trans>Imports of this browser</Trans>
          </h2>
          <p className="text-muted text-sm">
            <Trans>They are kept here for a week. To forget one changes nothing in the directory.</Trans>
          </p>
          <ul>
            {imports.data.map((document) => (
              <ImportLine key={document.id} document={document} onDelete={() => void remove(document.id)} />
            ))}
          </ul>
        </section>
      )}
    </Page>
  );
}
