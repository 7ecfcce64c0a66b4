import type { ComponentProps } from 'react';

export function classNames(...names: (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}

const looks = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border-transparent',
  secondary: 'bg-surface text-text hover:bg-hover border-control',
  quiet: 'bg-transparent text-text hover:bg-hover border-transparent',
  danger: 'bg-danger text-on-accent hover:opacity-90 border-transparent',
  // Leads to what destroys something, or destroys what is of one person alone.
  destructive: 'bg-surface text-danger hover:bg-danger-surface border-danger',
} as const;

const base =
  'inline-flex min-h-9 items-center justify-center gap-2 rounded-md border px-3 text-sm font-medium ' +
  'disabled:opacity-50 aria-disabled:opacity-50 whitespace-nowrap [&_svg]:size-4 [&_svg]:shrink-0';

export interface ButtonProps extends ComponentProps<'button'> {
  look?: keyof typeof looks;
}

export function Button({ look = 'secondary', className, type = 'button', ...props }: ButtonProps) {
  return <button type={type} className={classNames(base, looks[look], className)} {...props} />;
}

export function buttonClasses(look: keyof typeof looks = 'secondary'): string {
  return classNames(base, looks[look]);
}

export const iconLinkClasses = classNames(base, looks.quiet, 'min-w-9 px-0');

export const popupClasses =
  'max-h-(--available-height) rounded-lg border border-line bg-raised p-1 text-text shadow-xl outline-none';

export function IconButton({ label, className, ...props }: ButtonProps & { label: string }) {
  return (
    <Button
      look="quiet"
      aria-label={label}
      data-tooltip={label}
      className={classNames('min-w-9 px-0', className)}
      {...props}
    />
  );
}
