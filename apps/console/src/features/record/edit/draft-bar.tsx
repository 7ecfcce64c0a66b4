import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { Callout } from '../../../ui/badge.tsx';
import { Button, buttonClasses } from '../../../ui/button.tsx';
import { RelativeTime } from '../../../ui/time.tsx';
import { pathLabels } from '../../fields/field-labels.ts';
import { recordPath } from '../record-context.ts';
import { useDraft } from './drafts.ts';

interface DraftBarProps {
  resource: ResourceName;
  id: string;
  editing?: readonly string[] | undefined;
  isDeleted?: boolean;
}

export function DraftBar({ resource, id, editing, isDeleted = false }: DraftBarProps) {
  const { i18n } = useLingui();
  const { fields, savedAt, setFields } = useDraft(resource, id);
  const hidden = Object.keys(fields).filter((name) => editing?.includes(name) !== true);
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
            params={{ id }}
            search={true}
            className={buttonClasses('primary')}
          >
            <Trans>Continue editing</Trans>
          </Link>
        )}
        <Button look="destructive" onClick={() => setFields({})}>
          <Trans>Discard the draft</Trans>
        </Button>
      </div>
    </Callout>
  );
}
