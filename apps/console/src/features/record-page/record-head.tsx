import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useRights } from '../../api/caller.ts';
import { parentOf, type ResourceName } from '../../api/contract/contracts.ts';
import { Copy } from '../../icons.tsx';
import { ArrowLeftRight, Braces, Hash, Link as LinkIcon, Mail, Phone, Terminal } from '../../more-icons.tsx';
import { resources } from '../../resources/index.ts';
import { isOffice } from '../../resources/offices.ts';
import { type DirectoryRecord, nameOf } from '../../resources/record.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge, InactiveBadge } from '../../ui/badge.tsx';
import { copyText } from '../../ui/browser/clipboard.ts';
import { useIsPhone } from '../../ui/browser/media.ts';
import { Button, buttonClasses, classNames } from '../../ui/button.tsx';
import { notify } from '../../ui/notices.tsx';
import { Menu } from '../../ui/popups/menu.tsx';
import type { MenuItem } from '../../ui/popups/menu-popup.tsx';
import { useRecord } from '../record/record-context.ts';
import { ReferenceLink } from '../record/reference-link.tsx';
import { emailLink, phoneLink } from '../record/safe-links.ts';
import { TransferDialog } from './actions/agents/transfer-dialog.tsx';
import { TransferAgentsDialog } from './actions/offices/transfer-agents-dialog.tsx';
import { RecordTitle } from './panel.tsx';

function CopyMenu({ resource, record }: { resource: ResourceName; record: DirectoryRecord }) {
  const { t } = useLingui();
  const { id } = record;
  const copy = async (text: string) => {
    const isCopied = await copyText(text);
    notify(
      isCopied
        ? { text: t`Copied`, durationMs: 3_000 }
        : { text: t`Your browser didn't allow copying. Text to copy: ${text}`, tone: 'danger' },
    );
  };
  const item = (key: string, label: string, icon: MenuItem['icon'], text: () => string): MenuItem => ({
    id: key,
    label,
    icon,
    onSelect: () => void copy(text()),
  });
  const { origin } = window.location;
  return (
    <Menu
      label={t`Copy`}
      trigger={
        <>
          <Copy aria-hidden />
          <Trans>Copy</Trans>
        </>
      }
      items={[
        item('id', t`Copy the ID`, <Hash aria-hidden />, () => id),
        item('link', t`Copy the link`, <LinkIcon aria-hidden />, () => `${origin}/console/${resource}/${id}`),
        item(
          'curl',
          t`Copy as curl`,
          <Terminal aria-hidden />,
          () => `curl -H "Authorization: Bearer $ROSTER_KEY" ${origin}/${resource}/${id}`,
        ),
        item(
          'roster',
          t`Copy as roster command`,
          <Terminal aria-hidden />,
          () => `roster ${resource} get ${id}`,
        ),
        item('json', t`Copy as JSON`, <Braces aria-hidden />, () => JSON.stringify(record, null, 2)),
      ]}
    />
  );
}

/** People are round, offices and teams square. */
function Emblem({ isWhole }: { isWhole: boolean }) {
  const { resource, record } = useRecord();
  const { isPerson, icon: Icon } = resources[resource];
  const isPhone = useIsPhone();
  if (isPerson)
    return (
      <Avatar
        name={nameOf(record)}
        id={record.id}
        size={isPhone ? 56 : isWhole ? 48 : 40}
        isInactive={record.status === 'inactive'}
      />
    );
  return (
    <span
      aria-hidden
      className={classNames(
        'grid shrink-0 place-items-center rounded-lg bg-inactive-surface text-muted [&_svg]:stroke-[1.5]',
        isWhole || isPhone ? 'size-14 [&_svg]:size-6' : 'size-10 [&_svg]:size-5',
      )}
    >
      <Icon />
    </span>
  );
}

/** A record in one line: the job title and the office, or the city and who manages it. */
function About() {
  const { resource, record } = useRecord();
  const { title, managerAgentId } = record;
  const city = record.address?.city;
  if (isOffice(resource)) {
    const manager = typeof managerAgentId === 'string' && (
      <ReferenceLink resource="agents" id={managerAgentId} />
    );
    if (city && manager)
      return (
        <Trans>
          {city}, managed by {manager}
        </Trans>
      );
    return manager ? <Trans>Managed by {manager}</Trans> : city;
  }
  const parent = parentOf(resource);
  const id = parent && record[parent.field];
  const office = parent && typeof id === 'string' && <ReferenceLink resource={parent.resource} id={id} />;
  if (typeof title !== 'string') return office;
  return office ? (
    <Trans>
      {title} at {office}
    </Trans>
  ) : (
    title
  );
}

const phoneNames = ['mobilePhone', 'phone', 'directPhone', 'officePhone'] as const;

function usePhoneLink(): string | undefined {
  const { record } = useRecord();
  for (const name of phoneNames) {
    const { [name]: number, [`${name}Ext`]: extension } = record;
    if (typeof number === 'string')
      return phoneLink(number, typeof extension === 'string' ? extension : null);
  }
  return undefined;
}

function Transfer() {
  const { resource, record } = useRecord();
  const { can, canManage } = useRights();
  const [isOpen, setOpen] = useState(false);
  const { actions = [] } = resources[resource];
  const isOfAll = actions.includes('transferAgents');
  const isOffered = isOfAll
    ? can('agents:write') && canManage('offices:write')
    : actions.includes('transfer') && can(`${resource}:write`);
  if (!isOffered) return null;
  const dialog = { record, onClose: () => setOpen(false) };
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <ArrowLeftRight aria-hidden />
        {isOfAll ? <Trans>Transfer agents</Trans> : <Trans>Transfer</Trans>}
      </Button>
      {isOpen && (isOfAll ? <TransferAgentsDialog {...dialog} /> : <TransferDialog {...dialog} />)}
    </>
  );
}

export function RecordHead({ isWhole }: { isWhole: boolean }) {
  const { t } = useLingui();
  const { resource, record } = useRecord();
  const phone = usePhoneLink();
  const name = nameOf(record);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4 max-sm:gap-y-5">
      <div className="flex min-w-0 items-center gap-4">
        <Emblem isWhole={isWhole} />
        <div className="grid min-w-0 gap-0.5">
          <div className="flex min-w-0 flex-wrap items-center gap-x-2.5">
            <RecordTitle isWhole={isWhole}>{name}</RecordTitle>
            {record.status === 'active' ? (
              <span className="contents max-sm:hidden">
                <Badge tone="good">
                  <Trans>Active</Trans>
                </Badge>
              </span>
            ) : (
              <InactiveBadge />
            )}
          </div>
          <p className="text-md text-muted empty:hidden">
            <About />
          </p>
        </div>
      </div>
      <div
        role="toolbar"
        aria-label={t`Actions`}
        className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:h-14 max-sm:*:grow max-sm:*:basis-0 max-sm:*:flex-col max-sm:*:gap-0.5 max-sm:*:rounded-md max-sm:*:px-1! max-sm:*:text-xs max-sm:[&_svg]:size-5"
      >
        {phone !== undefined && (
          <a href={phone} className={buttonClasses()}>
            <Phone aria-hidden />
            <Trans>Call</Trans>
          </a>
        )}
        {typeof record.email === 'string' && (
          <a href={emailLink(record.email)} className={buttonClasses()}>
            <Mail aria-hidden />
            <Trans context="email">Write</Trans>
          </a>
        )}
        <CopyMenu resource={resource} record={record} />
        <Transfer />
      </div>
    </div>
  );
}
