import type { CallContext } from '../../trpc/context.ts';

interface SignInWays {
  hasProvider: boolean;
  isConsoleServed: boolean;
  /** Undefined without a mail server. Resolves to the server's response, even if it rejects the message. */
  sendInvitation?: SendInvitation | undefined;
}

export type SendInvitation = (letter: InvitationLetter) => Promise<MailResponse>;

interface InvitationLetter {
  to: { name: string; address: string };
  link: string;
  /** RFC 3339 */
  expiresAt: string;
  invitedBy: string;
}

interface MailResponse {
  isAccepted: boolean;
  response: string;
}

export interface SignInCollaborators {
  signIn: SignInWays;
}

export interface SignInContext extends CallContext, SignInCollaborators {}
