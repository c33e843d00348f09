// The name, notifications and permissions of a contact.
import { grantedScopes, type Scope } from '#contract/scopes.ts';
import type { Contact } from '#sdk/v2.ts';
import { t } from '../../text/text.ts';

export const notifications = {
  generalemails: { label: t('General'), description: t('Account news') },
  invoiceemails: { label: t('Invoices'), description: t('Invoices, reminders and receipts') },
  productemails: { label: t('Services'), description: t('Server status and credentials') },
  supportemails: { label: t('Support'), description: t('Replies to requests') },
  domainemails: { label: t('Domains'), description: t('DNS zones and reverse DNS') },
  affiliateemails: { label: t('Partners'), description: t('Partner programme') },
} as const;
export type NotificationField = keyof typeof notifications;
export const notificationFields = Object.keys(notifications) as NotificationField[];

export function contactName(contact: Pick<Contact, 'firstname' | 'lastname'>): string {
  return `${contact.firstname} ${contact.lastname}`;
}
export function enabledNotifications(contact: Pick<Contact, NotificationField>): string[] {
  return notificationFields.filter((name) => contact[name] === '1').map((name) => notifications[name].label);
}
/** Returns the numbers of the servers that the person is limited to; empty for all. */
export function contactServers(contact: Pick<Contact, 'services'>): string[] {
  return contact.services === '' ? [] : contact.services.split(',');
}
export function contactScopes(contact: Pick<Contact, 'permissions'>): Scope[] {
  return [...grantedScopes(contact.permissions.split(','))];
}
