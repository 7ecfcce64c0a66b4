import { Trans, useLingui } from '@lingui/react/macro';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { Braces, Copy, Hash, Link as LinkIcon, Terminal } from '../../icons.tsx';
import type { DirectoryRecord } from '../../resources/record.ts';
import { copyText } from '../../ui/browser/clipboard.ts';
import { notify } from '../../ui/notices.tsx';
import { Menu } from '../../ui/popups/menu.tsx';
import type { MenuItem } from '../../ui/popups/menu-popup.tsx';

export function CopyMenu({ resource, record }: { resource: ResourceName; record: DirectoryRecord }) {
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
