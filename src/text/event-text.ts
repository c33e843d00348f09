// Describes an event in a sentence. The table covers every event type, so a new type without a text does not compile.
// The texts are not taken from the contract, whose schemas would add too much to the first load.
import { licenceName } from '#contract/licence-name.ts';
import type { Event } from '#sdk/v2.ts';
import { changeCountsText } from './change-counts.ts';
import { actionLabel, changeLabel } from './operation-labels.ts';
import { t, tData } from './text.ts';

type Type = Event['type'];
type DataOf<T extends Type> = Extract<Event, { readonly type: T }>['data'];

const signInParts = { email: t('Email'), password: t('Password'), secondfactors: t('Second factors') } as const;

const powerTexts = {
  command: { on: t('Powered on'), off: t('Powered off') },
  detected: { on: t('Detected as powered on'), off: t('Detected as powered off') },
} as const;

const staffPowerActions: Readonly<Record<string, string>> = {
  on: t('Powered on by staff'),
  off: t('Powered off by staff'),
  reboot: t('Restarted by staff'),
  cycle: t('Power-cycled by staff'),
};

export const withdrawalReasons = {
  proof: t('another account proved control of the domain'),
  provider: t('the provider needs the name'),
  addresses: t('its addresses are no longer yours'),
} as const;

const signingChanges = {
  enabled: t('signing enabled'),
  disabled: t('signing disabled'),
  ds_withdrawn: t('DS records withdrawn'),
  rollover_started: t('key rollover started'),
  rollover_ds: t('new DS record needed at the registrar'),
  rollover_completed: t('key rollover completed'),
  rollover_cancelled: t('key rollover cancelled'),
} as const;

const signOnTexts = {
  'provider set': t('Identity provider set'),
  'provider removed': t('Identity provider removed'),
  'domain added': t('Domain for single sign-on added'),
  'domain verified': t('Domain for single sign-on verified'),
  'domain required': t('Single sign-on required for domain'),
  'domain removed': t('Domain for single sign-on removed'),
} as const;

const deliveryTexts = {
  queued: (number: string) => t('E-invoice {number} queued', { number }),
  sent: (number: string) => t('E-invoice {number} sent', { number }),
  delivered: (number: string) => t('E-invoice {number} delivered', { number }),
  rejected: (number: string) => t('E-invoice {number} rejected', { number }),
} as const;

