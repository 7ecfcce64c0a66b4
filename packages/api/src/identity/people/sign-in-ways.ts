import type { CallContext } from '../../trpc/context.ts';

/** The ways in which people sign in at this service. */
interface SignInWays {
  /** Whether it has an identity provider, which then decides who is let in. */
  hasProvider: boolean;
  /** Whether it has the pages on which people accept invitations and sign in. */
  isConsoleServed: boolean;
  /** Sends an invitation by e-mail; undefined without a mail server. Resolves to what that answered, also if it rejects the message. */
  sendInvitation?: SendInvitation | undefined;
}

export type SendInvitation = (letter: InvitationLetter) => Promise<MailAnswer>;

/** The letter to someone who is invited. */
interface InvitationLetter {
  to: { name: string; address: string };
  link: string;
  /** Until when the link works: RFC 3339. */
  expiresAt: string;
  /** The name of the key or the person that invites. */
  invitedBy: string;
}

/** The answer of a mail server to one message. */
interface MailAnswer {
  isAccepted: boolean;
  answer: string;
}

/** The part of the service that people and their invitations need. */
export interface SignInCollaborators {
  signIn: SignInWays;
}

/** The context of a call that depends on how people sign in. */
export interface SignInContext extends CallContext, SignInCollaborators {}
