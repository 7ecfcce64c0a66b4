import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { RecordLink } from '../components/record-name.tsx';
import type { ResourceName } from '../contract/contracts.ts';
import { contracts } from '../contract/contracts.ts';
import { pathLabel } from '../fields/field-labels.ts';
import { filterLabel, filterValue } from '../fields/filter-labels.ts';
import { resources } from '../resources/index.ts';
import { FieldValue } from './values.tsx';

/** Which records a filter selects, in words, one condition in a line; all of them must hold. */
export function FilterWords({
  resource,
  filter,
}: {
  resource: ResourceName;
  filter: Record<string, unknown>;
}) {
  const { t, i18n } = useLingui();
  if (filter.all === true) return t(resources[resource].labels.all);
  const conditions = Object.entries(filter).filter(([, value]) => value !== undefined);
  return (
    <ul>
      {conditions.map(([name, value]) => {
        const values = [value].flat().map(String);
        const { refersTo } = contracts[resource].filters.find((one) => one.name === name) ?? {};
        const referred = name === 'recordId' ? resource : refersTo;
        return (
          <li key={name}>
            {name === 'ids' ? (
              <Plural value={values.length} one="# selected record" other="# selected records" />
            ) : (
              <>
                {filterLabel(i18n, resource, name)}:{' '}
                {values.map((one, index) => (
                  <span key={one}>
                    {index > 0 && ` ${t`or`} `}
                    {referred === undefined ? (
                      filterValue(i18n, resource, name, one)
                    ) : (
                      <RecordLink resource={referred} id={one} />
                    )}
                  </span>
                ))}
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The fields of a merge patch with their values; the parts of an object each by itself. */
function leavesOf(patch: Record<string, unknown>, above = ''): [path: string, value: unknown][] {
  return Object.entries(patch).flatMap(([name, value]): [string, unknown][] => {
    const path = `${above}${name}`;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? leavesOf(value as Record<string, unknown>, `${path}.`) : [[path, value]];
  });
}

/** The change that a job makes in each record, in words. */
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
    case 'merge':
      return <Trans>Merges the two records of each pair</Trans>;
    case 'transfer':
      return (
        <Trans>
          Transfers each agent to <RecordLink resource="offices" id={String(change.officeId)} />
        </Trans>
      );
    default:
      return (
        <ul>
          {leavesOf((change.patch ?? {}) as Record<string, unknown>).map(([path, value]) => (
            <li key={path}>
              {pathLabel(i18n, resource, path)} → <FieldValue resource={resource} path={path} value={value} />
            </li>
          ))}
        </ul>
      );
  }
}
