import { Plural, useLingui } from '@lingui/react/macro';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { contracts } from '../../api/contract/contracts.ts';
import { resources } from '../../resources/index.ts';
import { RecordLink } from '../../ui/record-name.tsx';
import { filterLabel, filterValue } from './filter-labels.ts';

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
                    {refersTo === undefined ? (
                      filterValue(i18n, resource, name, one)
                    ) : (
                      <RecordLink resource={refersTo} id={one} />
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
