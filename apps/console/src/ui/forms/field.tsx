import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from '../button.tsx';

export const controlClasses =
  'w-full min-h-9 rounded-sm border border-control bg-surface px-2.5 py-1.5 text-base sm:text-md max-sm:min-h-11 ' +
  'focus-visible:-outline-offset-1 focus-visible:border-accent aria-invalid:border-danger disabled:opacity-60';

export interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  isRequired?: boolean;
  className?: string;
  children: (ids: ControlIds) => ReactNode;
}

export interface ControlIds {
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
    <div className={classNames('flex min-w-0 flex-col gap-1.5', className)}>
      <label htmlFor={id} className="font-medium text-sm">
        {label}
        {isRequired && (
          <span aria-hidden className="text-muted">
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
      <p id={`${id}-error`} role="alert" className={hasError ? 'text-danger text-xs' : 'hidden'}>
        {error}
      </p>
    </div>
  );
}

type Shared = Omit<FieldProps, 'children'>;

function partsOf<Props extends Shared>({ label, hint, error, isRequired, className, ...control }: Props) {
  return {
    field: { label, hint, error, ...(isRequired && { isRequired }), ...(className && { className }) },
    control,
  };
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

interface ToggleProps extends Pick<FieldProps, 'label'>, ComponentProps<'input'> {
  detail?: ReactNode;
}

/** A checkbox, or a radio button by its `type`, before its label. */
export function CheckboxField({ label, detail, className, ...props }: ToggleProps) {
  return (
    <label className={classNames('flex min-h-9 items-center gap-2 text-sm max-sm:min-h-11', className)}>
      <input type="checkbox" {...props} />
      <span className="min-w-0">
        {label}
        {detail !== undefined && <span className="block text-muted text-xs">{detail}</span>}
      </span>
    </label>
  );
}
