import { Plural, Trans } from '@lingui/react/macro';
import { Button } from '../../../../ui/button.tsx';
import { RelativeTime } from '../../../../ui/time.tsx';
import type { DraftHandle } from './use-draft.ts';

export function DraftLine({ draft, isNew }: { draft: DraftHandle; isNew: boolean }) {
  const { savedAt, isRestored, isEditedElsewhere, isKept } = draft;
  return (
    <>
      {isRestored && savedAt !== undefined && (
        <p className="flex flex-wrap items-center gap-2 text-muted text-sm">
          <span className="grow">
            <Trans>
              Unsaved draft from <RelativeTime time={new Date(savedAt).toISOString()} />
            </Trans>
            {': '}
            <Plural value={draft.dirty.length} one="# unsaved field" other="# unsaved fields" />
          </span>
          <Button look="destructive" onClick={draft.discard}>
            <Trans>Discard the draft</Trans>
          </Button>
        </p>
      )}
      {isEditedElsewhere && (
        <p className="text-sm text-soon">
          {isNew ? (
            <Trans>A new record is also unsaved in a different tab. Each tab keeps its own draft.</Trans>
          ) : (
            <Trans>This record is also being edited in a different tab. Each tab keeps its own draft.</Trans>
          )}
        </p>
      )}
      {!isKept && (
        <p role="alert" className="text-danger text-sm">
          <Trans>This browser has no space for drafts. Save before you leave the page.</Trans>
        </p>
      )}
    </>
  );
}
