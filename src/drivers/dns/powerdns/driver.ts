// PowerDNS as a name server of ours. Each zone has one writer at a time, because PowerDNS loses or doubles records when two
// PATCHes meet; on its SQLite backend that holds for the whole server. The serial is ours: PowerDNS never edits it.
import { setTimeout as sleep } from 'node:timers/promises';
import { dotted } from '#wire/dns/name.ts';
import type { Rrset } from '#wire/dns/rrset.ts';
import { type DnsDriver, NameServerError, type WantedZone } from '../driver.ts';
import { type Api, type PowerDnsSettings, openApi } from './api.ts';
import { type Queue, queueByKey } from './queue.ts';
import { differences, fromApi, readApiKeys, readApiZone, readApiZoneList, toReplace } from './zone.ts';

export interface Settings extends PowerDnsSettings {
  /** `one` on the SQLite backend, `one-per-zone` on a database that takes writers side by side. */
  readonly writers: 'one' | 'one-per-zone';
}

const ATTEMPTS = 3;
const PAUSE_MS = 100;
/** Within this time a PowerDNS that was stalled has worked off what still lay in its sockets. */
const SETTLE_MS = 200;

export function openPowerDns(settings: Settings): DnsDriver {
  const api = openApi(settings);
  const queue = queueByKey();
  const doubtful = new Set<string>();
  const turn = <T>(zone: string, work: () => Promise<T>): Promise<T> =>
    queue(settings.writers === 'one' ? '' : zone, work);

  return {
    publish: (zone, signal) => turn(zone.name, () => again(() => publishSettled(zone, signal), signal)),
    remove: (zone, signal) =>
      turn(zone, () => again(() => api.call('DELETE', pathOf(zone), signal).then(() => {}), signal)),
    async read(zone, signal) {
      const { status, body } = await api.call('GET', pathOf(zone), signal);
      return status === 404
        ? undefined
        : readApiZone(body)
            .map(fromApi)
            .filter((set): set is Rrset => set !== undefined);
    },
    async list(signal) {
      const { body } = await api.call('GET', '/zones?dnssec=false', signal);
      return readApiZoneList(body);
    },
    async notify(zone, signal) {
      await found(api.call('PUT', `${pathOf(zone)}/notify`, signal), zone);
    },
    dnssec: signing(api, turn),
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };

  /**
   * A write whose answer never came may still be carried out later, on top of a newer one. So after such a one the zone is
   * looked at again until it stays as it should be.
   */
  async function publishSettled(zone: WantedZone, signal: AbortSignal): Promise<void> {
    try {
      await publishOnce(api, zone, signal);
      if (!doubtful.has(zone.name)) return;
      do await sleep(SETTLE_MS, undefined, { signal });
      while (await publishOnce(api, zone, signal));
      doubtful.delete(zone.name);
    } catch (error) {
      if (error instanceof NameServerError && error.code === 'nameserver_unreachable') doubtful.add(zone.name);
      throw error;
    }
  }
}

function signing(api: Api, turn: Queue): NonNullable<DnsDriver['dnssec']> {
  const change = (zone: string, wanted: { dnssec: boolean; api_rectify: boolean }, signal: AbortSignal) =>
    turn(zone, () => found(api.call('PUT', pathOf(zone), signal, wanted), zone));
  const ds = async (zone: string, signal: AbortSignal) => {
    const { body } = await found(api.call('GET', `${pathOf(zone)}/cryptokeys`, signal), zone);
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

/** Answers whether there was anything to change. */
async function publishOnce(api: Api, zone: WantedZone, signal: AbortSignal): Promise<boolean> {
  const there = await api.call('GET', pathOf(zone.name), signal);
  if (there.status === 404) {
    const rrsets = zone.rrsets.map(toReplace);
    const fresh = { name: dotted(zone.name), kind: 'Master', nameservers: [], soa_edit: '', soa_edit_api: '', rrsets };
    await api.call('POST', '/zones', signal, fresh);
    return true;
  }
  const rrsets = differences(readApiZone(there.body), zone.rrsets);
  if (rrsets.length === 0) return false;
  await found(api.call('PATCH', pathOf(zone.name), signal, { rrsets }), zone.name);
  return true;
}

/**
 * Repeats what broke off or failed inside PowerDNS. That is safe, as every attempt reads what is there first: a change that
 * did happen although its answer was lost leaves nothing to do.
 */
async function again<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const mayPass = error instanceof NameServerError && error.code !== 'nameserver_refused';
      if (!mayPass || attempt === ATTEMPTS) throw error;
      await sleep(PAUSE_MS * attempt, undefined, { signal });
    }
  }
}

async function found<T extends { status: number }>(answer: Promise<T>, zone: string): Promise<T> {
  const got = await answer;
  if (got.status === 404) throw new NameServerError('nameserver_refused', `PowerDNS does not have the zone ${zone}`);
  return got;
}

/** A zone's id is its name with a dot, and =2F where a classless reverse zone has a slash. */
function pathOf(zone: string): string {
  return `/zones/${encodeURIComponent(dotted(zone)).replaceAll('%2F', '=2F')}`;
}
