// v2: messages sent by email.
import type { mailV2 } from '#contract/v2/mail.ts';
import { mailGet, mailSettingsGet, mailSettingsSet } from '#app/mail/mails.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const mailHandlers: HandlersOf<typeof mailV2> = {
  mailGet,
  mailSettingsGet: (context) => mailSettingsGet(context),
  mailSettingsSet: respondWith('Mail Settings Updated', mailSettingsSet),
};
