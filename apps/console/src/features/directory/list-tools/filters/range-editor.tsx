import { useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import type { FilterContract } from '../../../../api/contract/types.ts';
import { TextField } from '../../../../ui/forms/field.tsx';
import { SelectField } from '../../../../ui/forms/select.tsx';
import { type Ends, type FilterRange, type Window, windowEnds, windowOf } from './filter-ranges.ts';

const DAYS_DEFAULT = { next: 60, last: 30 };
const DAYS_MAX = 9_999;

interface RangeEditorProps {
  range: FilterRange;
  ends: Ends;
  onChange: (ends: Ends) => void;
  renderEnd: (filter: FilterContract, value: string | undefined, set: (value?: string) => void) => ReactNode;
}

export function usualEnds(range: FilterRange): Ends {
  const direction = range.isOpenEnded ? 'next' : 'last';
  return windowEnds(range, { direction, days: DAYS_DEFAULT[direction] });
}

export function RangeEditor({ range, ends, onChange, renderEnd }: RangeEditorProps) {
  const { t } = useLingui();
  const { since, before } = range;
  const found = windowOf(range, ends);
  const [mode, setMode] = useState<Window['direction'] | 'ends'>(found?.direction ?? 'ends');
  const [days, setDays] = useState(String(found?.days ?? ''));
  const setWindow = (direction: Window['direction'], text: string) => {
    setDays(text);
    onChange(windowEnds(range, { direction, days: Number(text) }));
  };
  return (
    <div className="flex flex-col gap-4">
      <SelectField
        label={t`When`}
        value={mode}
        onChange={(chosen) => {
          setMode(chosen);
          if (chosen === 'ends') onChange({});
          else setWindow(chosen, days === '' ? String(DAYS_DEFAULT[chosen]) : days);
        }}
        options={[
          ...(range.isOpenEnded ? [['next', t`In the next days`] as const] : []),
          ['last', t`In the last days`],
          ['ends', t`Between two dates`],
        ]}
      />
      {mode === 'ends' ? (
        <>
          {since && renderEnd(since, ends.since, (value) => onChange({ ...ends, since: value }))}
          {before && renderEnd(before, ends.before, (value) => onChange({ ...ends, before: value }))}
        </>
      ) : (
        <TextField
          label={t`Number of days`}
          type="number"
          required
          autoFocus
          min={1}
          max={DAYS_MAX}
          hint={t`Counted from the day the list is opened`}
          value={days}
          onChange={({ target }) => setWindow(mode, target.value)}
        />
      )}
    </div>
  );
}
