import { useLingui } from '@lingui/react/macro';
import { TextField } from './field.tsx';

/** The longest reason, in characters. */
export const REASON_MAX = 500;

/** The reason as the service takes it; undefined if none was typed. */
export const givenReason = (typed: string): string | undefined => typed.trim() || undefined;

interface ReasonFieldProps {
  /** The words below the field: whether it is optional, and where it is kept. */
  hint: string;
  value: string;
  onChange: (value: string) => void;
}

/** The field of the reason of a change, in one line. */
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
