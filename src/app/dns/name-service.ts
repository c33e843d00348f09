// The name server of this process: the built-in one, which answers out of the store, or one elsewhere, to which zones are
// published. It is opened once the site is known; commands never open it.
import type { SiteNameServer } from '#contract/site.ts';
import type { NameServer } from '#drivers/dns/builtin/server.ts';
import type { Secondary } from '#drivers/dns/builtin/notify.ts';
import { NameServerError, type DnsDriver } from '#drivers/dns/driver.ts';
import { Fault } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import type { Store } from '#store/store.ts';
import { parseName } from '#wire/dns/name.ts';
import type { TsigKey } from '#wire/dns/tsig.ts';
import { dnsSource } from './source.ts';

export interface Elsewhere {
  readonly driver: DnsDriver;
  /** For all that a request asks of it, repetitions included. */
  readonly timeoutMs: number;
}

export interface NameService {
  /** Begins to answer or to publish. Answers where the built-in one listens. */
  open(settings: SiteNameServer | undefined): Promise<{ address: string; port: number } | undefined>;
  /** The name server to which zones are published; undefined where this process answers itself. */
  readonly elsewhere: Elsewhere | undefined;
  /** Tells the secondaries of the built-in one that a zone changed, in the background. */
  notify(zone: string): void;
  /** The same for the list of zones. */
  notifyCatalog(): void;
  close(): Promise<void>;
}

const defaultTimeoutSeconds = 10;
const notifyMs = 10_000;
const standardPort = 53;

export function nameService({ store, log }: { readonly store: Store; readonly log: Log }): NameService {
  let builtin: NameServer | undefined;
  let elsewhere: Elsewhere | undefined;
  let settings: SiteNameServer | undefined;
  const closing = new AbortController();

  function notify(zone: string): void {
    if (builtin === undefined || (settings?.secondaries ?? []).length === 0) return;
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(notifyMs)]);
    builtin.notify(zone, signal).catch((error: unknown) => log.warn({ err: error, zone }, 'no NOTIFY could be sent'));
  }

  return {
    async open(wanted) {
      settings = wanted;
      if (settings?.powerdns !== undefined) {
        // Loaded only where it is used: a small installation should stay small.
        const { openPowerDns } = await import('#drivers/dns/powerdns/driver.ts');
        const { url, apiKey, writers = 'one', timeoutSeconds = defaultTimeoutSeconds } = settings.powerdns;
        const timeoutMs = timeoutSeconds * 1000;
        // Half of it for a single call, so that one that got lost can be repeated.
        elsewhere = { driver: openPowerDns({ url, apiKey, writers, timeoutMs: timeoutMs / 2 }), timeoutMs };
      } else if (settings?.listen !== undefined) {
        const { startNameServer } = await import('#drivers/dns/builtin/server.ts');
        builtin = await startNameServer({
          source: dnsSource(store.queries),
          ...listenOf(settings.listen),
          ...transfersOf(settings),
          onFault: (error) => log.error({ err: error }, 'the name server failed to answer'),
        });
        return { address: builtin.address, port: builtin.port };
      }
      return undefined;
    },
    get elsewhere() {
      return elsewhere;
    },
    notify,
    notifyCatalog() {
      if (settings?.catalog !== undefined) notify(parseName(settings.catalog));
    },
    async close() {
      closing.abort();
      await builtin?.[Symbol.asyncDispose]();
      await elsewhere?.driver[Symbol.asyncDispose]();
    },
  };
}

function listenOf(listen: string): { address: string; port: number } {
  const colon = listen.lastIndexOf(':');
  return { address: listen.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(listen.slice(colon + 1)) };
}

function transfersOf({ transfer, secondaries, catalog }: SiteNameServer) {
  const transferKeys: TsigKey[] = (transfer?.keys ?? []).map(({ name, algorithm, secret }) => ({
    name: parseName(name),
    algorithm,
    secret: Buffer.from(secret, 'base64'),
  }));
  const told: Secondary[] = (secondaries ?? []).map(({ address, port = standardPort, key }) => {
    const found = key === undefined ? undefined : transferKeys.find(({ name }) => name === parseName(key));
    return { address, port, ...(found && { key: found }) };
  });
  return {
    transferKeys,
    transferNetworks: transfer?.networks ?? [],
    secondaries: told,
    ...(catalog === undefined ? {} : { catalog: parseName(catalog) }),
  };
}

/** Asks something of a name server elsewhere, within the time that a caller waits; its failures in the words of the API. */
export async function atNameServer<T>(
  { driver, timeoutMs }: Elsewhere,
  work: (driver: DnsDriver, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return await work(driver, signal);
  } catch (error) {
    if (error instanceof NameServerError) {
      const code = error.code === 'nameserver_unreachable' ? error.code : 'nameserver_error';
      throw new Fault(code, { internal: error.message, cause: error });
    }
    if (signal.aborted) throw new Fault('nameserver_unreachable', { cause: error });
    throw error;
  }
}
