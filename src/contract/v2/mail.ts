// Version 2, our addition: messages that were sent by email, and which of them a person receives.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { eventMailKinds } from '../mail/kinds.ts';
import * as p from '../parameters.ts';
import { Mail, MailSettings } from '../shapes/mail.ts';

export const mailV2 = {
  mailGet: endpoint({
    method: 'GET',
    path: '/v2/account/mail',
    tag: 'account',
    access: 'account:read',
    addition: true,
    summary: 'List or get messages sent by email, newest first',
    description:
      'A sub-account contact sees the messages to themselves; the account and its keys see all. Messages are kept for 90 days.',
    params: { id: p.optional(p.Id), ...p.pageBefore(p.Id) },
    result: Type.Array(Mail),
  }),
  mailSettingsGet: endpoint({
    method: 'GET',
    path: '/v2/account/mail/settings',
    tag: 'account',
    access: 'account:read',
    addition: true,
    summary: 'Get which messages you receive, and in which language',
    description: 'Applies to the contact that owns the key, or else to the account.',
    result: MailSettings,
  }),
  mailSettingsSet: endpoint({
    method: 'PUT',
    path: '/v2/account/mail/settings',
    tag: 'account',
    access: 'any',
    effect: 'stored',
    addition: true,
    summary: 'Choose which messages you receive, and in which language',
    description:
      'Applies to the contact that owns the key, or else to the account, which needs the scope `account:write` and cannot turn off invoices and security messages. The language of the account also applies to contacts that have not chosen one.',
    params: {
      off: p.optional(p.List(p.Choice(...eventMailKinds), { max: eventMailKinds.length })),
      language: p.clearable(p.LanguageCode),
    },
  }),
} as const;
