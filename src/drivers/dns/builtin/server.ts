// The built-in authoritative name server: listeners on UDP and TCP over a zone source. It is also a hidden primary that any
// secondary can follow, by NOTIFY, transfer and, where a name for it is given, a catalog of all zones.
import type { TsigKey } from '#wire/dns/tsig.ts';
import { TYPE } from '#wire/dns/types.ts';
import { transferAccess } from './access.ts';
import { withCatalog } from './catalog.ts';
import { type Secondary, sendNotify } from './notify.ts';
import { responder } from './respond.ts';
import type { ZoneSource } from './source.ts';
import { type TcpLimits, listenTcp } from './tcp.ts';
import { listenUdp } from './udp.ts';

export interface NameServerSettings {
  readonly source: ZoneSource;
  readonly address: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Addresses and prefixes that may transfer zones without a key. */
  readonly transferNetworks?: readonly string[];
  readonly transferKeys?: readonly TsigKey[];
  readonly secondaries?: readonly Secondary[];
  /** The name of the catalog zone; without it there is none. */
  readonly catalog?: string;
  readonly tcpLimits?: TcpLimits;
  readonly onFault: (error: unknown) => void;
}

export interface NameServer extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
  /** Answers how many secondaries heard; a deleted zone is announced by the catalog's own name. */
  notify(zone: string, signal: AbortSignal): Promise<number>;
}

const TCP_LIMITS: TcpLimits = { idleTimeoutMs: 10_000, maxConnections: 1000, maxConnectionsPerAddress: 100 };
const PORT_ATTEMPTS = 10;

export async function startNameServer(settings: NameServerSettings): Promise<NameServer> {
  const { address, onFault, secondaries = [] } = settings;
  const source = settings.catalog === undefined ? settings.source : withCatalog(settings.source, settings.catalog);
  const access = transferAccess(settings.transferNetworks ?? [], settings.transferKeys ?? []);
  const respond = responder({ source, access, nowMs: Date.now, onFault });
  const { udp, tcp, port } = await listenBoth();

  return {
    address,
    port,
    async notify(name, signal) {
      const zone = await source.zoneOf([name]);
      const nodes = zone && (await source.nodes(zone, [name]));
      const soa = nodes?.get(name)?.find((rrset) => rrset.type === TYPE.SOA);
      if (!soa) return 0;
      const heard = await Promise.all(secondaries.map((secondary) => sendNotify(soa, secondary, address, signal)));
      return heard.filter(Boolean).length;
    },
    async [Symbol.asyncDispose]() {
      tcp.closeConnections();
      await Promise.all([
        new Promise<void>((resolve) => void udp.close(() => resolve())),
        new Promise<void>((resolve) => void tcp.close(() => resolve())),
      ]);
    },
  };

  /** Both on one port. Where the system chose it for UDP, TCP may find it taken: then another is tried. */
  async function listenBoth() {
    for (let attempt = 1; ; attempt++) {
      const udp = await listenUdp(address, settings.port, respond, onFault);
      const { port } = udp.address();
      try {
        const tcp = await listenTcp(address, port, respond, settings.tcpLimits ?? TCP_LIMITS, onFault);
        return { udp, tcp, port };
      } catch (error) {
        udp.close();
        if (settings.port !== 0 || attempt === PORT_ATTEMPTS) throw error;
      }
    }
  }
}
