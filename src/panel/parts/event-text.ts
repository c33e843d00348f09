// Describes an event in a sentence. The table covers every event type, so a new type without a text does not compile.
// The texts are not taken from the contract, whose schemas would add too much to the first load.
import type { Event } from '#sdk/v2.ts';
import { changeCountsText } from './change-counts.ts';
import { licenceName } from './licence-name.ts';
import { actionLabel } from './operation-labels.ts';

type Type = Event['type'];
type DataOf<T extends Type> = Extract<Event, { readonly type: T }>['data'];

const signInParts = { email: 'Email', password: 'Password', secondfactors: 'Second factors' } as const;

const withdrawalReasons = {
  proof: 'another account proved control of the domain',
  provider: 'the provider needs the name',
  addresses: 'its addresses are no longer yours',
} as const;

const signingChanges = {
  enabled: 'signing enabled',
  disabled: 'signing disabled',
  ds_withdrawn: 'DS records withdrawn',
  rollover_started: 'key rollover started',
  rollover_ds: 'new DS record needed at the registrar',
  rollover_completed: 'key rollover completed',
  rollover_cancelled: 'key rollover cancelled',
} as const;

const signOnTexts = {
  'provider set': 'Identity provider set',
  'provider removed': 'Identity provider removed',
  'domain added': 'Domain for single sign-on added',
  'domain verified': 'Domain for single sign-on verified',
  'domain required': 'Single sign-on required for domain',
  'domain removed': 'Domain for single sign-on removed',
} as const;

