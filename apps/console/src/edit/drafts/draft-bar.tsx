import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Callout } from '../../components/badge.tsx';
import { Button, buttonClasses } from '../../components/button.tsx';
import { RelativeTime } from '../../components/time.tsx';
import type { ResourceName } from '../../contract/contracts.ts';
import { pathLabels } from '../../fields/field-labels.ts';
import { recordPath } from '../../record/record-context.ts';
import type { DirectoryRecord } from '../../resources/record.ts';
import { useDraft } from './use-draft.ts';

interface DraftBarProps {
  resource: ResourceName;
  record: DirectoryRecord;
  /** The fields that are being edited. */
  editing: readonly string[] | undefined;
}

/** Offers to go on with what was typed into a form of the record that is not open. */
export function DraftBar({ resource, record, editing }: DraftBarProps) {
  const { i18n } = useLingui();
  const { dirty, savedAt, discard } = useDraft(resource, record.id, record);
  const hidden = dirty.filter((name) => editing?.includes(name) !== true);
  if (hidden.length === 0 || savedAt === undefined) return null;
  const list = pathLabels(i18n, resource, hidden);
  return (
    <Callout
      title={
        <Trans>
          Draft from <RelativeTime time={new Date(savedAt).toISOString()} />
        </Trans>
      }
    >
      <p>
        <Trans>Not saved: {list}</Trans>
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Link
          to={`${recordPath(resource)}/edit`}
          params={{ id: record.id }}
          search={true}
          className={buttonClasses('primary')}
        >
          <Trans>Go on editing</Trans>
        </Link>
        <Button look="destructive" onClick={discard}>
          <Trans>Discard the draft</Trans>
        </Button>
      </div>
    </Callout>
  );
}
