import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useId } from 'react';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { isEmpty, nameOf } from '../../../resources/record.ts';
import { InactiveBadge } from '../../../ui/badge.tsx';
import { classNames } from '../../../ui/button.tsx';
import { Detail, Details } from '../../../ui/details.tsx';
import { ExactTime, RelativeTime } from '../../../ui/time.tsx';
import { fieldLabel } from '../../fields/field-labels.ts';
import { ValueLinks } from '../../record/record-context.ts';
import { ReferenceLink } from '../../record/reference-link.tsx';
import { FieldValue } from '../../record/values.tsx';
import {
  type Choice,
  type Choices,
  compareFields,
  defaultChoice,
  isUnited,
  otherSide,
  type Side,
  type Two,
} from '../choices.ts';
import { RecordDetail } from './pair-labels.tsx';

const sides = [0, 1] as const;

export const letterOf = (side: Side): string => (side === 0 ? 'A' : 'B');

const cardClasses =
  'flex min-w-0 items-start gap-2.5 rounded-sm border border-line p-2.5 text-sm has-checked:border-accent has-checked:bg-selected';

function Letter({ side }: { side: Side }) {
  return <span className="shrink-0 font-semibold text-muted">{letterOf(side)}</span>;
}

interface OptionProps {
  group: string | undefined;
  isChosen: boolean;
  className?: string;
  onChoose: () => void;
  children: ReactNode;
}

function Option({ group, isChosen, className, onChoose, children }: OptionProps) {
  if (group === undefined) return <div className={classNames(cardClasses, className)}>{children}</div>;
  return (
    <label className={classNames(cardClasses, 'cursor-pointer hover:bg-hover', className)}>
      <input type="radio" name={group} checked={isChosen} className="mt-0.5" onChange={onChoose} />
      {children}
    </label>
  );
}

function ChoiceRow({ label, children }: { label: ReactNode; children: (labelId: string) => ReactNode }) {
  const id = useId();
  return (
    <fieldset
      aria-labelledby={id}
      className="grid min-w-0 grid-cols-1 gap-x-3 gap-y-1.5 @2xl:grid-cols-[9rem_minmax(0,1fr)_minmax(0,1fr)]"
    >
      <p id={id} className="pt-2 font-medium text-sm @2xl:font-normal @2xl:text-muted">
        {label}
      </p>
      {children(id)}
    </fieldset>
  );
}

interface ComparedProps {
  resource: ResourceName;
  two: Two;
  survivor: Side;
  canChoose: boolean;
}

export function Survivors({
  resource,
  two,
  survivor,
  canChoose,
  onChoose,
}: ComparedProps & { onChoose: (side: Side) => void }) {
  return (
    <ChoiceRow label={canChoose ? <Trans>Keep this record</Trans> : <Trans>Record</Trans>}>
      {(group) =>
        sides.map((side) => {
          const record = two[side];
          return (
            <div key={side} className="flex min-w-0 flex-col gap-1">
              <Option
                group={canChoose ? group : undefined}
                isChosen={survivor === side}
                className="grow"
                onChoose={() => onChoose(side)}
              >
                <Letter side={side} />
                <span className="min-w-0">
                  <span className="wrap-anywhere font-semibold">{nameOf(record)}</span>{' '}
                  {record.status === 'inactive' && <InactiveBadge />}
                  <span className="wrap-anywhere block text-muted">
                    <RecordDetail resource={resource} record={record} />
                  </span>
                  <span className="block text-muted text-xs">
                    <Trans>
                      Created <ExactTime time={String(record.createdAt)} />, changed{' '}
                      <RelativeTime time={String(record.updatedAt)} isStop={false} />
                    </Trans>
                  </span>
                  {canChoose && (
                    <span className="block font-medium text-xs">
                      {survivor === side ? (
                        <Trans>Kept</Trans>
                      ) : (
                        <Trans>Will be merged into {letterOf(otherSide(side))} and deleted</Trans>
                      )}
                    </span>
                  )}
                </span>
              </Option>
              <span className="px-1 text-muted text-xs">
                <Trans>
                  Open <ReferenceLink resource={resource} id={record.id} />
                </Trans>
              </span>
            </div>
          );
        })
      }
    </ChoiceRow>
  );
}

/** The value of a field of one record, as text: its links would be in the way of choosing. */
function SideValue({ resource, name, two, side }: ComparedValueProps) {
  const value = two[side][name];
  if (isEmpty(value))
    return (
      <span className="text-muted italic">
        <Trans context="value">empty</Trans>
      </span>
    );
  return (
    <div className="wrap-anywhere min-w-0">
      <ValueLinks value={false}>
        <FieldValue resource={resource} path={name} value={value} />
      </ValueLinks>
    </div>
  );
}

type ComparedValueProps = Pick<ComparedProps, 'resource' | 'two'> & { name: string; side: Side };

interface FieldChoicesProps extends ComparedProps {
  choices: Choices;
  onChoose: (name: string, choice: Choice) => void;
}

export function FieldChoices(props: FieldChoicesProps) {
  const { resource, two, survivor, canChoose, choices, onChoose } = props;
  const { i18n } = useLingui();
  const { different, same } = compareFields(resource, two);
  return (
    <>
      {different.length === 0 && (
        <p className="text-sm">
          <Trans>There are no differences.</Trans>
        </p>
      )}
      {different.map((name) => {
        const chosen = choices[name] ?? defaultChoice(resource, name, { records: two, survivor });
        return (
          <ChoiceRow key={name} label={fieldLabel(i18n, resource, name)}>
            {(id) => {
              const group = canChoose ? id : undefined;
              return (
                <>
                  {sides.map((side) => (
                    <Option
                      key={side}
                      group={group}
                      isChosen={chosen === side}
                      onChoose={() => onChoose(name, side)}
                    >
                      <Letter side={side} />
                      <SideValue resource={resource} name={name} two={two} side={side} />
                    </Option>
                  ))}
                  {canChoose && isUnited(resource, name) && (
                    <Option
                      group={group}
                      isChosen={chosen === 'both'}
                      className="@2xl:col-span-2 @2xl:col-start-2"
                      onChoose={() => onChoose(name, 'both')}
                    >
                      <Trans>Both: combine A and B</Trans>
                    </Option>
                  )}
                </>
              );
            }}
          </ChoiceRow>
        );
      })}
      {same.length > 0 && (
        <details className="text-sm">
          <summary className="min-h-9 py-2 font-medium">
            <Plural
              value={same.length}
              one="# field is the same in both"
              other="# fields are the same in both"
            />
          </summary>
          <Details>
            {same.map((name) => (
              <Detail key={name} label={fieldLabel(i18n, resource, name)}>
                <FieldValue resource={resource} path={name} value={two[0][name]} />
              </Detail>
            ))}
          </Details>
        </details>
      )}
    </>
  );
}
