import { Trans, useLingui } from '@lingui/react/macro';
import { skipToken, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRights } from '../../../api/caller.ts';
import { parentOf, type ResourceName } from '../../../api/contract/contracts.ts';
import { FileUp, Plus } from '../../../icons.tsx';
import { resources } from '../../../resources/index.ts';
import { callsOf } from '../../../resources/record-calls.ts';
import { buttonClasses, linkClasses } from '../../../ui/button.tsx';
import { AddSamples } from '../samples/add-samples.tsx';

/** Whether records belong to others, of which there is none yet. */
function useLacksParents(resource: ResourceName): boolean {
  const { can } = useRights();
  const parent = parentOf(resource)?.resource;
  const isAsked = parent !== undefined && parent !== resource && can(`${parent}:read`);
  const { data } = useQuery({
    queryKey: [parent, 'list', { limit: 1 }],
    queryFn: isAsked ? ({ signal }) => callsOf(parent).list.query({ limit: 1 }, { signal }) : skipToken,
  });
  return data?.items.length === 0;
}

export function EmptyList({ resource }: { resource: ResourceName }) {
  const { t } = useLingui();
  const { can, canManage } = useRights();
  const mayImport = canManage(`${resource}:write`);
  const { labels, icon: Icon } = resources[resource];
  const lacksOffices = useLacksParents(resource);
  return (
    <section className="mx-auto my-6 flex max-w-xl flex-col items-center gap-3 rounded-lg border border-line p-8 text-center">
      <Icon aria-hidden className="size-8 text-muted" />
      <h2 className="font-semibold text-lg">{t(labels.noneYet)}</h2>
      <p className="text-muted text-sm">{t(labels.about)}</p>
      {lacksOffices && (
        <p className="text-sm">
          <Trans>Offices first: agents and teams belong to them.</Trans>{' '}
          <Link to="/offices" className={linkClasses}>
            <Trans>Go to offices</Trans>
          </Link>
        </p>
      )}
      {can(`${resource}:write`) && (
        <p className="flex flex-wrap justify-center gap-2">
          {mayImport && (
            <Link to="/imports" className={buttonClasses('primary')}>
              <FileUp aria-hidden />
              <Trans>Import a file</Trans>
            </Link>
          )}
          <Link
            to={`/${resource}/new`}
            search={true}
            className={buttonClasses(mayImport ? 'secondary' : 'primary')}
          >
            <Plus aria-hidden />
            {t(labels.createFirst)}
          </Link>
          <AddSamples />
        </p>
      )}
    </section>
  );
}
