import { type ReactNode, useId } from 'react';

export function Choice<Value extends string>({
  label,
  value,
  options,
  onChange,
  children,
}: {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
  /** Beside the options: the field that one of them needs. */
  children?: ReactNode;
}) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="pb-1 font-medium text-sm">{label}</legend>
      <div className="flex flex-wrap items-start gap-x-2">
        {options.map((option) => (
          <label key={option.value} className="flex min-h-9 items-center gap-2 pe-3 text-sm max-sm:min-h-11">
            <input
              type="radio"
              name={name}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
        {children}
      </div>
    </fieldset>
  );
}
