import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from '../button.tsx';

export const controlClasses =
  'w-full rounded-md border border-control bg-surface px-3 py-1.5 text-base sm:text-sm min-h-9 ' +
  'aria-invalid:border-danger disabled:opacity-60';

export interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  isRequired?: boolean;
  className?: string;
  children: (ids: ControlIds) => ReactNode;
}

interface ControlIds {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  required: boolean | undefined;
}

export function Field({ label, hint, error, isRequired, className, children }: FieldProps) {
  const id = useId();
  const hasError = error !== undefined && error !== null && error !== '';
  const described = [hint !== undefined && `${id}-hint`, hasError && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={classNames('flex flex-col gap-1', className)}>
      <label htmlFor={id} className="font-medium text-sm">
        {label}
        {isRequired && (
          <span aria-hidden className="text-danger">
            {' *'}
          </span>
        )}
      </label>
      {children({
        id,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': hasError ? true : undefined,
        required: isRequired,
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-muted text-xs">
          {hint}
        </p>
      )}
      <p id={`${id}-error`} role="alert" className={hasError ? 'text-danger text-sm' : 'hidden'}>
        {error}
      </p>
    </div>
  );
}

type Shared = Omit<FieldProps, 'children'>;

function partsOf<Props extends Shared>({ label, hint, error, isRequired, className, ...control }: Props) {
  return { field: { label, hint, error, isRequired, className } as Shared, control };
}

export function TextField(props: Shared & ComponentProps<'input'>) {
  const { field, control } = partsOf(props);
  return (
    <Field {...field}>
      {(ids) => <input {...ids} className={controlClasses} autoComplete="off" {...control} />}
    </Field>
  );
}

export function TextAreaField(props: Shared & ComponentProps<'textarea'>) {
  const { field, control } = partsOf(props);
  return (
    <Field {...field}>
      {(ids) => <textarea {...ids} rows={4} className={controlClasses} {...control} />}
    </Field>
  );
}

export type Options = readonly (readonly [value: string | number, label: string])[];

export function SelectField({
  options,
  children,
  ...props
}: Shared & ComponentProps<'select'> & { options?: Options }) {
  const { field, control } = partsOf(props);
  return (
    <Field {...field}>
      {(ids) => (
        <select {...ids} className={controlClasses} {...control}>
          {options?.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
          {children}
        </select>
      )}
    </Field>
  );
}

export function CheckboxField({
  label,
  className,
  ...props
}: Pick<FieldProps, 'label'> & ComponentProps<'input'>) {
  return (
    <label className={classNames('flex min-h-9 items-center gap-2 text-sm', className)}>
      <input type="checkbox" className="size-4 shrink-0 accent-accent" {...props} />
      <span>{label}</span>
    </label>
  );
}
