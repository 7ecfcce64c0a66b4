import { useLingui } from '@lingui/react/macro';
import type { RecordEventType } from '@roster/client';
import { resourceNames } from '../../api/contract/contracts.ts';
import { eventTypesOf, recordEventTypes } from '../../resources/event-types.ts';
import { resources } from '../../resources/index.ts';
import { CheckboxField } from '../../ui/forms/field.tsx';
import { SelectField } from '../../ui/forms/select.tsx';

export function EventTypesField({
  value,
  error,
  onChange,
}: {
  value: readonly RecordEventType[] | null;
  error: string | undefined;
  onChange: (value: RecordEventType[] | null) => void;
}) {
  const { t } = useLingui();
  const toggle = (type: RecordEventType, isChosen: boolean) =>
    onChange(recordEventTypes.filter((one) => (one === type ? isChosen : value?.includes(one))));
  return (
    <div className="flex flex-col gap-2">
      <SelectField
        label={t`Events`}
        error={error}
        value={value === null ? 'all' : 'some'}
        onChange={(chosen) => onChange(chosen === 'all' ? null : [])}
        options={[
          ['all', t`All events of records`],
          ['some', t`Some types of events`],
        ]}
      />
      {value !== null && (
        <div className="grid gap-4 sm:grid-cols-2">
          {resourceNames.map((name) => (
            <fieldset key={name} className="min-w-0">
              <legend className="font-medium text-sm">{t(resources[name].labels.events)}</legend>
              {eventTypesOf(name).map((type) => (
                <CheckboxField
                  key={type}
                  label={<code className="text-xs">{type}</code>}
                  checked={value.includes(type)}
                  onChange={(event) => toggle(type, event.target.checked)}
                />
              ))}
            </fieldset>
          ))}
        </div>
      )}
    </div>
  );
}
