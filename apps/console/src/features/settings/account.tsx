import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type Rights, useRights } from '../../api/caller.ts';
import { signOut } from '../../api/session-end.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { RecordLink } from '../../ui/record-name.tsx';
import { ExactTime } from '../../ui/time.tsx';
import { roleNames } from '../people/roles.tsx';
import { Section } from './section.tsx';

type CallerGrant = Rights['caller']['grants'][number];

function GrantItem({ grant: { role, scopes, officeIds } }: { grant: CallerGrant }) {
  const { t } = useLingui();
  return (
    <li className="flex flex-col gap-1 border-line border-b py-3 text-sm first:pt-0">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone="good">{role === null ? t`Key` : t(roleNames[role])}</Badge>
        {officeIds === null ? (
          <Trans>for everything</Trans>
        ) : (
          <Plural
            value={officeIds.length}
            one="for this office and its branches:"
            other="for these # offices and their branches:"
          />
        )}
      </p>
      <ul className="flex flex-wrap gap-x-3 gap-y-1 empty:hidden">
        {officeIds?.map((id) => (
          <li key={id}>
            <RecordLink resource="offices" id={id} />
          </li>
        ))}
      </ul>
      <details>
        <summary className="w-fit text-muted text-xs">
          <Plural value={scopes.length} one="# permission" other="# permissions" />
        </summary>
        <p className="pt-1 font-mono text-xs leading-6">{scopes.join(' · ')}</p>
      </details>
    </li>
  );
}

export function Account() {
  const { t } = useLingui();
  const { caller } = useRights();
  const { session } = caller;
  const methods = {
    oidc: t`at your organisation`,
    link: t`with a link of the service`,
    key: t`with a key`,
    passkey: t`with a passkey`,
    email: t`with a link by email`,
  };
  return (
    <Section
      title={t({ message: 'You', context: 'section' })}
      intro={<Trans>Your access is set by an administrator.</Trans>}
    >
      <div className="text-sm">
        <p className="font-semibold text-base">{caller.name}</p>
        {session !== null && (
          <p className="text-muted">
            <Trans>
              Signed in {methods[session.method]}, until <ExactTime time={session.expiresAt} /> at the latest
            </Trans>
          </p>
        )}
      </div>
      <ul aria-label={t`Your access`}>
        {caller.grants.map((grant) => (
          <GrantItem key={`${grant.role} ${grant.officeIds?.join()}`} grant={grant} />
        ))}
      </ul>
      <div>
        <Button onClick={() => void signOut()}>
          <Trans>Sign out</Trans>
        </Button>
      </div>
    </Section>
  );
}
