// A contact in words: its name, the mails that it gets, and what it may do.
import { grantedScopes, type Scope } from '#contract/scopes.ts';
import type { Contact } from '#sdk/v2.ts';

export const mails = {
  generalemails: { label: 'General', about: 'News about the account' },
  invoiceemails: { label: 'Invoices', about: 'Invoices, reminders and receipts' },
  productemails: { label: 'Services', about: 'What happens to servers, and how to reach them' },
  supportemails: { label: 'Support', about: 'Answers to requests' },
  domainemails: { label: 'Domains', about: 'DNS zones and reverse names' },
  affiliateemails: { label: 'Partners', about: 'The partner programme' },
} as const;
export type Mail = keyof typeof mails;
export const mailNames = Object.keys(mails) as Mail[];

export function nameOf(contact: Pick<Contact, 'firstname' | 'lastname'>): string {
  return `${contact.firstname} ${contact.lastname}`;
}
export function mailsOf(contact: Pick<Contact, Mail>): string[] {
  return mailNames.filter((name) => contact[name] === '1').map((name) => mails[name].label);
}
export function permissionsOf(contact: Pick<Contact, 'permissions'>): Scope[] {
  return [...grantedScopes(contact.permissions.split(','))];
}
