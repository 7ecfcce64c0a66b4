import { RosterError } from '@roster/api';
import type { Config } from '../../config/config.ts';
import { IdentityProvider } from '../../sign-in/identity-provider.ts';
import { verifyMailServer } from '../../sign-in/invitation-mail.ts';
import { type Finding, ok, type Result, warning } from './finding.ts';

export async function checkIdentityProvider({ identityProvider }: Config): Promise<Finding[]> {
  if (identityProvider === undefined) return [];
  return [{ subject: 'sign-in', ...(await askProvider(identityProvider)) }];
}

async function askProvider(config: NonNullable<Config['identityProvider']>): Promise<Result> {
  const { issuer } = config;
  try {
    const { hasDeviceFlow, hasLogout, hasBackChannelLogout } = await new IdentityProvider(config).support();
    const supported = [
      'signs people in',
      ...(hasDeviceFlow ? ['on other devices too'] : []),
      ...(hasLogout ? ['signs them out'] : []),
      ...(hasBackChannelLogout ? ['says when they have signed out there'] : []),
    ];
    const values = { issuer, hasDeviceFlow, hasLogout, hasBackChannelLogout };
    return ok(`${issuer} ${supported.join(', ')}`, values);
  } catch (error) {
    if (!(error instanceof RosterError)) throw error;
    return warning(`${issuer}: ${error.message} You can't sign in there until it does.`, { issuer });
  }
}

export async function checkMailServer({ mail }: Config): Promise<Finding[]> {
  if (mail === undefined) return [];
  return [{ subject: 'email', ...(await askMailServer(mail)) }];
}

async function askMailServer(mail: NonNullable<Config['mail']>): Promise<Result> {
  const { host, port, from } = mail;
  const values = { host, port, from };
  try {
    await verifyMailServer(mail);
    return ok(`${host}:${port} lets the service in; email comes from ${from}`, values);
  } catch (error) {
    return warning(
      `${host}:${port}: ${(error as Error).message} No invitation is sent until it does.`,
      values,
    );
  }
}
