import { useLingui } from '@lingui/react/macro';
import { Suspense } from 'react';
import { useRights } from '../../api/caller.ts';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { resources } from '../../resources/index.ts';
import { lazyComponent } from '../../ui/browser/lazy-components.ts';
import { ErrorBox } from '../../ui/error-text.tsx';
import { Panel, RecordTitle } from './panel.tsx';

const NewRecordForm = lazyComponent(() => import('../record/edit/edit-page.tsx'), 'NewRecordForm');

export function NewPage({ resource }: { resource: ResourceName }) {
  const { t } = useLingui();
  const { can } = useRights();
  const title = t(resources[resource].labels.create);
  return (
    <Panel resource={resource} title={title} head={<RecordTitle isWhole={false}>{title}</RecordTitle>}>
      {can(`${resource}:write`) ? (
        <Suspense>
          <NewRecordForm resource={resource} />
        </Suspense>
      ) : (
        <ErrorBox error={new Error(t`You can't create records here.`)} />
      )}
    </Panel>
  );
}
