import { useLingui } from '@lingui/react/macro';
import type { RecordEventType } from '@roster/client';
import { recordEventTypes } from '../../api/event-types.ts';
import { CheckboxField, SelectField } from '../../components/forms/field.tsx';

const groups = ['office', 'agent'] as const;

/** Which events a webhook receives: all (null), or some types. */
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
  const names = { office: t`Events of offices`, agent: t`Events of agents` };
  const toggle = (type: RecordEventType, isChosen: boolean) =>
    onChange(
      (recordEventTypes as readonly RecordEventType[]).filter((one) =>
        one === type ? isChosen : value?.includes(one),
      ),
    );
  return (
    <div className="flex flex-col gap-2">
      <SelectField
        label={t`Events`}
        error={error}
        value={value === null ? 'all' : 'some'}
        onChange={(event) => onChange(event.target.value === 'all' ? null : [])}
      >
        <option value="all">{t`All events of offices and agents`}</option>
        <option value="some">{t`Some types of events`}</option>
      </SelectField>
      {value !== null && (
        <div className="grid gap-4 sm:grid-cols-2">
          {groups.map((group) => (
            <fieldset key={group} className="min-w-0">
              <legend className="font-medium text-sm">{names[group]}</legend>
              {(recordEventTypes as readonly RecordEventType[])
                .filter((type) => type.startsWith(group))
                .map((type) => (
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
