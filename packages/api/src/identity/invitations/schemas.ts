import { z } from 'zod';
import { Actor } from '../../engine/actor.ts';
import { assignedId, RecordId, returnedTime } from '../../engine/fields/schemas.ts';
import { booleanParameter, pageOf, pageQuery, SORT_DEFAULT, sortDocs } from '../../engine/list/parameters.ts';

const DAYS_DEFAULT = 7;
export const INVITATION_DAYS_MAX = 30;

const InvitationMail = z
  .strictObject({
    to: z
      .string()
      .meta({ description: 'Email address the invitation was sent to', example: 'ana@atlantico.example' }),
    sentAt: returnedTime('When the email was handed to the mail server'),
    isAccepted: z.boolean().nullable().meta({
      description:
        'Whether the mail server accepted the email; `null` if unknown because the service stopped before the response',
      example: true,
    }),
    response: z.string().nullable().meta({
      description: 'Response of the mail server, or the error; `null` if unknown',
      example: '250 2.0.0 Ok: queued as 4Zk1',
    }),
  })
  .meta({ id: 'InvitationMail', description: 'Email with the invitation' });
export type InvitationMail = z.infer<typeof InvitationMail>;

export const Invitation = z
  .strictObject({
    id: assignedId,
    person: z
      .strictObject({
        id: assignedId,
        name: z.string().meta({ description: 'Current name of the person', example: 'Ana Martins' }),
      })
      .meta({ description: 'Invited person' }),
    createdAt: returnedTime('When the link was created'),
    createdBy: Actor.nullable().meta({
      description: 'Key or person that created the link; `null` if deleted',
    }),
    expiresAt: returnedTime('When the link expires'),
    acceptedAt: returnedTime('When the person used the link; `null` if not used').nullable(),
    revokedAt: returnedTime(
      'When the link was revoked or replaced before it was used, or the person was changed; otherwise `null`',
    ).nullable(),
    mail: InvitationMail.nullable().meta({ description: 'Email with the link; `null` if not sent' }),
  })
  .meta({
    id: 'Invitation',
    description: 'A link with which a person first signs in and sets up a passkey, without its secret',
  });
export type Invitation = z.infer<typeof Invitation>;

export const NewInvitation = z
  .strictObject({
    personId: RecordId.meta({
      description: 'ID of the invited person',
      example: '01980a3f-3c4d-7e5f-8a6b-7c8d9e0f1a2b',
    }),
    days: z
      .int()
      .min(1)
      .max(INVITATION_DAYS_MAX)
      .default(DAYS_DEFAULT)
      .meta({ description: 'Number of days the link works', example: DAYS_DEFAULT }),
    isMailed: z.boolean().default(false).meta({
      description:
        "Set to `true` to send the link to the person's email address, which needs a mail server (`ROSTER_SMTP_URL`)",
      example: false,
    }),
  })
  .meta({
    id: 'NewInvitation',
    description: 'Link to create for a person',
    example: { personId: '01980a3f-3c4d-7e5f-8a6b-7c8d9e0f1a2b' },
  });
export type NewInvitation = z.output<typeof NewInvitation>;

export const InvitationWithLink = Invitation.extend({
  link: z.string().meta({
    description:
      'The link, returned only once. Anyone who opens the link can sign in as this person, so share it securely.',
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
  personId: RecordId.meta({ description: 'Filter by person' }).optional(),
  isOpen: booleanParameter()
    .meta({
      description: 'Filter by state: `true` for links that work, `false` for links that no longer work',
      example: true,
    })
    .optional(),
});

export const InvitationPage = pageOf(Invitation, 'InvitationPage');
