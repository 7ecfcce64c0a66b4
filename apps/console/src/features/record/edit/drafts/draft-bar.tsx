import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { ResourceName } from '../../../../api/contract/contracts.ts';
import { Callout } from '../../../../ui/badge.tsx';
import { Button, buttonClasses } from '../../../../ui/button.tsx';
import { RelativeTime } from '../../../../ui/time.tsx';
import { pathLabels } from '../../../fields/field-labels.ts';
import { recordPath } from '../../record-context.ts';
import type { Json } from '../values/form-values.ts';
import { useDraft } from './use-draft.ts';

interface DraftBarProps {
  resource: ResourceName;
  /** The record as it is; of a deleted one the id alone. */
  record: Json & { readonly id: string };
  editing?: readonly string[] | undefined;
  isDeleted?: boolean;
}

export function DraftBar({ resource, record, editing, isDeleted = false }: DraftBarProps) {
  const { i18n } = useLingui();
  const { dirty, savedAt, discard } = useDraft(resource, record.id, record);
  const hidden = dirty.filter((name) => editing?.includes(name) !== true);
  if (hidden.length === 0 || savedAt === undefined) return null;
  const list = pathLabels(i18n, resource, hidden);
  return (
    <Callout
      title={
        <Trans>
          Unsaved draft from <RelativeTime time={new Date(savedAt).toISOString()} />
        </Trans>
      }
    >
      <p>
        <Trans>Not saved: {list}</Trans>
      </p>
      {isDeleted && (
        <p>
          <Trans>Your draft is kept. Restore the record to continue.</Trans>
        </p>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        {!isDeleted && (
          <Link
            to={`${recordPath(resource)}/edit`}
            params={{ id: record.id }}
            search={true}
            className={buttonClasses('primary')}
          >
            <Trans>Continue editing</Trans>
          </Link>
        )}
        <Button look="destructive" onClick={discard}>
          <Trans>Discard the draft</Trans>
        </Button>
      </div>
    </Callout>
  );
}
