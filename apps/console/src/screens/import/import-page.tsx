import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useRights } from '../../api/caller.ts';
import { Callout } from '../../components/badge.tsx';
import { ErrorBox } from '../../components/error-text.tsx';
import { Page } from '../../components/page.tsx';
import { importQuery } from '../../import/documents.ts';
import type { ImportDocument } from '../../import/types.ts';
import { CheckedStep, CheckingStep } from './check-step.tsx';
import { ColumnsStep } from './columns-step.tsx';
import { FileStep } from './file-step.tsx';
import { AppliedStep, ApplyingStep, UndoStep } from './result-step.tsx';
import { StageBadge, Steps } from './stage-labels.tsx';
import { ValuesStep } from './values-step.tsx';

function Step({ document }: { document: ImportDocument }) {
  switch (document.stage) {
    case 'file':
      return <FileStep document={document} />;
    case 'columns':
      return <ColumnsStep document={document} />;
    case 'values':
      return <ValuesStep document={document} />;
    case 'checking':
      return <CheckingStep document={document} />;
    case 'checked':
      return <CheckedStep document={document} />;
    case 'applying':
      return <ApplyingStep document={document} />;
    case 'applied':
      return <AppliedStep document={document} />;
    case 'undoing':
    case 'undone':
      return <UndoStep document={document} />;
  }
}

/** One import, from its file to its undo. It is kept in this browser, so that it goes on after a reload. */
export function ImportPage() {
  const { t } = useLingui();
  const { caller } = useRights();
  const { id } = useParams({ from: '/signed-in/imports/$id' });
  const found = useQuery(importQuery(id, caller.id));
  const document = found.data;
  return (
    <Page
      title={document?.fileName ?? t`Import`}
      width="text"
      intro={
        <>
          {document != null && <StageBadge document={document} />}{' '}
          <Link to="/imports" className="text-accent underline">
            <Trans>All imports</Trans>
          </Link>
        </>
      }
    >
      {found.isError && <ErrorBox error={found.error} />}
      {document === null && (
        <Callout tone="warning" title={t`This browser has no such import`}>
          <p>
            <Trans>An import is kept for a week, in the browser in which it was begun.</Trans>
          </p>
        </Callout>
      )}
      {document != null && (
        <>
          <Steps stage={document.stage} />
          <Step key={document.stage} document={document} />
        </>
      )}
    </Page>
  );
}
