import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { License } from '@roster/client';
import type { FieldContract } from '../../api/contract/types.ts';
import { BadgeCheck } from '../../more-icons.tsx';
import { Badge, endClasses, toneOfEnd } from '../../ui/badge.tsx';
import { daysUntil } from '../../ui/relative-time.ts';
import { Day, ExactTime } from '../../ui/time.tsx';
import { choiceLabel } from '../fields/field-labels.ts';
import { ReferenceLink } from './reference-link.tsx';

const listClasses = 'divide-y divide-line-soft rounded-md border border-line bg-surface text-sm';

function DaysLeft({ day }: { day: string }) {
  const { t } = useLingui();
  const days = daysUntil(day);
  const past = -days;
  const text =
    days < 0
      ? t`expired ${plural(past, { one: '# day ago', other: '# days ago' })}`
      : days === 0
        ? t`last day today`
        : t`${plural(days, { one: '# day left', other: '# days left' })}`;
  return (
    <span className={`ms-auto min-w-24 shrink-0 text-end @2xl:ms-0 ${endClasses[toneOfEnd(days)]}`}>
      {text}
    </span>
  );
}

export function Licenses({ licenses }: { licenses: readonly License[] }) {
  return (
    <ul className={listClasses}>
      {licenses.map(({ number, region, type, expiresOn }, index) => (
        <li key={index} className="flex min-h-10 items-center gap-x-3 px-3 py-1">
          <BadgeCheck aria-hidden className="size-4 shrink-0 text-muted" />
          <span className="min-w-0">
            <span className="font-medium">{number}</span>
            {[type, region].some(Boolean) && (
              <span className="ms-2 text-muted text-xs">{[type, region].filter(Boolean).join(', ')}</span>
            )}
            {expiresOn !== null && (
              <span className="block text-muted text-xs @2xl:hidden">
                <Trans>
                  until <Day day={expiresOn} />
                </Trans>
              </span>
            )}
          </span>
          {expiresOn !== null && (
            <>
              <span className="ms-auto text-muted @max-2xl:hidden">
                <Trans>
                  until <Day day={expiresOn} />
                </Trans>
              </span>
              <DaysLeft day={expiresOn} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

function Part({ part: { name, kind, refersTo }, value }: { part: FieldContract; value: unknown }) {
  const { i18n } = useLingui();
  // Of what is true or false only what is not usual is worth a word.
  if (kind === 'switch')
    return name === 'isVisible' && value === false ? (
      <Badge>
        <Trans>not public</Trans>
      </Badge>
    ) : null;
  if (value === null || value === undefined || value === '') return null;
  const text = String(value);
  if (refersTo !== undefined) return <ReferenceLink resource={refersTo} id={text} />;
  if (kind === 'time') return <ExactTime time={text} />;
  if (kind !== 'date') return <span className="text-muted">{choiceLabel(i18n, name, text) ?? text}</span>;
  return (
    <span className="text-muted">
      {name === 'until' ? (
        <Trans>
          until <Day day={text} />
        </Trans>
      ) : (
        <Trans>
          since <Day day={text} />
        </Trans>
      )}
    </span>
  );
}

export function ReferringItems({
  parts,
  items,
}: {
  parts: readonly FieldContract[];
  items: readonly Readonly<Record<string, unknown>>[];
}) {
  return (
    <ul className={listClasses}>
      {items.map((item, index) => (
        <li key={index} className="flex min-h-10 flex-wrap items-center gap-x-3 px-3 py-1">
          {parts.map((part) => (
            <Part key={part.name} part={part} value={item[part.name]} />
          ))}
        </li>
      ))}
    </ul>
  );
}
