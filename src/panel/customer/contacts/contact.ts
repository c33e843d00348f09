// The name, notifications and permissions of a contact.
import { grantedScopes, type Scope } from '#contract/scopes.ts';
import type { Contact } from '#sdk/v2.ts';

export const notifications = {
  generalemails: { label: 'General', description: 'Account news' },
  invoiceemails: { label: 'Invoices', description: 'Invoices, reminders and receipts' },
  productemails: { label: 'Services', description: 'Server status and credentials' },
  supportemails: { label: 'Support', description: 'Replies to requests' },
  domainemails: { label: 'Domains', description: 'DNS zones and reverse DNS' },
  affiliateemails: { label: 'Partners', description: 'Partner programme' },
} as const;
export type NotificationField = keyof typeof notifications;
export const notificationFields = Object.keys(notifications) as NotificationField[];

export function contactName(contact: Pick<Contact, 'firstname' | 'lastname'>): string {
  return `${contact.firstname} ${contact.lastname}`;
}
export function enabledNotifications(contact: Pick<Contact, NotificationField>): string[] {
  return notificationFields.filter((name) => contact[name] === '1').map((name) => notifications[name].label);
}
export function contactScopes(contact: Pick<Contact, 'permissions'>): Scope[] {
  return [...grantedScopes(contact.permissions.split(','))];
}