const texts: { readonly [T in Type]: (data: DataOf<T>) => string } = {
  'contact.created': () => 'Contact added',
  'contact.invited': () => 'Contact invited',
  'contact.joined': () => 'Invitation accepted',
  'contact.updated': () => 'Contact updated',
  'contact.deleted': () => 'Contact removed',
  'key.created': ({ name }) => `API key “${name}” created`,
  'key.updated': ({ name }) => `API key “${name}” updated`,
  'key.rotated': ({ name }) => `API key “${name}” rotated`,
  'key.revoked': ({ name }) => `API key “${name}” revoked`,
  'account.factor.added': ({ factor, name }) =>
    factor === 'passkey' ? `Passkey “${name}” added` : 'Authenticator app enabled',
  'account.factor.removed': ({ factor, name }) =>
    factor === 'passkey' ? `Passkey “${name}” removed` : 'Authenticator app disabled',
  'account.signin.unfamiliar': ({ address }) => `Sign-in from a new network (${address})`,
  'account.recovery.created': () => 'Recovery codes created',
  'account.recovery.used': ({ address, left }) => `Signed in with a recovery code (${address}), ${left} left`,
  'sshkey.created': ({ name }) => `SSH key “${name}” saved`,
  'sshkey.deleted': () => 'SSH key deleted',
  'account.password.changed': () => 'Password changed',
  'account.signon.changed': ({ change, detail }) => `${signOnTexts[change]}: ${detail}`,
  'account.signin.changed': ({ changed, operator }) =>
    `${changed.map((name) => signInParts[name]).join(', ')} changed by ${operator} (support)`,
  'support.access.started': ({ operator, reason }) => `${operator} (support) started viewing the account: ${reason}`,
  'support.access.ended': ({ operator, endedby }) =>
    endedby === 'Staff' ? `${operator} (support) stopped viewing the account` : `Support access of ${operator} ended`,
  'device.power.changed': ({ state, source }) =>
    source === 'command' ? `Powered ${state}` : `Detected as powered ${state}`,
  'device.hardware.failed': ({ sensor, detail }) => `${sensor}: ${detail === '' ? 'hardware fault' : detail}`,
  'device.hardware.recovered': ({ sensor }) => `${sensor} works again`,
  'device.hostname.changed': ({ hostname }) => `Renamed to ${hostname}`,
  'device.labels.changed': ({ labels }) =>
    labels.length === 0 ? 'Labels removed' : `Labels changed to ${labels.join(', ')}`,
  'device.reload.started': ({ system }) => `Installation of ${system} started`,
  'device.reload.progress': ({ status }) => `Installation: ${status}`,
  'device.reload.completed': ({ system }) => `${system} installed`,
  'device.reload.failed': ({ reason }) => `Installation failed: ${reason}`,
  'device.reload.cancelled': () => 'Installation cancelled',
  'device.rescue.started': () => 'Booting the rescue system',
  'device.rescue.completed': () => 'Rescue system ready',
  'device.rescue.failed': ({ reason }) => `Rescue system failed: ${reason}`,
  'device.rescue.cancelled': () => 'Rescue system boot cancelled',
  'device.rescue.ended': () => 'Rescue system exited',
  'device.password.started': () => 'Root password reset started',
  'device.password.completed': () => 'Root password reset',
  'device.password.failed': ({ reason }) => `Root password reset failed: ${reason}`,
  'device.password.cancelled': () => 'Root password reset cancelled',
  'device.image.mounted': ({ image }) => `ISO image ${image} mounted`,
  'device.image.unmounted': ({ image }) => `ISO image ${image} unmounted`,
  'device.maintenance.began': ({ reason }) => `Maintenance started: ${reason}`,
  'device.maintenance.ended': () => 'Maintenance finished',
  'device.reclaimed': () => 'Server erased, certificate available',
  'dns.dnssec.changed': ({ name, change }) => `Zone ${name}: ${signingChanges[change]}`,
  'dns.zone.created': ({ name }) => `Zone ${name} created`,
  'dns.zone.changed': ({ name, added, removed, changed = 0 }) =>
    `Zone ${name} updated: ${changeCountsText({ added: added - changed, changed, removed: removed - changed })}`,
  'dns.zone.deleted': ({ name }) => `Zone ${name} deleted`,
  'dns.zone.withdrawn': ({ name, reason }) => `Zone ${name} taken from the account: ${withdrawalReasons[reason]}`,
  'dns.alias.failed': ({ name, reason }) => `ALIAS ${name}: ${reason}`,
  'dns.alias.recovered': ({ name }) => `ALIAS ${name} resolves again`,
  'dns.record.created': ({ name, type }) => `${type} record ${name} added`,
  'dns.record.changed': ({ name, type }) => `${type} record ${name} updated`,
  'dns.record.deleted': ({ name, type }) => `${type} record ${name} deleted`,
  'dns.reverse.changed': ({ records }) => `Reverse DNS updated: ${records.map(({ ip }) => ip).join(', ')}`,
  'network.port.changed': ({ status }) => `Switch port ${status === 'up' ? 'enabled' : 'disabled'}`,
  'network.netblock.assigned': ({ netblock }) => `${netblock} assigned`,
  'network.netblock.released': ({ netblock }) => `${netblock} taken back`,
  'network.netblock.refused': ({ size, reason }) => `Request for a ${size} rejected: ${reason}`,
  'network.attack.started': ({ ip, direction }) =>
    direction === 'incoming' ? `Attack on ${ip}` : `Outgoing attack from ${ip}`,
  'network.attack.ended': ({ ip }) => `Attack on ${ip} ended`,
  'network.nullroute.added': ({ ip, reason }) => `${ip} null-routed: ${reason}`,
  'network.nullroute.removed': ({ ip }) => `Null route of ${ip} removed`,
  'plan.created': ({ operation }) => `Waiting for approval: ${actionLabel(operation)}`,
  'plan.decided': ({ operation, decision }) =>
    `${decision === 'approve' ? 'Approved' : 'Rejected'}: ${actionLabel(operation)}`,
  'invoice.issued': ({ invoicenum }) => `Invoice ${invoicenum} issued`,
  'invoice.paid': ({ invoicenum }) => `Invoice ${invoicenum} paid`,
  'invoice.overdue': ({ invoicenum }) => `Invoice ${invoicenum} overdue`,
  'invoice.reminder': ({ invoicenum }) => `Reminder for invoice ${invoicenum}`,
  'payment.received': ({ amount }) => `Payment of ${amount} received`,
  'account.export.ready': () => 'Archive of the account ready',
  'account.erasure.requested': ({ until }) => `Erasure of the account requested, can be cancelled until ${until}`,
  'account.erasure.cancelled': () => 'Erasure of the account cancelled',
  'account.suspended': () => 'Account suspended',
  'account.resumed': () => 'Account resumed',
  'service.provisioned': () => 'Service created',
  'service.terminated': () => 'Service terminated',
  'service.suspended': ({ reason }) => (reason === undefined ? 'Service suspended' : `Service suspended: ${reason}`),
  'service.resumed': () => 'Service resumed',
  'software.ordered': ({ license }) => `Licence ${licenceName(license)} ordered`,
  'software.fulfilled': ({ license }) => `Licence key for ${licenceName(license)} delivered`,
  'software.cancelled': ({ license, until }) => `Licence ${licenceName(license)} cancelled, valid until ${until}`,
};

/**
 * Returns the text of an event, shown next to the service's name if it concerns one. An unknown event type is shown as
 * it is.
 */
export function eventText(event: Event): string {
  const text = texts[event.type] as ((data: Event['data']) => string) | undefined;
  return text === undefined ? event.type : text(event.data);
}