const texts: { readonly [T in Type]: (data: DataOf<T>) => string } = {
  'contact.created': () => t('Contact added'),
  'contact.invited': () => t('Contact invited'),
  'contact.joined': () => t('Invitation accepted'),
  'contact.updated': () => t('Contact updated'),
  'contact.deleted': () => t('Contact removed'),
  'key.created': ({ name }) => t('API key “{name}” created', { name }),
  'key.updated': ({ name }) => t('API key “{name}” updated', { name }),
  'key.rotated': ({ name }) => t('API key “{name}” rotated', { name }),
  'key.revoked': ({ name }) => t('API key “{name}” revoked', { name }),
  'account.factor.added': ({ factor, name }) =>
    factor === 'passkey' ? t('Passkey “{name}” added', { name }) : t('Authenticator app enabled'),
  'account.factor.removed': ({ factor, name }) =>
    factor === 'passkey' ? t('Passkey “{name}” removed', { name }) : t('Authenticator app disabled'),
  'account.signin.unfamiliar': ({ address }) => t('Sign-in from a new network ({address})', { address }),
  'account.recovery.created': () => t('Recovery codes created'),
  'account.recovery.used': ({ address, left }) =>
    t('Signed in with a recovery code ({address}), {left} left', { address, left }),
  'machine.created': () => t('Machine created'),
  'machine.adopted': () => t('Machine adopted'),
  'machine.deleted': ({ restorableto }) => t('Machine deleted, can be restored until {until}', { until: restorableto }),
  'machine.restored': () => t('Machine restored'),
  'machine.protection.changed': ({ protection }) =>
    protection === 'enabled' ? t('Deletion protection enabled') : t('Deletion protection disabled'),
  'machine.snapshot.started': ({ name }) => t('Snapshot “{name}” is being taken', { name }),
  'machine.snapshot.completed': ({ name }) => t('Snapshot “{name}” taken', { name }),
  'machine.snapshot.failed': ({ name, reason }) => t('Snapshot “{name}” failed: {reason}', { name, reason }),
  'machine.snapshot.deleted': ({ name }) => t('Snapshot “{name}” deleted', { name }),
  'machine.snapshot.restoring': ({ name }) => t('Restoring from snapshot “{name}”', { name }),
  'machine.snapshot.restored': ({ name }) => t('Restored from snapshot “{name}”', { name }),
  'machine.snapshot.restorefailed': ({ name, reason }) =>
    t('Restoring from snapshot “{name}” failed: {reason}', { name, reason }),
  'machine.image.started': ({ name }) => t('Image “{name}” is being created', { name }),
  'machine.image.completed': ({ name }) => t('Image “{name}” created', { name }),
  'machine.image.failed': ({ name, reason }) => t('Image “{name}” failed: {reason}', { name, reason }),
  'machine.image.deleted': ({ name }) => t('Image “{name}” deleted', { name }),
  'machine.resize.started': ({ plan }) => t('Resize to {plan} started', { plan }),
  'machine.resize.completed': ({ plan }) => t('Machine resized to {plan}', { plan }),
  'machine.resize.failed': ({ plan, reason }) => t('Resize to {plan} failed: {reason}', { plan, reason }),
  'machinegroup.created': ({ name }) => t('Group of machines “{name}” created', { name }),
  'machinegroup.deleted': () => t('Group of machines deleted'),
  'volume.created': ({ name, sizegb }) => t('Volume {name} of {size} GB created', { name, size: sizegb }),
  'volume.attached': ({ name }) => t('Volume {name} attached', { name }),
  'volume.detached': ({ name }) => t('Volume {name} detached', { name }),
  'volume.resized': ({ name, sizegb }) => t('Volume {name} resized to {size} GB', { name, size: sizegb }),
  'volume.deleted': ({ name }) => t('Volume {name} deleted', { name }),
  'volume.failed': ({ name, reason }) => t('Change of the volume {name} failed: {reason}', { name, reason }),
  'sshkey.created': ({ name }) => t('SSH key “{name}” saved', { name }),
  'sshkey.deleted': () => t('SSH key deleted'),
  'account.password.changed': () => t('Password changed'),
  'account.signon.changed': ({ change, detail }) => `${signOnTexts[change]}: ${detail}`,
  'account.signin.changed': ({ changed, operator }) =>
    t('{parts} changed by {operator} (support)', {
      parts: changed.map((name) => signInParts[name]).join(', '),
      operator,
    }),
  'support.access.started': ({ operator, reason }) =>
    t('{operator} (support) started viewing the account: {reason}', { operator, reason }),
  'support.access.ended': ({ operator, endedby }) =>
    endedby === 'Staff'
      ? t('{operator} (support) stopped viewing the account', { operator })
      : t('Support access of {operator} ended', { operator }),
  'device.power.changed': ({ state, source }) => powerTexts[source === 'command' ? 'command' : 'detected'][state],
  'device.hardware.failed': ({ sensor, detail }) => `${sensor}: ${detail === '' ? t('hardware fault') : detail}`,
  'device.hardware.recovered': ({ sensor }) => t('{sensor} works again', { sensor }),
  'device.hostname.changed': ({ hostname }) => t('Renamed to {hostname}', { hostname }),
  'device.labels.changed': ({ labels }) =>
    labels.length === 0 ? t('Labels removed') : t('Labels changed to {labels}', { labels: labels.join(', ') }),
  'device.staff.acted': ({ operation, action, reason }) =>
    `${staffPowerActions[action] ?? t('{change} by staff', { change: changeLabel(operation) })}: ${reason}`,
  'device.reload.started': ({ system }) => t('Installation of {system} started', { system }),
  'device.reload.progress': ({ status }) => t('Installation: {status}', { status: tData(status) }),
  'device.reload.completed': ({ system }) => t('{system} installed', { system }),
  'device.reload.failed': ({ reason }) => t('Installation failed: {reason}', { reason }),
  'device.reload.cancelled': () => t('Installation cancelled'),
  'device.migration.started': ({ downtime }) =>
    downtime === 'expected' ? t('Migration started: the machine is shut down meanwhile') : t('Migration started'),
  'device.migration.completed': () => t('Migration completed'),
  'device.migration.failed': ({ reason }) =>
    reason === '' ? t('Migration cancelled') : t('Migration failed: {reason}', { reason }),
  'device.backup.started': () => t('Backup started'),
  'device.backup.completed': () => t('Backup stored'),
  'device.backup.failed': ({ reason }) => t('Backup failed: {reason}', { reason }),
  'device.backup.failing': ({ failures, reason }) =>
    t('{failures} backups in a row failed: {reason}', { failures, reason }),
  'device.backup.deleted': () => t('Backup deleted'),
  'device.backup.scheduled': ({ frequency }) =>
    frequency === 'off' ? t('Scheduled backups disabled') : t('Backup schedule changed'),
  'device.restore.started': () => t('Restore from a backup started'),
  'device.restore.completed': () => t('Restored from a backup'),
  'device.restore.failed': ({ reason }) => t('Restore failed: {reason}', { reason }),
  'device.rescue.started': () => t('Booting the rescue system'),
  'device.rescue.completed': () => t('Rescue system ready'),
  'device.rescue.failed': ({ reason }) => t('Rescue system failed: {reason}', { reason }),
  'device.rescue.cancelled': () => t('Rescue system boot cancelled'),
  'device.rescue.ended': () => t('Rescue system exited'),
  'device.password.started': () => t('Root password reset started'),
  'device.password.completed': () => t('Root password reset'),
  'device.password.failed': ({ reason }) => t('Root password reset failed: {reason}', { reason }),
  'device.password.cancelled': () => t('Root password reset cancelled'),
  'device.image.mounted': ({ image }) => t('ISO image {image} mounted', { image }),
  'device.image.unmounted': ({ image }) => t('ISO image {image} unmounted', { image }),
  'device.maintenance.began': ({ reason }) => t('Maintenance started: {reason}', { reason }),
  'device.maintenance.ended': () => t('Maintenance ended'),
  'network.bandwidth.reached': ({ threshold, used }) =>
    t('Bandwidth at {threshold}% of the committed rate: {used} Mbit/s', { threshold, used }),
  'maintenance.announced': ({ title }) => t('Maintenance announced: {title}', { title }),
  'maintenance.updated': ({ title }) => t('Maintenance changed: {title}', { title }),
  'maintenance.cancelled': ({ title }) => t('Maintenance cancelled: {title}', { title }),
  'maintenance.completed': ({ title }) => t('Maintenance completed: {title}', { title }),
  'device.reclaimed': () => t('Server erased, certificate available'),
  'dns.dnssec.changed': ({ name, change }) => t('Zone {name}: {change}', { name, change: signingChanges[change] }),
  'dns.zone.created': ({ name }) => t('Zone {name} created', { name }),
  'dns.zone.changed': ({ name, added, removed, changed = 0 }) =>
    t('Zone {name} updated: {changes}', {
      name,
      changes: changeCountsText({ added: added - changed, changed, removed: removed - changed }),
    }),
  'dns.zone.deleted': ({ name }) => t('Zone {name} deleted', { name }),
  'dns.zone.withdrawn': ({ name, reason }) =>
    t('Zone {name} taken from the account: {reason}', { name, reason: withdrawalReasons[reason] }),
  'dns.alias.failed': ({ name, reason }) => `ALIAS ${name}: ${reason}`,
  'dns.alias.recovered': ({ name }) => t('ALIAS {name} resolves again', { name }),
  'dns.record.created': ({ name, type }) => t('{type} record {name} added', { type, name }),
  'dns.record.changed': ({ name, type }) => t('{type} record {name} updated', { type, name }),
  'dns.record.deleted': ({ name, type }) => t('{type} record {name} deleted', { type, name }),
  'dns.reverse.changed': ({ records }) =>
    t('Reverse DNS updated: {addresses}', { addresses: records.map(({ ip }) => ip).join(', ') }),
  'network.port.changed': ({ status }) => (status === 'up' ? t('Switch port enabled') : t('Switch port disabled')),
  'network.netblock.assigned': ({ netblock }) => t('{netblock} assigned', { netblock }),
  'network.netblock.released': ({ netblock }) => t('{netblock} taken back', { netblock }),
  'network.netblock.refused': ({ size, reason }) => t('Request for a {size} rejected: {reason}', { size, reason }),
  'network.attack.started': ({ ip, direction }) =>
    direction === 'incoming' ? t('Attack on {ip}', { ip }) : t('Outgoing attack from {ip}', { ip }),
  'network.attack.ended': ({ ip }) => t('Attack on {ip} ended', { ip }),
  'network.nullroute.added': ({ ip, reason }) => t('{ip} null-routed: {reason}', { ip, reason }),
  'network.nullroute.removed': ({ ip }) => t('Null route for {ip} removed', { ip }),
  'plan.created': ({ operation }) => t('Waiting for approval: {action}', { action: actionLabel(operation) }),
  'plan.decided': ({ operation, decision }) =>
    decision === 'approve'
      ? t('Approved: {action}', { action: actionLabel(operation) })
      : t('Rejected: {action}', { action: actionLabel(operation) }),
  'invoice.issued': ({ invoicenum }) => t('Invoice {invoicenum} issued', { invoicenum }),
  'invoice.paid': ({ invoicenum }) => t('Invoice {invoicenum} paid', { invoicenum }),
  'invoice.overdue': ({ invoicenum }) => t('Invoice {invoicenum} overdue', { invoicenum }),
  'invoice.reminder': ({ invoicenum }) => t('Reminder for invoice {invoicenum}', { invoicenum }),
  'invoice.delivery.changed': ({ invoicenum, state }) => deliveryTexts[state](invoicenum),
  'account.vatnumber.confirmed': ({ vatnumber }) => t('VAT number {vatnumber} confirmed', { vatnumber }),
  'account.vatnumber.rejected': ({ vatnumber }) => t('VAT number {vatnumber} not confirmed', { vatnumber }),
  'payment.announced': ({ amount, date }) => t('Direct debit of {amount} announced for {date}', { amount, date }),
  'payment.received': ({ amount }) => t('Payment of {amount} received', { amount }),
  'payment.failed': ({ amount, reason }) => t('Payment of {amount} failed: {reason}', { amount, reason }),
  'payment.action': ({ amount }) => t('Payment of {amount} waits for confirmation', { amount }),
  'payment.chargeback': ({ amount, invoicenum }) =>
    t('Payment of {amount} charged back, invoice {number} is open again', { amount, number: invoicenum }),
  'payment.refunded': ({ amount }) => t('{amount} refunded', { amount }),
  'paymentmethod.added': ({ method }) => t('Payment method added: {method}', { method }),
  'paymentmethod.removed': ({ method }) => t('Payment method removed: {method}', { method }),
  'account.export.ready': () => t('Archive of the account ready'),
  'account.erasure.requested': ({ until }) =>
    t('Erasure of the account requested, can be cancelled until {until}', { until }),
  'account.erasure.cancelled': () => t('Erasure of the account cancelled'),
  'account.suspended': () => t('Account suspended'),
  'account.resumed': () => t('Account resumed'),
  'service.provisioned': () => t('Service created'),
  'service.terminated': () => t('Service terminated'),
  'service.suspended': ({ reason }) =>
    reason === undefined ? t('Service suspended') : t('Service suspended: {reason}', { reason }),
  'service.resumed': () => t('Service resumed'),
  'service.cancelled': ({ lastday }) => t('Service cancelled, last day {day}', { day: lastday }),
  'service.cancellation.withdrawn': () => t('Cancellation of the service withdrawn'),
  'service.termination.announced': ({ termination }) => t('Service will be terminated on {day}', { day: termination }),
  'service.price.announced': ({ oldprice, newprice, from }) =>
    t('New price {new} instead of {old} from {day}', { old: oldprice, new: newprice, day: from }),
  'service.price.kept': ({ from }) => t('The new prices from {day} were withdrawn', { day: from }),
  'service.plan.changed': ({ plan }) => t('Plan changed to {plan}', { plan }),
  'software.ordered': ({ license }) => t('Licence {name} ordered', { name: licenceName(license) }),
  'software.fulfilled': ({ license }) => t('Licence key for {name} delivered', { name: licenceName(license) }),
  'software.cancelled': ({ license, until }) =>
    t('Licence {name} cancelled, valid until {until}', { name: licenceName(license), until }),
};

/**
 * Returns the text of an event, shown next to the service's name if it concerns one. An unknown event type is shown as
 * it is.
 */
export function eventText(event: Event): string {
  const text = texts[event.type] as ((data: Event['data']) => string) | undefined;
  return text === undefined ? event.type : text(event.data);
}
