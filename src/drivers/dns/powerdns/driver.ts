// The PowerDNS driver. Each zone has one writer at a time, because PowerDNS loses or duplicates records when two
// PATCHes overlap; with its SQLite backend this applies to the whole server. PowerDNS never edits our serial.
import { setTimeout as sleep } from 'node:timers/promises';
import { toAbsolute } from '#protocols/dns/name.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import { type DnsDriver, NameServerError, type ZoneContent } from '../driver.ts';
import { type Api, type PowerDnsSettings, openApi } from './api.ts';
import { type Queue, queueByKey } from './queue.ts';
import { diffZone, parseApiRrset, readApiKeys, readApiZone, readApiZoneList, toReplace } from './zone.ts';

export interface Settings extends PowerDnsSettings {
  /** `one` for the SQLite backend, `one-per-zone` for a database with concurrent writers. */
  readonly writers: 'one' | 'one-per-zone';
}

const maxAttempts = 3;
const retryPauseMs = 100;
/** Time in which a stalled PowerDNS processes the requests still in its sockets. */
const settleMs = 200;

export function openPowerDns(settings: Settings): DnsDriver {
  const api = openApi(settings);
  const queue = queueByKey();
  const uncertainZones = new Set<string>();
  const exclusive = <T>(zone: string, work: () => Promise<T>): Promise<T> =>
    queue(settings.writers === 'one' ? '' : zone, work);

  return {
    publish: (zone, signal) => exclusive(zone.name, () => retry(() => publishUntilStable(zone, signal), signal)),
    remove: (zone, signal) =>
      exclusive(zone, () => retry(() => api.call('DELETE', zonePath(zone), signal).then(() => {}), signal)),
    async read(zone, signal) {
      const { status, body } = await api.call('GET', zonePath(zone), signal);
      return status === 404
        ? undefined
        : readApiZone(body)
            .map(parseApiRrset)
            .filter((set): set is Rrset => set !== undefined);
    },
    async list(signal) {
      const { body } = await api.call('GET', '/zones?dnssec=false', signal);
      return readApiZoneList(body);
    },
    dnssec: createDnssec(api, exclusive),
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };

  /**
   * A write without a response may still be executed later, on top of a newer one. After such a write, the zone is
   * checked again until it stays correct.
   */
  async function publishUntilStable(zone: ZoneContent, signal: AbortSignal): Promise<void> {
    try {
      await publishOnce(api, zone, signal);
      if (!uncertainZones.has(zone.name)) return;
      do await sleep(settleMs, undefined, { signal });
      while (await publishOnce(api, zone, signal));
      uncertainZones.delete(zone.name);
    } catch (error) {
      if (error instanceof NameServerError && error.code === 'nameserver_unreachable') uncertainZones.add(zone.name);
      throw error;
    }
  }
}

function createDnssec(api: Api, exclusive: Queue): NonNullable<DnsDriver['dnssec']> {
  const change = (zone: string, options: { dnssec: boolean; api_rectify: boolean }, signal: AbortSignal) =>
    exclusive(zone, () => requireZone(api.call('PUT', zonePath(zone), signal, options), zone));
  const ds = async (zone: string, signal: AbortSignal) => {
    const { body } = await requireZone(api.call('GET', `${zonePath(zone)}/cryptokeys`, signal), zone);
    return readApiKeys(body);
  };
  return {
    async enable(zone, signal) {
      if ((await ds(zone, signal)).length === 0) await change(zone, { dnssec: true, api_rectify: true }, signal);
      return ds(zone, signal);
    },
    async disable(zone, signal) {
      if ((await ds(zone, signal)).length > 0) await change(zone, { dnssec: false, api_rectify: false }, signal);
    },
    ds,
  };
}

/** Returns whether anything had to change. */
async function publishOnce(api: Api, zone: ZoneContent, signal: AbortSignal): Promise<boolean> {
  const response = await api.call('GET', zonePath(zone.name), signal);
  if (response.status === 404) {
    const rrsets = zone.rrsets.map(toReplace);
    const newZone = {
      name: toAbsolute(zone.name),
      kind: 'Master',
      nameservers: [],
      soa_edit: '',
      soa_edit_api: '',
      rrsets,
    };
    await api.call('POST', '/zones', signal, newZone);
    return true;
  }
  const rrsets = diffZone(readApiZone(response.body), zone.rrsets);
  if (rrsets.length === 0) return false;
  await requireZone(api.call('PATCH', zonePath(zone.name), signal, { rrsets }), zone.name);
  return true;
}

/**
 * Retries connection failures and server errors. This is safe because every attempt reads the zone first: if the
 * change did happen and only its response was lost, nothing is left to do.
 */
async function retry<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isTransient = error instanceof NameServerError && !error.code.endsWith('_refused');
      if (!isTransient || attempt === maxAttempts) throw error;
      await sleep(retryPauseMs * attempt, undefined, { signal });
    }
  }
}

async function requireZone<T extends { status: number }>(pending: Promise<T>, zone: string): Promise<T> {
  const response = await pending;
  if (response.status === 404)
    throw new NameServerError('nameserver_refused', `PowerDNS does not have the zone ${zone}`);
  return response;
}

/** Zone ids are names with a trailing dot, and =2F for the slash of a classless reverse zone. */
function zonePath(zone: string): string {
  return `/zones/${encodeURIComponent(toAbsolute(zone)).replaceAll('%2F', '=2F')}`;
}
