import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { RecordChange } from '@roster/client';
import { useQueries } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useRights } from '../../../api/caller.ts';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { ArrowLeftRight } from '../../../more-icons.tsx';
import { resources } from '../../../resources/index.ts';
import { isEmpty, nameOf } from '../../../resources/record.ts';
import { callsOf } from '../../../resources/record-calls.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Badge, InactiveBadge } from '../../../ui/badge.tsx';
import { Button, classNames } from '../../../ui/button.tsx';
import { Detail, Details } from '../../../ui/details.tsx';
import { Fold } from '../../../ui/fold.tsx';
import { Day } from '../../../ui/time.tsx';
import { fieldLabel, listText } from '../../fields/field-labels.ts';
import { ActorName } from '../../record/actor-name.tsx';
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
  sortDifferences,
  type Two,
} from '../choices.ts';

const sides = [0, 1] as const;

export const letterOf = (side: Side): string => (side === 0 ? 'A' : 'B');

interface ComparedProps {
  resource: ResourceName;
  two: Two;
  survivor: Side;
  canChoose: boolean;
}

const rowClasses =
  'grid grid-cols-2 border-line-soft @2xl:grid-cols-[8rem_minmax(0,1fr)_minmax(0,1fr)] not-first:border-t';
const cellClasses = 'flex min-w-0 items-center gap-2.5 border-line-soft px-3 py-1.5 not-first:border-s';

/** The two records, with which of them stays. */
function Heads({ resource, two, survivor, canChoose }: ComparedProps) {
  return (
    <div className={classNames(rowClasses, 'bg-sunken')}>
      <span className="max-@2xl:hidden" />
      {sides.map((side) => {
        const record = two[side];
        return (
          <div key={side} className={classNames(cellClasses, 'py-3')}>
            {resources[resource].isPerson && (
              <Avatar name={nameOf(record)} id={record.id} isInactive={record.status === 'inactive'} />
            )}
            <span className="min-w-0">
              <span className="wrap-anywhere flex flex-wrap items-center gap-x-2 font-medium">
                <ReferenceLink resource={resource} id={record.id} />
                {record.status === 'inactive' && <InactiveBadge />}
                {canChoose &&
                  (survivor === side ? (
                    <Badge>
                      <Trans>Kept</Trans>
                    </Badge>
                  ) : (
                    <Badge tone="danger">
                      <Trans>Will be deleted</Trans>
                    </Badge>
                  ))}
              </span>
              <span className="block text-muted text-xs">
                <Trans>
                  {letterOf(side)}, created <Day day={String(record.createdAt).slice(0, 10)} />
                </Trans>
              </span>
            </span>
          </div>
        );
      })}
    </div>
  );
}

const HISTORY_MAX = 100;

/** The last change of a field of each record, among the last changes that each has. */
function useSetBy(resource: ResourceName, two: Two) {
  const { can } = useRights();
  const histories = useQueries({
    queries: two.map(({ id, version }) => ({
      queryKey: [resource, 'history', { id, version, limit: HISTORY_MAX }] as const,
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        callsOf(resource).history.query({ id, limit: HISTORY_MAX }, { signal }),
      enabled: can('events:read'),
    })),
  });
  return (name: string, side: Side): RecordChange | undefined =>
    histories[side]?.data?.items.find(({ changes }) =>
      changes.some(({ field }) => field.split('.', 1)[0] === name),
    );
}

function SetBy({ change }: { change: RecordChange | undefined }) {
  if (change === undefined) return null;
  const day = <Day day={change.occurredAt.slice(0, 10)} />;
  return (
    <span className="block text-muted text-xs">
      {change.details?.bulkId === undefined ? (
        <Trans>
          by <ActorName change={change} />, {day}
        </Trans>
      ) : (
        <Trans>by import or bulk change, {day}</Trans>
      )}
    </span>
  );
}

/** The value of a field of one record, as text: its links would be in the way of choosing. */
function SideValue({
  resource,
  name,
  two,
  side,
}: Pick<ComparedProps, 'resource' | 'two'> & { name: string; side: Side }) {
  const value = two[side][name];
  if (isEmpty(value))
    return (
      <span className="text-muted italic">
        <Trans context="value">empty</Trans>
      </span>
    );
  return (
    <ValueLinks value={false}>
      <FieldValue resource={resource} path={name} value={value} />
    </ValueLinks>
  );
}

interface OptionProps {
  /** The name of the radio buttons; undefined if the caller can choose nothing. */
  group: string | undefined;
  isChosen: boolean;
  className?: string;
  onChoose: () => void;
  children: ReactNode;
}

