import { z } from 'zod';
import { Actor } from '../../engine/actor.ts';
import { answeredTime, assignedId, RecordId } from '../../engine/fields/schemas.ts';
import { booleanParameter, pageOf, pageQuery, SORT_DEFAULT, sortDocs } from '../../engine/list/parameters.ts';

/** For how many days an invitation works, unless it says, and at most. */
const DAYS_DEFAULT = 7;
export const INVITATION_DAYS_MAX = 30;

const InvitationMail = z
  .strictObject({
    to: z.string().meta({ description: 'The address it was sent to', example: 'ana@atlantico.example' }),
    sentAt: answeredTime('When it was handed to the mail server'),
    isAccepted: z.boolean().nullable().meta({
      description:
        'Whether the mail server took it; null if the service does not know, because it stopped before the answer',
      example: true,
    }),
    answer: z.string().nullable().meta({
      description: 'What the mail server answered, or what went wrong; null if the service does not know',
      example: '250 2.0.0 Ok: queued as 4Zk1',
    }),
  })
  .meta({ id: 'InvitationMail', description: 'The e-mail with which an invitation was sent' });
export type InvitationMail = z.infer<typeof InvitationMail>;

export const Invitation = z
  .strictObject({
    id: assignedId,
    person: z
      .strictObject({
        id: assignedId,
        name: z.string().meta({ description: 'The current name', example: 'Ana Martins' }),
      })
      .meta({ description: 'Who is invited' }),
    createdAt: answeredTime('When the link was made'),
    createdBy: Actor.nullable().meta({
      description: 'Who made the link; null if that key or person is gone',
    }),
    expiresAt: answeredTime('Until when the link works'),
    acceptedAt: answeredTime('When the person used the link; null if they have not').nullable(),
    revokedAt: answeredTime(
      'When the link ended before it was used: it was revoked or replaced by a newer one, or the person was changed; null if it did not',
    ).nullable(),
    mail: InvitationMail.nullable().meta({ description: 'The e-mail with the link; null if none was sent' }),
  })
  .meta({
    id: 'Invitation',
    description:
      'A link with which a person signs in for the first time and sets up a passkey, without its secret',
  });
export type Invitation = z.infer<typeof Invitation>;

export const NewInvitation = z
  .strictObject({
    personId: RecordId.meta({
      description: 'Who is invited',
      example: '01980a3f-3c4d-7e5f-8a6b-7c8d9e0f1a2b',
    }),
    days: z
      .int()
      .min(1)
      .max(INVITATION_DAYS_MAX)
      .default(DAYS_DEFAULT)
      .meta({ description: 'For how many days the link works', example: DAYS_DEFAULT }),
    isMailed: z.boolean().default(false).meta({
      description:
        'Whether the service sends the link to the e-mail address of the person, which needs a mail server (`ROSTER_SMTP_URL`)',
      example: false,
    }),
  })
  .meta({
    id: 'NewInvitation',
    description: 'A link to make for a person',
    example: { personId: '01980a3f-3c4d-7e5f-8a6b-7c8d9e0f1a2b' },
  });
export type NewInvitation = z.output<typeof NewInvitation>;

export const InvitationWithLink = Invitation.extend({
  link: z.string().meta({
    description: 'The link, shown only here: whoever opens it first can sign in as the person from then on',
    example: 'https://roster.example/console/invitation#4pVb…',
  }),
}).meta({ id: 'InvitationWithLink', description: 'An invitation with its link' });
export type InvitationWithLink = z.infer<typeof InvitationWithLink>;

export const InvitationQuery = z.strictObject({
  ...pageQuery,
  sort: z
    .enum(['createdAt', '-createdAt'])
    .default(SORT_DEFAULT)
    .meta({ ...sortDocs, example: '-createdAt' }),
  personId: RecordId.meta({ description: 'Only those of this person' }).optional(),
  isOpen: booleanParameter()
    .meta({
      description: 'Only those whose link works now (true), or does not any more (false)',
      example: true,
    })
    .optional(),
});

export const InvitationPage = pageOf(Invitation, 'InvitationPage');
