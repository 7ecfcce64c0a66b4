import { setTimeout } from 'node:timers/promises';
import { commandLine } from '../../environment.ts';
import { CliError } from '../../errors.ts';
import { callSignIn, rejected, type SignInTarget, type TerminalSession } from '../../service/sign-in.ts';
import type { Runtime } from '../context.ts';

interface PendingDevice {
  code: string;
  userCode: string;
  verificationUri: string;
  /** Seconds. */
  expiresIn: number;
  /** Seconds between two questions. */
  interval: number;
}

type Progress = { status: 'authorization_pending' | 'slow_down' } | TerminalSession;

/** An identity provider that asks for a longer interval gets one that is longer by so many seconds (RFC 8628, section 3.5). */
const SLOWER_S = 5;

/**
 * Shows an address and a code, and asks the service until someone has confirmed the code on a different device. Resolves to
 * undefined if the identity provider doesn't support this.
 */
export async function signInOnDevice(
  target: SignInTarget,
  { io, env }: Pick<Runtime, 'io' | 'env'>,
): Promise<TerminalSession | undefined> {
  const { status, body: pending } = await callSignIn<PendingDevice>(target, '/sign-in/device');
  if (status === 404) return undefined;
  if (status !== 200) throw rejected(pending);
  const { code, userCode, verificationUri, expiresIn } = pending;
  io.stderr.write(`Open ${verificationUri} on any device, and enter the code ${userCode}\n`);
  let intervalS = pending.interval;
  for (let waitedS = 0; waitedS < expiresIn; waitedS += intervalS) {
    await setTimeout(intervalS * 1_000, undefined, { signal: target.signal });
    const response = await callSignIn<Progress>(target, '/sign-in/device/token', { body: { code } });
    if (response.status !== 200 && response.status !== 202) throw rejected(response.body);
    if ('token' in response.body) return response.body;
    if (response.body.status === 'slow_down') intervalS += SLOWER_S;
  }
  throw new CliError("the code wasn't confirmed in time", {
    hint: `Start again with: ${commandLine('login', env)}`,
  });
}
