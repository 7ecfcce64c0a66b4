import { useLingui } from '@lingui/react/macro';
import { TextField } from './field.tsx';

export const REASON_MAX = 500;

export const givenReason = (typed: string): string | undefined => typed.trim() || undefined;

interface ReasonFieldProps {
  hint: string;
  value: string;
  onChange: (value: string) => void;
}

export function ReasonField({ hint, value, onChange }: ReasonFieldProps) {
  const { t } = useLingui();
  return (
    <TextField
      label={t`Reason`}
      hint={hint}
      maxLength={REASON_MAX}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
