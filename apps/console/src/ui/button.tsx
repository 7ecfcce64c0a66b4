import type { ComponentProps } from 'react';

export function classNames(...names: (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}

const looks = {
  // At most one on a page, and one in a dialog.
  primary: 'border-transparent bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border-line-strong bg-surface text-text hover:bg-hover [&_svg]:text-muted',
  quiet: 'border-transparent bg-transparent text-text hover:bg-hover [&_svg]:text-muted',
  danger: 'border-transparent bg-danger text-on-accent hover:opacity-90',
  // Leads to what destroys something, or destroys what is of one person alone.
  destructive: 'border-line-strong bg-surface text-danger hover:bg-danger-surface',
} as const;

const sizes = { small: 'h-7 px-2', medium: 'h-8 px-3 has-[>svg:first-child]:ps-2.5' } as const;
const squares = { small: 'w-7', medium: 'w-8' } as const;

const base =
  'inline-flex shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-sm border font-medium text-sm ' +
  '[transition:background-color_var(--fast),border-color_var(--fast)] max-sm:min-h-11 disabled:opacity-50 aria-disabled:opacity-50 ' +
  '[&_svg]:size-4 [&_svg]:shrink-0';

export type ButtonLook = keyof typeof looks;
type ButtonSize = keyof typeof sizes;

export interface ButtonProps extends ComponentProps<'button'> {
  look?: ButtonLook;
  size?: ButtonSize;
}

/** The classes of a button, for a link that looks like one. */
export function buttonClasses(look: ButtonLook = 'secondary', size: ButtonSize = 'medium'): string {
  return classNames(base, looks[look], sizes[size]);
}

/** The classes of a button with an icon alone. */
export function iconButtonClasses(look: ButtonLook = 'quiet', size: ButtonSize = 'medium'): string {
  return classNames(base, looks[look], sizes[size].split(' ', 1)[0], squares[size], 'max-sm:min-w-11 p-0');
}

/**
 * The classes of what stands over the end of a line, the parent of which has `group/line relative`, while the pointer or the focus is
 * there; beside the rest where nothing hovers.
 */
export const lineActionClasses =
  'absolute inset-y-0 end-1 flex items-center bg-hover ps-2 opacity-0 focus-within:opacity-100 group-hover/line:opacity-100 ' +
  'pointer-coarse:static pointer-coarse:bg-transparent pointer-coarse:opacity-100';

/** The classes of a button that on a telephone has room for its icon alone; its words are for screen readers there. */
export const phoneIconClasses = 'max-sm:w-11 max-sm:border-transparent! max-sm:px-0';

export function Button({ look, size, className, type = 'button', ...props }: ButtonProps) {
  return <button type={type} className={classNames(buttonClasses(look, size), className)} {...props} />;
}

export function IconButton({
  label,
  look,
  size,
  className,
  type = 'button',
  ...props
}: ButtonProps & { label: string }) {
  return (
    <button
      type={type}
      aria-label={label}
      data-tooltip={label}
      className={classNames(iconButtonClasses(look, size), className)}
      {...props}
    />
  );
}

/** The classes of words that do something in a line of text. */
export const linkClasses =
  'font-medium text-accent underline-offset-[3px] hover:text-accent-strong hover:underline';

/** The classes of a value that leads somewhere: it looks like the text around it, underlined. */
export const textLinkClasses =
  'text-text underline decoration-line-strong underline-offset-[3px] hover:decoration-current';

/** The classes of popovers, menus and lists of choices, which float. */
export const popupClasses =
  'floating max-h-(--available-height) rounded-md bg-raised text-sm text-text shadow-md outline-none';
