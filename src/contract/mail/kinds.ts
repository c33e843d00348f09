// The messages that are sent by email. Most are about an event and have its type as their name. The flags of the contact
// decide who receives which, and every person can choose for each kind that is not required.
import type { EventType } from '../events/events.ts';

export const contactFlags = [
  'generalemails',
  'invoiceemails',
  'productemails',
  'supportemails',
  'domainemails',
  'affiliateemails',
] as const;
export type ContactFlag = (typeof contactFlags)[number];

export interface MailKind {
  /** The contacts with this flag receive it, and so does the account. */
  readonly flag: ContactFlag;
  /** The account cannot turn it off: invoices, and what concerns its security. */
  readonly isRequired?: true;
  /** It concerns one person's sign-in: that contact and the account receive it, whatever the flags say. */
  readonly isPersonal?: true;
  /** Of several within a few minutes, the first is sent at once and the others in one summary. */
  readonly group?: 'network' | 'service';
  /** Only events with this data are worth a message. */
  readonly onlyIf?: Readonly<Record<string, string>>;
  readonly label: string;
}

const billing = { flag: 'invoiceemails', isRequired: true } as const;
const security = { flag: 'generalemails', isRequired: true } as const;
const signIn = { ...security, isPersonal: true } as const;
const product = { flag: 'productemails' } as const;
const network = { ...product, group: 'network' } as const;
const migration = { ...product, group: 'service', onlyIf: { downtime: 'expected' } } as const;

const mailKinds = {
  'invoice.issued': { ...billing, label: 'New invoice' },
  'invoice.overdue': { ...billing, label: 'Overdue invoice' },
  'invoice.reminder': { ...billing, label: 'Payment reminder' },
  'account.vatnumber.rejected': { ...billing, label: 'VAT number rejected' },
  'payment.received': { flag: 'invoiceemails', label: 'Payment received' },
  'payment.announced': { ...billing, label: 'Direct debit announced' },
  'payment.failed': { ...billing, label: 'Payment failed' },
  'payment.action': { ...billing, label: 'Payment to be confirmed' },
  'payment.chargeback': { ...billing, label: 'Payment charged back' },
  'payment.refunded': { flag: 'invoiceemails', label: 'Payment refunded' },
  'paymentmethod.added': { ...billing, label: 'Payment method added' },
  'paymentmethod.removed': { ...billing, label: 'Payment method removed' },
  'account.suspended': { ...billing, label: 'Account suspended' },
  'account.resumed': { ...billing, label: 'Account resumed' },
  'service.provisioned': { ...product, label: 'Service ready' },
  'service.suspended': { ...product, group: 'service', label: 'Service suspended' },
  'service.resumed': { ...product, group: 'service', label: 'Service resumed' },
  'service.cancelled': { ...product, group: 'service', label: 'Service cancelled' },
  'service.termination.announced': { ...product, isRequired: true, label: 'Final notice of a termination' },
  'service.price.announced': { ...billing, label: 'New prices announced' },
  'service.price.kept': { ...billing, label: 'New prices withdrawn' },
  'service.terminated': { ...product, group: 'service', label: 'Service terminated' },
  'device.reclaimed': { ...product, label: 'Certificate of erasure' },
  'device.reload.completed': { ...product, label: 'Installation completed' },
  'device.reload.failed': { ...product, label: 'Installation failed' },
  'device.password.completed': { ...product, label: 'Root password reset' },
  'device.password.failed': { ...product, label: 'Root password not reset' },
  'machine.created': { ...product, label: 'Virtual machine created' },
  'machine.deleted': { ...product, group: 'service', label: 'Virtual machine deleted' },
  'machine.resize.failed': { ...product, label: 'Resize undone' },
  'device.migration.started': { ...migration, label: 'Move of a virtual machine started' },
  'device.migration.completed': { ...migration, label: 'Move of a virtual machine completed' },
  'device.backup.failing': { ...product, group: 'service', label: 'Backups fail repeatedly' },
  'device.maintenance.began': { ...product, group: 'service', label: 'Maintenance started' },
  'device.maintenance.ended': { ...product, group: 'service', label: 'Maintenance ended' },
  'network.attack.started': { ...network, label: 'Attack detected' },
  'network.attack.ended': { ...network, label: 'Attack ended' },
  'network.nullroute.added': { ...network, label: 'Address null-routed' },
  'network.nullroute.removed': { ...network, label: 'Null route removed' },
  'network.netblock.assigned': { flag: 'supportemails', group: 'network', label: 'Addresses assigned' },
  'network.netblock.refused': { flag: 'supportemails', label: 'Address request rejected' },
  'network.bandwidth.reached': { ...product, label: 'Bandwidth at 80 and 100 % of the commitment' },
  'maintenance.announced': { ...product, label: 'Maintenance announced' },
  'maintenance.updated': { ...product, label: 'Announced maintenance changed' },
  'maintenance.cancelled': { ...product, label: 'Announced maintenance cancelled' },
  'software.fulfilled': { ...product, label: 'Licence key' },
  'software.cancelled': { ...product, label: 'Licence cancelled' },
  'dns.zone.withdrawn': { flag: 'domainemails', label: 'Zone withdrawn' },
  'contact.created': { ...security, label: 'Contact added' },
  'contact.joined': { ...security, label: 'Invitation accepted' },
  'key.created': { ...security, label: 'API key created' },
  'key.rotated': { ...security, label: 'API key rotated' },
  'key.revoked': { ...security, label: 'API key revoked' },
  'account.signin.unfamiliar': { ...signIn, label: 'Sign-in from a new network' },
  'account.password.changed': { ...signIn, label: 'Password changed' },
  'account.factor.added': { ...signIn, label: 'Second factor added' },
  'account.factor.removed': { ...signIn, label: 'Second factor removed' },
  'account.recovery.created': { ...signIn, label: 'Recovery codes created' },
  'account.recovery.used': { ...signIn, label: 'Recovery code used' },
  'account.signon.changed': { ...security, label: 'Single sign-on changed' },
  'account.signin.changed': { ...security, label: 'Sign-in changed by staff' },
  'account.export.ready': { ...security, label: 'Archive of the account ready' },
  'account.erasure.requested': { ...security, label: 'Erasure requested' },
  'account.erasure.cancelled': { ...security, label: 'Erasure cancelled' },
  'support.access.started': { ...security, label: 'Account viewed by staff' },
} as const satisfies Partial<Record<EventType, MailKind>>;

export type EventMailKind = keyof typeof mailKinds;
export const eventMailKinds = Object.keys(mailKinds) as EventMailKind[];
/** Kinds that are not about an event: their values are given when they are sent. */
export const directMailKinds = [
  'summary',
  'test',
  'erased',
  'recovery',
  'invitation',
  'staffrecovery',
  'staffsignin',
  'staffchange',
  'signup',
  'signupknown',
  'signupinvited',
  'signupwaiting',
  'signupapproved',
  'signuprejected',
  'chargeback',
] as const;
export type DirectMailKind = (typeof directMailKinds)[number];

export function isEventMailKind(name: string): name is EventMailKind {
  return Object.hasOwn(mailKinds, name);
}

export function mailKind(name: EventMailKind): MailKind {
  return mailKinds[name];
}

/** Languages that messages are written in. A provider can add others in its folder of texts. */
export const mailLanguages = ['en', 'de'] as const;
