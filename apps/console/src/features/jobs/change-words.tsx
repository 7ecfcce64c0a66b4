import { Trans, useLingui } from '@lingui/react/macro';
import { isObject } from '@roster/fields/objects';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { RecordLink } from '../../ui/record-name.tsx';
import { pathLabel } from '../fields/field-labels.ts';
import { FieldValue } from '../record/values.tsx';

function leavesOf(patch: unknown, above = ''): [path: string, value: unknown][] {
  return Object.entries(patch ?? {}).flatMap(([name, value]): [string, unknown][] => {
    const path = `${above}${name}`;
    return isObject(value) ? leavesOf(value, `${path}.`) : [[path, value]];
  });
}

export function ChangeWords({
  resource,
  change,
}: {
  resource: ResourceName;
  change: Record<string, unknown>;
}) {
  const { i18n } = useLingui();
  switch (change.type) {
    case 'deactivate':
      return <Trans>Deactivates each record</Trans>;
    case 'reactivate':
      return <Trans>Reactivates each record</Trans>;
    case 'delete':
      return <Trans>Deletes each record</Trans>;
    case 'transfer':
      return (
        <Trans>
          Transfers each agent to <RecordLink resource="offices" id={String(change.officeId)} />
        </Trans>
      );
    default:
      return (
        <ul>
          {leavesOf(change.patch).map(([path, value]) => (
            <li key={path}>
              {pathLabel(i18n, resource, path)} → <FieldValue resource={resource} path={path} value={value} />
            </li>
          ))}
        </ul>
      );
  }
}