function Option({ group, isChosen, className, onChoose, children }: OptionProps) {
  if (group === undefined) return <div className={classNames(cellClasses, className)}>{children}</div>;
  return (
    <label
      className={classNames(
        cellClasses,
        'min-h-13 cursor-pointer text-muted hover:bg-hover has-checked:bg-selected has-checked:font-medium has-checked:text-text',
        className,
      )}
    >
      <input type="radio" name={group} checked={isChosen} onChange={onChoose} />
      {children}
    </label>
  );
}

interface FieldChoicesProps extends ComparedProps {
  choices: Choices;
  onChoose: (name: string, choice: Choice) => void;
  onSwap: () => void;
}

function ChoiceRow({
  name,
  setBy,
  ...props
}: FieldChoicesProps & { name: string; setBy: ReturnType<typeof useSetBy> }) {
  const { resource, two, survivor, canChoose, choices, onChoose } = props;
  const { i18n } = useLingui();
  const id = useId();
  const group = canChoose ? id : undefined;
  const chosen = choices[name] ?? defaultChoice(resource, name, { records: two, survivor });
  const isBothOffered = canChoose && isUnited(resource, name) && two.every((one) => !isEmpty(one[name]));
  return (
    <fieldset aria-labelledby={id} className={rowClasses}>
      <p id={id} className="flex items-center px-3 text-muted max-@2xl:col-span-full max-@2xl:pt-2 @2xl:ps-4">
        {fieldLabel(i18n, resource, name)}
      </p>
      {sides.map((side) => (
        <Option key={side} group={group} isChosen={chosen === side} onChoose={() => onChoose(name, side)}>
          <span className="wrap-anywhere min-w-0">
            <SideValue resource={resource} name={name} two={two} side={side} />
            <SetBy change={setBy(name, side)} />
          </span>
        </Option>
      ))}
      {isBothOffered && (
        <Option
          group={group}
          isChosen={chosen === 'both'}
          className="col-span-full min-h-9! border-t @2xl:col-span-2 @2xl:col-start-2"
          onChoose={() => onChoose(name, 'both')}
        >
          <Trans>Both</Trans>
        </Option>
      )}
    </fieldset>
  );
}

function FoldedFields({
  title,
  names,
  children,
  resource,
}: {
  title: ReactNode;
  names: readonly string[];
  children: ReactNode;
  resource: ResourceName;
}) {
  const { i18n } = useLingui();
  if (names.length === 0) return null;
  const labels = names.map((name) => fieldLabel(i18n, resource, name));
  return (
    <Fold title={title} note={listText(i18n, labels)} className="border-line-soft border-t last:border-b">
      {children}
    </Fold>
  );
}

/** Fields that differ, decisions first; those that only one record has, and equal ones, are folded. */
export function FieldChoices(props: FieldChoicesProps) {
  const { resource, two, survivor, canChoose, onSwap } = props;
  const { t, i18n } = useLingui();
  const setBy = useSetBy(resource, two);
  const { same } = compareFields(resource, two);
  const { toDecide, only } = sortDifferences(resource, { records: two, survivor });
  const other = nameOf(two[otherSide(survivor)]);
  const values = (names: readonly string[], side: Side) => (
    <Details>
      {names.map((name) => (
        <Detail key={name} label={fieldLabel(i18n, resource, name)}>
          <FieldValue resource={resource} path={name} value={two[side][name]} />
        </Detail>
      ))}
    </Details>
  );
  const titleOf = (side: Side) => {
    const count = only[side].length;
    const letter = letterOf(side);
    return side === survivor
      ? t`${plural(count, { one: `# field only ${letter} has: kept`, other: `# fields only ${letter} has: kept` })}`
      : t`${plural(count, { one: `# field only ${letter} has: added`, other: `# fields only ${letter} has: added` })}`;
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="font-semibold text-sm">
          <Plural value={toDecide.length} one="# difference" other="# differences" />
        </h2>
        {canChoose && (
          <>
            <span className="text-muted">
              <Trans>Choose the values to keep</Trans>
            </span>
            <Button look="quiet" size="small" className="ms-auto whitespace-normal!" onClick={onSwap}>
              <ArrowLeftRight aria-hidden />
              <Trans>Keep {other} instead</Trans>
            </Button>
          </>
        )}
      </div>
      <div className="overflow-hidden rounded-md border border-line text-sm">
        <Heads {...props} />
        {toDecide.map((name) => (
          <ChoiceRow key={name} {...props} name={name} setBy={setBy} />
        ))}
      </div>
      <div>
        {[survivor, otherSide(survivor)].map((side) => (
          <FoldedFields key={side} resource={resource} names={only[side]} title={titleOf(side)}>
            {values(only[side], side)}
          </FoldedFields>
        ))}
        <FoldedFields
          resource={resource}
          names={same}
          title={<Plural value={same.length} one="# field is the same" other="# fields are the same" />}
        >
          {values(same, 0)}
        </FoldedFields>
      </div>
    </>
  );
}
