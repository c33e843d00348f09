// Operator API: messages sent by email.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { directMailKinds, eventMailKinds } from '../mail/kinds.ts';
import * as p from '../parameters.ts';
import {
  MailPreview,
  mailStatuses,
  NewMail,
  OperatorMail,
  OperatorMailListItem,
  UndeliverableAddress,
} from '../shapes/mail.ts';

const readEndpoint = { method: 'GET', tag: 'mail', access: 'operator:read' } as const;
const writeEndpoint = { tag: 'mail', access: 'operator:customers', effect: 'stored' } as const;

export const mailOperator = {
  mailList: endpoint({
    ...readEndpoint,
    path: '/operator/mail',
    command: 'mail list',
    summary: 'List messages to all accounts, newest first',
    params: { account: p.optional(p.Id), status: p.optional(p.Choice(...mailStatuses)), ...p.pageBefore(p.Id) },
    result: Type.Array(OperatorMailListItem),
  }),
  mailGet: endpoint({
    ...readEndpoint,
    path: '/operator/mail/{id}',
    command: 'mail get',
    summary: 'Get a message',
    description: 'Keys and links that only the recipient may see are omitted.',
    params: { id: p.Id },
    result: OperatorMail,
  }),
  mailResend: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/mail/resend',
    command: 'mail resend',
    summary: 'Send a message again',
    description: 'Sends it to the original recipient. A message that is still queued is sent immediately.',
    params: { id: p.Id },
    target: ['id'],
    result: NewMail,
    errors: ['state_conflict'],
  }),
  undeliverableList: endpoint({
    ...readEndpoint,
    path: '/operator/mail/undeliverable',
    command: 'mail undeliverable',
    summary: 'List addresses that no longer receive messages',
    description: 'Messages to them bounced permanently several times.',
    params: { account: p.optional(p.Id), limit: p.optional(p.Whole(1, 1000)) },
    result: Type.Array(UndeliverableAddress),
  }),
  undeliverableClear: endpoint({
    ...writeEndpoint,
    method: 'DELETE',
    path: '/operator/mail/undeliverable',
    command: 'mail clear',
    summary: 'Allow messages to an address again',
    params: { account: p.Id, address: p.Email },
    target: ['account'],
    errors: ['not_found'],
  }),
  mailPreview: endpoint({
    ...readEndpoint,
    path: '/operator/mail/preview',
    command: 'mail preview',
    summary: 'Preview a kind of message with sample data',
    params: {
      kind: p.Choice(...eventMailKinds, ...directMailKinds),
      language: p.optional(p.LanguageCode),
    },
    result: MailPreview,
  }),
} as const;
