// The built-in authoritative name server: UDP and TCP listeners over a zone source. It is also a hidden primary for any
// secondary, with NOTIFY, zone transfer and, if configured, a catalog zone.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TsigKey } from '#protocols/dns/tsig.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import { type CustomerKeys, transferAccess } from './access.ts';
import { withCatalog } from './catalog.ts';
import { Cookies } from './cookies.ts';
import { type Counters, createCounters } from './counters.ts';
import type { Freshness } from './freshness.ts';
import type { ImageSource } from './image/image-source.ts';
import { type Secondary, sendNotify } from './notify.ts';
import { createResponder } from './respond.ts';
import { SignedZones } from './sign-zones.ts';
import { PlainAnswers } from './plain-answers.ts';
import { createResponseLimit, type LimitMemory } from './response-limit.ts';
import { type TcpLimits, listenTcp } from './tcp.ts';
import { listenUdp } from './udp.ts';

export interface NameServerSettings {
  readonly source: ImageSource;
  /** Without it, the source always has every change. */
  readonly freshness?: Freshness;
  readonly address: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Addresses and prefixes that may transfer zones without a key. */
  readonly transferNetworks?: readonly string[];
  readonly transferKeys?: readonly TsigKey[];
  /** Keys with which customers update and transfer their zones. */
  readonly customers?: CustomerKeys;
  readonly secondaries?: readonly Secondary[];
  /** Name of the catalog zone; without it there is none. */
  readonly catalog?: string;
  readonly tcpLimits?: TcpLimits;
  /** UDP responses to one network (IPv4 /24, IPv6 /56). */
  readonly responsesPerSecond?: number;
  /** The limit's buckets, if several threads share them. */
  readonly limitMemory?: LimitMemory;
  /** The key of DNS cookies, common to all nodes; without it, cookies are valid until a restart. */
  readonly cookieKey?: Buffer;
  /** Identifies this server to whoever asks for it (RFC 5001). */
  readonly nsid?: string;
  /** Lets several threads listen on the same port. */
  readonly reusePort?: boolean;
  readonly counters?: Counters;
  readonly onError: (error: unknown) => void;
}

export interface NameServer extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
  /** Returns how many secondaries acknowledged. Deleted zones are announced by the catalog's name. */
  notify(zone: string, signal: AbortSignal): Promise<number>;
  /** Notifies the secondaries of these zones, or of all and the catalog, one after the other. */
  notifyAll(signal: AbortSignal, zones?: readonly string[]): Promise<void>;
}

const defaultTcpLimits: TcpLimits = { idleTimeoutMs: 10_000, maxConnections: 1000, maxConnectionsPerPrefix: 100 };
/** More than a network of busy resolvers sends; at full size, 10 Mbit/s towards a forged address. */
const defaultResponsesPerSecond = 1000;
const portAttempts = 10;
/** Ten thousand zones in less than four minutes. */
const notifyAllIntervalMs = 20;

export async function startNameServer(settings: NameServerSettings): Promise<NameServer> {
  const { address, catalog, freshness, reusePort = false, onError, secondaries = [] } = settings;
  const source = catalog === undefined ? settings.source : withCatalog(settings.source, catalog);
  const access = transferAccess(settings.transferNetworks ?? [], settings.transferKeys ?? [], settings.customers);
  const signedZones = new SignedZones(settings.source, () => Math.floor(Date.now() / 1000));
  settings.source.image.onChange = ({ id }, name) => signedZones.changed(id, name);
  const cookies = new Cookies(Buffer.from(settings.cookieKey ?? randomBytes(32)));
  const respond = createResponder({
    source,
    signedZones,
    access,
    customers: settings.customers,
    cookies,
    nowMs: Date.now,
    onError,
  });
  const { tcpLimits = defaultTcpLimits, counters = createCounters() } = settings;
  const plain = new PlainAnswers({
    image: settings.source.image,
    signedZones,
    limit: createResponseLimit(settings.responsesPerSecond ?? defaultResponsesPerSecond, settings.limitMemory),
    cookies,
    counters,
    catalog,
    nsid: settings.nsid,
  });
  const listenSettings = { plain, respond, freshness, reusePort, counters, onError };
  const { udp, tcp, port } = await listenBoth();

  async function notify(name: string, signal: AbortSignal): Promise<number> {
    const zone = await source.findZone([name]);
    const nodes = zone && (await source.nodesAt(zone, [name]));
    const soa = nodes?.get(name)?.find((rrset) => rrset.type === rrTypes.SOA);
    if (!soa) return 0;
    const acknowledgements = await Promise.all(
      secondaries.map((secondary) => sendNotify(soa, secondary, address, signal)),
    );
    return acknowledgements.filter(Boolean).length;
  }

  return {
    address,
    port,
    notify,
    async notifyAll(signal, zones) {
      if (secondaries.length === 0) return;
      const names = zones ?? [
        ...(catalog === undefined ? [] : [catalog]),
        ...(await source.zones()).map(({ name }) => name),
      ];
      for (const name of names) {
        if (signal.aborted) return;
        notify(name, signal).catch(onError);
        await sleep(notifyAllIntervalMs, undefined, { signal, ref: false }).catch(() => {});
      }
    },
    async [Symbol.asyncDispose]() {
      tcp.closeConnections();
      await Promise.all([
        new Promise<void>((resolve) => void udp.close(() => resolve())),
        new Promise<void>((resolve) => void tcp.close(() => resolve())),
      ]);
    },
  };

  /** Listens on the same port for both. If the port chosen for UDP is in use for TCP, tries another. */
  async function listenBoth() {
    for (let attempt = 1; ; attempt++) {
      const udp = await listenUdp(address, settings.port, listenSettings);
      const { port } = udp.address();
      try {
        const tcp = await listenTcp(address, port, { ...listenSettings, limits: tcpLimits });
        return { udp, tcp, port };
      } catch (error) {
        udp.close();
        if (settings.port !== 0 || attempt === portAttempts) throw error;
      }
    }
  }
}
