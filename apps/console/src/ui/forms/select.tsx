import { CSPProvider } from '@base-ui/react/csp-provider';
import { Select as Base } from '@base-ui/react/select';
import { keysOf } from '@roster/fields/objects';
import { ChevronDown } from '../../icons.tsx';
import { Check } from '../../more-icons.tsx';
import { classNames, popupClasses } from '../button.tsx';
import { type ControlIds, controlClasses, Field, type FieldProps } from './field.tsx';

export type Options<Value extends string | number = string> = readonly (readonly [
  value: Value,
  label: string,
  /** Beside the label, muted. */
  note?: string | undefined,
])[];

/** The options of values by their labels. */
export function optionsOf<Value extends string>(labels: Readonly<Record<Value, string>>): Options<Value> {
  return keysOf(labels).map((value) => [value, labels[value]]);
}

interface SelectProps<Value extends string | number> {
  value: Value;
  options: Options<Value>;
  /** More options, each group under its heading. */
  groups?: readonly { label: string; options: Options<Value> }[];
  onChange: (value: Value) => void;
  disabled?: boolean;
}

function Noted({ label, note }: { label: string; note: string | undefined }) {
  if (note === undefined) return label;
  return (
    <>
      {label} <span className="ms-1 text-muted">{note}</span>
    </>
  );
}

function Items<Value extends string | number>({ options }: { options: Options<Value> }) {
  return options.map(([value, label, note]) => (
    <Base.Item
      key={value}
      value={value}
      className="flex min-h-8 cursor-pointer select-none items-center gap-2 rounded-sm px-2 outline-none data-highlighted:bg-active max-sm:min-h-11"
    >
      <Base.ItemText className="grow">
        <Noted label={label} note={note} />
      </Base.ItemText>
      <Base.ItemIndicator>
        <Check aria-hidden className="size-4 text-accent" />
      </Base.ItemIndicator>
    </Base.Item>
  ));
}

/** A choice among few, without a label of its own (ARIA select-only combobox): an arrow key opens it, a letter chooses, too. */
export function Select<Value extends string | number>({
  value,
  options,
  groups = [],
  onChange,
  disabled,
  className,
  required,
  ...ids
}: SelectProps<Value> & Partial<ControlIds> & { 'aria-label'?: string; className?: string }) {
  const items = [...options, ...groups.flatMap((group) => group.options)];
  return (
    // The policy of the page allows no style elements.
    <CSPProvider disableStyleElements>
      <Base.Root
        modal={false}
        items={items.map(([one, label]) => ({ value: one, label }))}
        value={value}
        disabled={disabled === true}
        required={required === true}
        onValueChange={(chosen) => {
          if (chosen !== null) onChange(chosen);
        }}
      >
        <Base.Trigger
          {...ids}
          className={classNames(
            'inline-flex min-w-0 cursor-pointer items-center justify-between gap-1.5 text-start',
            className,
          )}
        >
          <Base.Value className="min-w-0 grow truncate">
            {(chosen: Value) => {
              const [, label = '', note] = items.find(([one]) => one === chosen) ?? [];
              return <Noted label={label} note={note} />;
            }}
          </Base.Value>
          <Base.Icon render={<ChevronDown aria-hidden className="size-4 shrink-0 text-muted" />} />
        </Base.Trigger>
        <Base.Portal>
          <Base.Positioner
            align="start"
            sideOffset={4}
            collisionPadding={8}
            alignItemWithTrigger={false}
            className="z-50 outline-none"
          >
            <Base.Popup
              className={classNames(
                'min-w-(--anchor-width) max-w-[min(28rem,95vw)] overflow-y-auto p-1',
                popupClasses,
              )}
            >
              <Base.List>
                <Items options={options} />
                {groups.map((group) => (
                  <Base.Group key={group.label}>
                    <Base.GroupLabel className="px-2 pt-2 pb-1 text-muted text-xs">
                      {group.label}
                    </Base.GroupLabel>
                    <Items options={group.options} />
                  </Base.Group>
                ))}
              </Base.List>
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  );
}

/** The classes of a select in a bar or a popover, 28 px high. */
export const smallSelectClasses =
  'h-7 shrink-0 rounded-sm border border-control bg-surface ps-2 pe-1.5 text-sm max-sm:h-11';

/** A labelled choice among few. */
export function SelectField<Value extends string | number>({
  label,
  hint,
  error,
  isRequired = false,
  className,
  ...select
}: Omit<FieldProps, 'children'> & SelectProps<Value>) {
  return (
    <Field label={label} hint={hint} error={error} isRequired={isRequired} {...(className && { className })}>
      {(ids) => <Select {...ids} {...select} className={controlClasses} />}
    </Field>
  );
}
