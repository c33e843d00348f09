// What an event says, in a sentence. A table over all kinds: a new kind that is not in it does not compile. It has the words of its
// own, since those of the contract would bring the whole of its schemas into the first view.
import type { Event } from '#sdk/v2.ts';

type Type = Event['type'];
type DataOf<T extends Type> = Extract<Event, { readonly type: T }>['data'];

const texts: { readonly [T in Type]: (data: DataOf<T>) => string } = {
  'contact.created': () => 'A contact was added',
  'contact.updated': ({ changed }) => `A contact was changed: ${changed.join(', ')}`,
  'contact.deleted': () => 'A contact was removed',
  'key.created': ({ name }) => `The API key “${name}” was made`,
  'key.updated': ({ name, changed }) => `The API key “${name}” was changed: ${changed.join(', ')}`,
  'key.rotated': ({ name }) => `The API key “${name}” got a new secret`,
  'key.revoked': ({ name }) => `The API key “${name}” was revoked`,
  'device.power.changed': ({ state, source }) =>
    source === 'command' ? `Switched ${state}` : `Seen to be switched ${state}`,
  'device.hostname.changed': ({ hostname }) => `Is now called ${hostname}`,
  'device.reload.started': ({ system }) => `A reload with ${system} was begun`,
  'device.reload.progress': ({ status }) => `Reload: ${status}`,
  'device.reload.completed': ({ system }) => `The reload is done: it runs ${system}`,
  'device.reload.failed': ({ reason }) => `The reload failed: ${reason}`,
  'device.reload.cancelled': () => 'The reload was cancelled',
  'device.rescue.started': () => 'Is being booted into the rescue system',
  'device.rescue.completed': () => 'The rescue system runs',
  'device.rescue.failed': ({ reason }) => `The rescue system did not come up: ${reason}`,
  'device.rescue.cancelled': () => 'The rescue system was called off',
  'device.rescue.ended': () => 'Left the rescue system',
  'device.password.started': () => 'A reset of the root password was begun',
  'device.password.completed': () => 'The root password was reset',
  'device.password.failed': ({ reason }) => `The root password was not reset: ${reason}`,
  'device.password.cancelled': () => 'The reset of the root password was called off',
  'device.image.mounted': ({ image }) => `The image ${image} was put into the drive`,
  'device.image.unmounted': ({ image }) => `The image ${image} was taken out of the drive`,
  'device.maintenance.began': ({ reason }) => `The provider works on it: ${reason}`,
  'device.maintenance.ended': () => 'The provider is done with it',
  'dns.zone.created': ({ name }) => `The zone ${name} was added`,
  'dns.zone.changed': ({ name, added, removed }) => `The zone ${name} was changed: ${added} added, ${removed} removed`,
  'dns.zone.deleted': ({ name }) => `The zone ${name} was removed`,
  'dns.record.created': ({ name, type }) => `The record ${name} ${type} was added`,
  'dns.record.changed': ({ name, type }) => `The record ${name} ${type} was changed`,
  'dns.record.deleted': ({ name, type }) => `The record ${name} ${type} was removed`,
  'dns.reverse.changed': ({ records }) => `Reverse names were changed: ${records.map(({ ip }) => ip).join(', ')}`,
  'network.port.changed': ({ status }) => `A switch port was ${status === 'up' ? 'enabled' : 'disabled'}`,
  'network.netblock.assigned': ({ netblock }) => `${netblock} was assigned`,
  'network.netblock.refused': ({ size, reason }) => `The request for a ${size} was refused: ${reason}`,
  'network.attack.started': ({ ip, direction }) =>
    direction === 'incoming' ? `Attack on ${ip}` : `Attack that goes out from ${ip}`,
  'network.attack.ended': ({ ip }) => `The attack on ${ip} is over`,
  'network.nullroute.added': ({ ip, reason }) => `${ip} is null-routed: ${reason}`,
  'network.nullroute.removed': ({ ip }) => `The null-route of ${ip} is lifted`,
  'plan.created': ({ operation }) => `A plan waits for approval: ${operation}`,
  'plan.decided': ({ operation, decision }) =>
    `The plan ${operation} was ${decision === 'approve' ? 'approved' : 'refused'}`,
  'invoice.issued': ({ invoicenum }) => `Invoice ${invoicenum} was issued`,
  'invoice.paid': ({ invoicenum }) => `Invoice ${invoicenum} was paid`,
  'invoice.overdue': ({ invoicenum }) => `Invoice ${invoicenum} is overdue`,
  'invoice.reminder': ({ invoicenum }) => `A reminder of invoice ${invoicenum}`,
  'payment.received': ({ amount }) => `A payment of ${amount} was received`,
  'account.suspended': () => 'The account was suspended',
  'account.resumed': () => 'The account is no longer suspended',
  'service.provisioned': () => 'Is new here',
  'service.terminated': () => 'Is over: its addresses are given back',
  'service.suspended': () => 'Was suspended',
  'service.resumed': () => 'Is active again',
  'software.ordered': ({ license }) => `The licence ${license} was ordered`,
  'software.fulfilled': ({ license }) => `The key of the licence ${license} is there`,
  'software.cancelled': ({ license, until }) => `The licence ${license} was cancelled: it works until ${until}`,
};

/** Of a service it says what happened to it; its name stands beside it. A kind that is newer than this page is named as it is. */
export function eventText(event: Event): string {
  const text = texts[event.type] as ((data: Event['data']) => string) | undefined;
  return text === undefined ? event.type : text(event.data);
}
