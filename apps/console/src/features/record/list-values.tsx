import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { FieldContract } from '../../api/contract/types.ts';
import { Badge, toneOfEnd } from '../../ui/badge.tsx';
import { daysUntil } from '../../ui/relative-time.ts';
import { Day, ExactTime } from '../../ui/time.tsx';
import { choiceLabel } from '../fields/field-labels.ts';
import { ReferenceLink } from './reference-link.tsx';

export interface License {
  number: string;
  region: string | null;
  type: string | null;
  expiresOn: string | null;
}

function DaysLeft({ day }: { day: string }) {
  const { t } = useLingui();
  const days = daysUntil(day);
  if (days < 0) {
    const past = -days;
    return (
      <Badge tone="danger">{t`expired ${plural(past, { one: '# day ago', other: '# days ago' })}`}</Badge>
    );
  }
  if (days === 0)
    return (
      <Badge tone="danger">
        <Trans>last day today</Trans>
      </Badge>
    );
  const text = t`${plural(days, { one: '# day left', other: '# days left' })}`;
  return <Badge tone={toneOfEnd(days)}>{text}</Badge>;
}

export function Licenses({ licenses }: { licenses: readonly License[] }) {
  return (
    <ul className="flex flex-col gap-1">
      {licenses.map(({ number, region, type, expiresOn }, index) => (
        <li key={index} className="flex flex-wrap items-center gap-x-2">
          <span className="font-medium">{number}</span>
          {[type, region].some(Boolean) && (
            <span className="text-muted">{[type, region].filter(Boolean).join(' · ')}</span>
          )}
          {expiresOn !== null && (
            <>
              <span className="text-muted">
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
    <ul className="flex flex-col gap-1">
      {items.map((item, index) => (
        <li key={index} className="flex flex-wrap items-center gap-x-2">
          {parts.map((part) => (
            <Part key={part.name} part={part} value={item[part.name]} />
          ))}
        </li>
      ))}
    </ul>
  );
}
