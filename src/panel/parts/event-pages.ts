// The page of what an event concerns. test/sweeps/event-sentences.test.ts fails if a type of event has none.
import type { Event } from '#sdk/v2.ts';

export interface PanelPage {
  readonly to: string;
  readonly hash?: string;
}

/** Things that have no page any more. */
const goneAfter = new Set(['contact.deleted', 'dns.zone.deleted', 'service.terminated']);

/** The tab of a server's page, by prefix of the event type. */
const serverTabs: readonly (readonly [prefix: string, tab: string])[] = [
  ['device.reload', 'install'],
  ['device.rescue', 'install'],
  ['device.password', 'install'],
  ['device.image', 'install'],
  ['device.hardware', 'hardware'],
  ['device.reclaimed', 'certificate'],
  ['machine.snapshot', 'snapshots'],
  ['machine.image', 'snapshots'],
  ['network.', 'network'],
  ['dns.reverse', 'network'],
];

/** Pages of things without a service, by prefix of the event type; the first that matches applies. */
const pages: readonly (readonly [prefix: string, path: string])[] = [
  ['account.export', '/privacy'],
  ['account.erasure', '/privacy'],
  ['account.suspended', '/invoices'],
  ['account.vatnumber.', '/tax'],
  ['account.resumed', '/invoices'],
  ['account.', '/security'],
  ['contact.', '/contacts'],
  ['dns.', '/dns'],
  ['invoice.', '/invoices'],
  ['key.', '/keys'],
  ['machinegroup.', '/servers'],
  ['maintenance.', '/'],
  ['network.', '/network'],
  ['payment.', '/invoices'],
  ['plan.', '/plans'],
  ['software.', '/licences'],
  ['sshkey.', '/ssh-keys'],
  ['support.', '/security'],
];

/** Returns undefined if it is gone. */
export function pageOf({ type, service, data }: Event): PanelPage | undefined {
  if (goneAfter.has(type)) return undefined;
  if (type === 'dns.zone.withdrawn') return { to: '/dns', hash: 'withdrawn' };
  if (service !== '' && !type.startsWith('software.')) {
    const tab = serverTabs.find(([prefix]) => type.startsWith(prefix))?.[1];
    return { to: `/servers/${service}`, ...(tab !== undefined && { hash: tab }) };
  }
  if ('domain_id' in data) return { to: `/dns/${data.domain_id}` };
  if ('invoiceid' in data) return { to: '/invoices', hash: data.invoiceid };
  const path = pages.find(([prefix]) => type.startsWith(prefix))?.[1];
  return path === undefined ? undefined : { to: path };
}
