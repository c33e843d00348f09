// The name server of this process: the built-in one, which answers from the store, or an external one, to which zones
// are published. It is opened once the site is known; commands never open it.
import type { SiteNameServer } from '#contract/site/site.ts';
import type { NameServer } from '#drivers/dns/builtin/server.ts';
import type { Secondary } from '#drivers/dns/builtin/notify.ts';
import { NameServerError, type DnsDriver } from '#drivers/dns/driver.ts';
import { ApiError } from '#lib/api-error.ts';
import type { Log } from '#lib/log.ts';
import type { Store } from '#store/store.ts';
import { parseName } from '#protocols/dns/name.ts';
import type { TsigKey } from '#protocols/dns/tsig.ts';
import { dnsSource } from './zone-source.ts';

export interface ExternalNameServer {
  readonly driver: DnsDriver;
  /** For all calls of one request, including retries. */
  readonly timeoutMs: number;
}

export interface NameService {
  /** Starts answering or publishing. Returns where the built-in name server listens. */
  open(settings: SiteNameServer | undefined): Promise<{ address: string; port: number } | undefined>;
  /** The name server to which zones are published; undefined if this process answers itself. */
  readonly external: ExternalNameServer | undefined;
  /** Notifies the secondaries of the built-in name server of a changed zone, in the background. */
  notify(zone: string): void;
  /** Likewise for the catalog zone. */
  notifyCatalog(): void;
  close(): Promise<void>;
}

const defaultTimeoutSeconds = 10;
const notifyMs = 10_000;
const standardPort = 53;

export function nameService({ store, log }: { readonly store: Store; readonly log: Log }): NameService {
  let builtin: NameServer | undefined;
  let external: ExternalNameServer | undefined;
  let settings: SiteNameServer | undefined;
  const closing = new AbortController();

  function notify(zone: string): void {
    if (builtin === undefined || (settings?.secondaries ?? []).length === 0) return;
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(notifyMs)]);
    builtin.notify(zone, signal).catch((error: unknown) => log.warn({ err: error, zone }, 'cannot send NOTIFY'));
  }

  return {
    async open(siteSettings) {
      settings = siteSettings;
      if (settings?.powerdns !== undefined) {
        // Loaded only when used, to keep small installations small.
        const { openPowerDns } = await import('#drivers/dns/powerdns/driver.ts');
        const { url, apiKey, writers = 'one', timeoutSeconds = defaultTimeoutSeconds } = settings.powerdns;
        const timeoutMs = timeoutSeconds * 1000;
        // Half of it for a single call, so that a lost call can be repeated.
        external = { driver: openPowerDns({ url, apiKey, writers, timeoutMs: timeoutMs / 2 }), timeoutMs };
      } else if (settings?.listen !== undefined) {
        const { startNameServer } = await import('#drivers/dns/builtin/server.ts');
        builtin = await startNameServer({
          source: dnsSource(store.queries),
          ...parseListen(settings.listen),
          ...transferOptions(settings),
          onError: (error) => log.error({ err: error }, 'the name server failed to answer'),
        });
        return { address: builtin.address, port: builtin.port };
      }
      return undefined;
    },
    get external() {
      return external;
    },
    notify,
    notifyCatalog() {
      if (settings?.catalog !== undefined) notify(parseName(settings.catalog));
    },
    async close() {
      closing.abort();
      await builtin?.[Symbol.asyncDispose]();
      await external?.driver[Symbol.asyncDispose]();
    },
  };
}

function parseListen(listen: string): { address: string; port: number } {
  const colon = listen.lastIndexOf(':');
  return { address: listen.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(listen.slice(colon + 1)) };
}

function transferOptions({ transfer, secondaries, catalog }: SiteNameServer) {
  const transferKeys: TsigKey[] = (transfer?.keys ?? []).map(({ name, algorithm, secret }) => ({
    name: parseName(name),
    algorithm,
    secret: Buffer.from(secret, 'base64'),
  }));
  const secondaryServers: Secondary[] = (secondaries ?? []).map(({ address, port = standardPort, key }) => {
    const transferKey = key === undefined ? undefined : transferKeys.find(({ name }) => name === parseName(key));
    return { address, port, ...(transferKey && { key: transferKey }) };
  });
  return {
    transferKeys,
    transferNetworks: transfer?.networks ?? [],
    secondaries: secondaryServers,
    ...(catalog === undefined ? {} : { catalog: parseName(catalog) }),
  };
}

/** Calls an external name server within the time that a caller waits, and converts its errors to ApiErrors. */
export async function callNameServer<T>(
  { driver, timeoutMs }: ExternalNameServer,
  work: (driver: DnsDriver, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return await work(driver, signal);
  } catch (error) {
    if (error instanceof NameServerError) {
      const code = error.code === 'nameserver_unreachable' ? error.code : 'nameserver_error';
      throw new ApiError(code, { internal: error.message, cause: error });
    }
    if (signal.aborted) throw new ApiError('nameserver_unreachable', { cause: error });
    throw error;
  }
}
