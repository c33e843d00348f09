// Operator API: messages sent by email.
import type { mailOperator } from '#contract/operator/mail.ts';
import { mailList, mailPreview, mailResend, operatorMailGet } from '#app/mail/mails.ts';
import { undeliverableClear, undeliverableList } from '#app/mail/bounces.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const mailHandlers: HandlersOf<typeof mailOperator> = {
  mailList,
  mailGet: (context, { id }) => operatorMailGet(context, id),
  mailResend: (context, { id }) => mailResend(context, id),
  undeliverableList,
  undeliverableClear: respondWith('Address Cleared', undeliverableClear),
  mailPreview,
};
