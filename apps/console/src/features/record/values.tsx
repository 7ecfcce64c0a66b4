import { Trans, useLingui } from '@lingui/react/macro';
import { isObject } from '@roster/fields/objects';
import { type ReactNode, useContext } from 'react';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { kindAt, knownFieldOf, referredResource } from '../../api/contract/contracts.ts';
import { isAddress, isEmpty, isLicense, isPendingChange } from '../../resources/record.ts';
import { PHONE_ATTRIBUTE } from '../../ui/browser/copied-phones.ts';
import { textLinkClasses } from '../../ui/button.tsx';
import { Day, ExactTime } from '../../ui/time.tsx';
import { displayName } from '../fields/display-name.ts';
import { choiceLabel, listText, partLabel } from '../fields/field-labels.ts';
import { useReadPhone } from '../fields/phone-text.ts';
import { useRegions } from '../fields/regions.ts';
import { Licenses, ReferringItems } from './list-values.tsx';
import { ValueLinks } from './record-context.ts';
import { ReferenceLink } from './reference-link.tsx';
import { emailLink, phoneLink, shownWebsite, webLink } from './safe-links.ts';
import { ScheduledList } from './scheduled.tsx';

const linkClasses = `break-words ${textLinkClasses}`;

function WebLink({ address }: { address: string }) {
  const hasLinks = useContext(ValueLinks);
  const href = webLink(address);
  if (href === undefined || !hasLinks) return address;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={linkClasses}>
      {shownWebsite(address)}
    </a>
  );
}

function WebLinks({ addresses }: { addresses: readonly string[] }) {
  return (
    <ul className="flex flex-col gap-1">
      {addresses.map((address) => (
        <li key={address}>
          <WebLink address={address} />
        </li>
      ))}
    </ul>
  );
}

function Phone({
  phone,
  extension,
  isCalled,
}: {
  phone: string;
  extension: string | null;
  isCalled: boolean;
}) {
  const hasLinks = useContext(ValueLinks);
  const readPhone = useReadPhone();
  const stored = { [PHONE_ATTRIBUTE]: phone };
  const shown = (
    <bdi className="tabular-nums" {...stored}>
      {readPhone(phone)}
    </bdi>
  );
  const href = isCalled && hasLinks ? phoneLink(phone, extension) : undefined;
  return href === undefined ? (
    shown
  ) : (
    <a href={href} className={linkClasses}>
      {shown}
    </a>
  );
}

export function Address({ parts }: { parts: Readonly<Record<string, string | null>> }) {
  const { i18n } = useLingui();
  const { line1, line2, city, county, region, postalCode, country } = parts;
  const regions = useRegions((region && country) ?? '');
  const regionName = regions?.find(({ code }) => code === region)?.name ?? region;
  const around = [county, regionName].filter((name) => name !== city);
  const place = [
    [postalCode, city].filter(Boolean).join(' '),
    ...new Set(around),
    country && displayName('region', country, i18n.locale),
  ];
  const lines = [line1, line2, place.filter(Boolean).join(', ')];
  return (
    <address className="not-italic">
      {lines.filter(Boolean).map((line) => (
        <span key={line} className="block">
          {line}
        </span>
      ))}
    </address>
  );
}

interface FieldValueProps {
  resource: ResourceName;
  path: string;
  value: unknown;
  /** The record that it is of, for what belongs together. */
  record?: Readonly<Record<string, unknown>> | undefined;
}

function Pairs({ resource, path, pairs }: Pick<FieldValueProps, 'resource' | 'path'> & { pairs: object }) {
  const { i18n } = useLingui();
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-3">
      {Object.entries(pairs).map(([name, value]) => (
        <div key={name} className="col-span-full grid grid-cols-subgrid">
          <dt className="text-muted">{path === 'metadata' ? name : partLabel(i18n, path, name)}</dt>
          <dd className="min-w-0 break-words">
            <FieldValue resource={resource} path={`${path}.${name}`} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function FreeText({ text }: { text: string }) {
  return <bdi className="whitespace-pre-line break-words">{text}</bdi>;
}

export function FieldValue({ resource, path, value, record }: FieldValueProps): ReactNode {
  const { i18n } = useLingui();
  const hasLinks = useContext(ValueLinks);
  if (isEmpty(value)) return <span className="text-muted">–</span>;
  const [field = ''] = path.split('.');
  const kind = kindAt(resource, path);
  const name = kind === 'choice' ? path.split('.').at(-1) : path;
  const choice = typeof value === 'string' ? choiceLabel(i18n, name ?? path, value) : undefined;
  if (choice !== undefined) return choice;
  if (typeof value === 'boolean') return value ? <Trans>Yes</Trans> : <Trans>No</Trans>;
  if (Array.isArray(value)) {
    if (field === 'licenses') return <Licenses licenses={value.filter(isLicense)} />;
    if (field === 'scheduledChanges')
      return <ScheduledList resource={resource} changes={value.filter(isPendingChange)} />;
    const { item, parts } = knownFieldOf(resource, field) ?? {};
    if (parts !== undefined) return <ReferringItems parts={parts} items={value} />;
    if (item?.kind === 'url') return <WebLinks addresses={value.map(String)} />;
    const names = value.map((one) =>
      field === 'languages' ? displayName('language', String(one), i18n.locale) : String(one),
    );
    return listText(i18n, names);
  }
  if (isObject(value)) {
    if (field === 'source')
      return (
        <>
          {String(value.name)} <span className="text-muted">{String(value.key)}</span>
        </>
      );
    const isPlace = knownFieldOf(resource, field)?.parts?.some((part) => part.name === 'line1');
    if (isPlace === true && isAddress(value)) return <Address parts={value} />;
    return <Pairs resource={resource} path={path} pairs={value} />;
  }
  const text = String(value);
  if (field === 'metadata') return <FreeText text={text} />;
  const referred = kind === 'reference' ? referredResource(resource, field) : undefined;
  if (referred !== undefined) return <ReferenceLink resource={referred} id={text} from={resource} />;
  if (kind === 'email' && hasLinks)
    return (
      <a href={emailLink(text)} className={linkClasses}>
        {text}
      </a>
    );
  if (kind === 'url') return <WebLink address={text} />;
  if (kind === 'date') return <Day day={text} />;
  if (kind === 'time') return <ExactTime time={text} />;
  if (kind === 'country') return displayName('region', text, i18n.locale);
  if (kind === 'phone') {
    const { [`${path}Ext`]: extension } = record ?? {};
    const dialled = typeof extension === 'string' ? extension : null;
    return <Phone phone={text} extension={dialled} isCalled={path !== 'fax'} />;
  }
  return <FreeText text={text} />;
}
