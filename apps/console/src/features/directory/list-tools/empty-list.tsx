import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useRights } from '../../../api/caller.ts';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { FileUp, Plus } from '../../../icons.tsx';
import { resources } from '../../../resources/index.ts';
import { buttonClasses } from '../../../ui/button.tsx';
import { AddSamples } from '../samples/add-samples.tsx';

export function EmptyList({ resource }: { resource: ResourceName }) {
  const { t } = useLingui();
  const { can } = useRights();
  const { labels, icon: Icon } = resources[resource];
  return (
    <section className="mx-auto my-6 flex max-w-xl flex-col items-center gap-3 rounded-lg border border-line p-8 text-center">
      <Icon aria-hidden className="size-8 text-muted" />
      <h2 className="font-semibold text-lg">
        <Trans>No records yet</Trans>
      </h2>
      <p className="text-muted text-sm">{t(labels.about)}</p>
      {can(`${resource}:write`) && (
        <p className="flex flex-wrap justify-center gap-2">
          <Link to="/imports" className={buttonClasses('primary')}>
            <FileUp aria-hidden />
            <Trans>Import a file</Trans>
          </Link>
          <Link to={`/${resource}/new`} search={true} className={buttonClasses()}>
            <Plus aria-hidden />
            {t(labels.createFirst)}
          </Link>
          <AddSamples />
        </p>
      )}
    </section>
  );
}
