import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Import } from '@roster/client';
import { Link } from '@tanstack/react-router';
import { useRights } from '../../../api/caller.ts';
import { resources } from '../../../resources/index.ts';
import { Callout } from '../../../ui/badge.tsx';
import { LeftOutColumns, WrittenCounts } from '../import-labels.tsx';
import { ErrorGroups } from './error-groups.tsx';
import { ErrorRowsDownload, MatchesDownload, UndoButton } from './import-actions.tsx';

export function WrittenStep({ written }: { written: Import }) {
  const { t, i18n } = useLingui();
  const { canManage } = useRights();
  const { resource, created, updated, unchanged, errors, undoneBy, columns } = written;
  const done = created + updated + unchanged;
  const left = i18n.number(errors);
  return (
    <div className="flex flex-col gap-5">
      {undoneBy === null ? (
        <Callout
          tone={errors === 0 ? 'good' : 'warning'}
          title={
            errors === 0 ? (
              t`Import complete`
            ) : (
              <Plural
                value={done}
                one={`# row imported, ${left} not`}
                other={`# rows imported, ${left} not`}
              />
            )
          }
        />
      ) : (
        <Callout tone="warning" title={t`This import was undone`}>
          <p>
            <Link to="/jobs/$id" params={{ id: undoneBy }} className="underline">
              <Trans>Restored values, and values that couldn't be restored</Trans>
            </Link>
          </p>
        </Callout>
      )}
      <LeftOutColumns columns={columns} />
      <WrittenCounts written={written} />
      <div className="flex flex-wrap items-center gap-3">
        <Link to={`/${resource}`} search={{ sort: '-updatedAt' }} className="text-accent underline">
          {t(resources[resource].labels.show)}
        </Link>
        {undoneBy === null && created + updated > 0 && canManage(`${resource}:write`) && (
          <UndoButton current={written} />
        )}
      </div>
      <ErrorGroups
        file={written}
        title={<Plural value={errors} one="# row not imported" other="# rows not imported" />}
        actions={<ErrorRowsDownload file={written} />}
      />
      <MatchesDownload file={written} />
    </div>
  );
}
