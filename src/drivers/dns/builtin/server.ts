// The built-in authoritative name server: UDP and TCP listeners over a zone source. It is also a hidden primary for any
// secondary, with NOTIFY, zone transfer and, if configured, a catalog zone.
import type { TsigKey } from '#protocols/dns/tsig.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import { transferAccess } from './access.ts';
import { withCatalog } from './catalog.ts';
import { type Counters, createCounters } from './counters.ts';
import { type Secondary, sendNotify } from './notify.ts';
import { createResponder } from './respond.ts';
import { createResponseLimit } from './response-limit.ts';
import type { ZoneSource } from './source.ts';
import { type TcpLimits, listenTcp } from './tcp.ts';
import { listenUdp } from './udp.ts';

export interface NameServerSettings {
  readonly source: ZoneSource;
  readonly address: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Addresses and prefixes that may transfer zones without a key. */
  readonly transferNetworks?: readonly string[];
  readonly transferKeys?: readonly TsigKey[];
  readonly secondaries?: readonly Secondary[];
  /** Name of the catalog zone; without it there is none. */
  readonly catalog?: string;
  readonly tcpLimits?: TcpLimits;
  /** UDP responses to one network (IPv4 /24, IPv6 /56). */
  readonly responsesPerSecond?: number;
  readonly counters?: Counters;
  readonly onError: (error: unknown) => void;
}

export interface NameServer extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
  /** Returns how many secondaries acknowledged. Deleted zones are announced by the catalog's name. */
  notify(zone: string, signal: AbortSignal): Promise<number>;
}

const defaultTcpLimits: TcpLimits = { idleTimeoutMs: 10_000, maxConnections: 1000, maxConnectionsPerPrefix: 100 };
/** More than a network of busy resolvers sends; at full size, 10 Mbit/s towards a forged address. */
const defaultResponsesPerSecond = 1000;
const portAttempts = 10;

export async function startNameServer(settings: NameServerSettings): Promise<NameServer> {
  const { address, onError, secondaries = [] } = settings;
  const source = settings.catalog === undefined ? settings.source : withCatalog(settings.source, settings.catalog);
  const access = transferAccess(settings.transferNetworks ?? [], settings.transferKeys ?? []);
  const respond = createResponder({ source, access, nowMs: Date.now, onError });
  const { tcpLimits = defaultTcpLimits, counters = createCounters() } = settings;
  const limit = createResponseLimit(settings.responsesPerSecond ?? defaultResponsesPerSecond);
  const { udp, tcp, port } = await listenBoth();

  return {
    address,
    port,
    async notify(name, signal) {
      const zone = await source.findZone([name]);
      const nodes = zone && (await source.nodesAt(zone, [name]));
      const soa = nodes?.get(name)?.find((rrset) => rrset.type === rrTypes.SOA);
      if (!soa) return 0;
      const acknowledgements = await Promise.all(
        secondaries.map((secondary) => sendNotify(soa, secondary, address, signal)),
      );
      return acknowledgements.filter(Boolean).length;
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
      const udp = await listenUdp(address, settings.port, { respond, limit, counters, onError });
      const { port } = udp.address();
      try {
        const tcp = await listenTcp(address, port, { respond, limits: tcpLimits, counters, onError });
        return { udp, tcp, port };
      } catch (error) {
        udp.close();
        if (settings.port !== 0 || attempt === portAttempts) throw error;
      }
    }
  }
}
