// Messages sent by email, our addition.
import { Type } from 'typebox';
import { Moment } from './account.ts';
import { described, momentOrEmpty, text } from './text.ts';

export const mailStatuses = ['Queued', 'Held', 'Sent', 'Failed', 'Summarized', 'Bounced'] as const;
export type MailStatus = (typeof mailStatuses)[number];

const listed = {
  id: text,
  contact: described('The recipient’s contact; empty for the account'),
  address: text,
  kind: described('The type of the event that it is about, or another kind of message'),
  subject: described('Empty until the first attempt'),
  status: Type.Enum(mailStatuses, {
    description:
      'Held: waits to be sent in a summary; Summarized: was sent in a summary; Bounced: was returned after a relay had accepted it',
  }),
  created: Moment,
  sent: momentOrEmpty('When a relay accepted it'),
};

export const Mail = Type.Object({
  ...listed,
  diagnostic: described('The mail server’s reason for returning it; otherwise empty'),
  text: described('Its text, without keys and links that only the recipient may see'),
});

const operated = {
  account: text,
  attempts: text,
  next: momentOrEmpty('The next attempt'),
  relay: described('The relay that accepted it'),
  error: described('Why the last attempt failed'),
  resendof: described('The message that this one resends'),
};
export const OperatorMailListItem = Type.Object({ ...listed, ...operated });
export const OperatorMail = Type.Object({ ...listed, ...operated, text, html: text });
export const NewMail = Type.Object({ id: text });

export const MailPreview = Type.Object({ subject: text, text, html: text });

export const UndeliverableAddress = Type.Object({
  account: text,
  address: text,
  count: described('Number of messages that bounced'),
  diagnostic: described('The reason that the last mail server gave'),
  since: Moment,
});

export const MailSettings = Type.Object({
  language: described('The language of messages; empty for the provider’s default'),
  off: Type.Array(text, { description: 'Kinds of messages that this person does not receive' }),
  kinds: Type.Array(
    Type.Object({
      kind: text,
      label: text,
      required: Type.Boolean({ description: 'It cannot be turned off' }),
      received: Type.Boolean(),
    }),
    { description: 'The kinds of messages that the contact’s settings allow; all for the account' },
  ),
  undeliverable: Type.Array(Type.Object({ address: text, diagnostic: text, since: Moment }), {
    description: 'Addresses that no longer receive messages, because earlier ones bounced',
  }),
  languages: Type.Array(text),
  enabled: Type.Boolean({ description: 'False if the provider sends no email' }),
});
