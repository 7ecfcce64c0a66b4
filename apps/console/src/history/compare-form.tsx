import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Button } from '../components/button.tsx';
import { SelectField } from '../components/forms/field.tsx';
import { recordPath, useRecord } from '../record/record-context.ts';

interface CompareFormProps {
  /** The versions that can be compared, newest first. */
  versions: readonly number[];
  /** Those that are compared now. */
  from?: number;
  to?: number;
}

/** Asks for two versions of a record to compare. */
export function CompareForm({ versions, from, to }: CompareFormProps) {
  const { t } = useLingui();
  const { resource, record } = useRecord();
  const navigate = useNavigate();
  const [older, setOlder] = useState(String(from ?? versions.at(-1)));
  const [newer, setNewer] = useState(String(to ?? versions[0]));
  const options = [...new Set([...versions, ...[from, to].filter((one) => one !== undefined)])]
    .toSorted((a, b) => b - a)
    .map((version) => [version, String(version)] as const);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const [low, high] = [Number(older), Number(newer)].toSorted((a, b) => a - b);
    void navigate({
      to: `${recordPath(resource)}/compare/$from/$to`,
      params: { id: record.id, from: String(low), to: String(high) },
      search: true,
    });
  };
  return (
    <form className="flex flex-wrap items-end gap-3" aria-label={t`Compare versions`} onSubmit={submit}>
      <SelectField
        label={t`Compare version`}
        className="min-w-24"
        value={older}
        onChange={(event) => setOlder(event.target.value)}
        options={options}
      />
      <SelectField
        label={t`with version`}
        className="min-w-24"
        value={newer}
        onChange={(event) => setNewer(event.target.value)}
        options={options}
      />
      <Button type="submit">
        <Trans>Compare</Trans>
      </Button>
    </form>
  );
}
