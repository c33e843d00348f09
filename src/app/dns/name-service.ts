// The name server of this process: the built-in one, which answers from memory in separate threads, or an external
// one, to which zones are published. Next to an external one, the built-in one takes updates of customers. They are opened
// once the site is known; commands never open them.
import { isIPv6 } from 'node:net';
import type { SiteNameServer } from '#contract/site/name-server.ts';
import type { Secondary } from '#drivers/dns/builtin/notify.ts';
import { queryMessage, queryUdp, type ServerAddress } from '#drivers/dns/client.ts';
import { NameServerError, type DnsDriver } from '#drivers/dns/driver.ts';
import { ApiError } from '#lib/api-error.ts';
import { splitListen } from '#lib/config.ts';
import { pickDefined } from '#lib/defined.ts';
import type { Log } from '#lib/log.ts';
import type { SecretBox } from '#lib/secrets.ts';
import type { StoreLocation } from '#store/location.ts';
import { parseName } from '#protocols/dns/name.ts';
import type { TsigKey } from '#protocols/dns/tsig.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import type { KeyQuestion } from './customer-keys.ts';
import { startNameServerThreads, type NameServerStatus, type NameServerThreads } from './name-server-threads.ts';

export interface ExternalNameServer {
  readonly driver: DnsDriver;
  /** For all calls of one request, including retries. */
  readonly timeoutMs: number;
}

export interface NameService {
  /** Starts answering or publishing. Returns where the built-in name server listens. */
  open(settings: SiteNameServer | undefined): Promise<ServerAddress | undefined>;
  /** Returns undefined if the built-in name server is not used. */
  status(): NameServerStatus | undefined;
  /** The name server to which zones are published; undefined if the built-in one is authoritative. */
  readonly external: ExternalNameServer | undefined;
  /** Returns whether each secondary of the built-in name server answers a query, by address. */
  checkSecondaries(signal: AbortSignal): Promise<ReadonlyMap<string, boolean>>;
  /** Has the built-in name server answer from changed zones at once. It notifies its secondaries by itself. */
  catchUp(): void;
  /** Notifies the secondaries of a zone that has not changed. */
  notify(zone: string): void;
  close(): Promise<void>;
}

const defaultTimeoutSeconds = 10;
const standardPort = 53;
const queryTimeoutMs = 800;

interface NameServiceParts {
  readonly location: StoreLocation;
  readonly secrets: SecretBox;
  readonly log: Log;
  /** Decides what the holder of a customer's key may do. */
  readonly answerKeyQuestion: (question: KeyQuestion) => Promise<unknown>;
}

export function nameService({ location, secrets, log, answerKeyQuestion }: NameServiceParts): NameService {
  let builtin: NameServerThreads | undefined;
  let external: ExternalNameServer | undefined;
  let settings: SiteNameServer | undefined;

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
      }
      if (settings?.listen !== undefined) {
        const { listen, threads, responsesPerSecond, nsid } = settings;
        const { host: address, port } = splitListen(listen);
        const threadSettings = {
          address,
          port,
          ...transferOptions(settings),
          ...pickDefined({ responsesPerSecond, nsid }),
          cookieKey: Buffer.from(secrets.digest('DNS cookies'), 'hex'),
        };
        builtin = await startNameServerThreads({
          count: threads,
          data: { location, sealingKey: secrets.key, settings: threadSettings },
          onQuestion: (question) => answerKeyQuestion(question as KeyQuestion),
          log,
        });
        return builtin.address;
      }
      return undefined;
    },
    status: () => builtin?.status(),
    get external() {
      return external;
    },
    async checkSecondaries(signal) {
      const secondaries = builtin === undefined ? [] : (settings?.secondaries ?? []);
      return new Map(
        await Promise.all(
          secondaries.map(
            async ({ address, port = standardPort }) =>
              [addressText(address, port), await answersQuery({ address, port }, signal)] as const,
          ),
        ),
      );
    },
    catchUp: () => builtin?.catchUp(),
    notify: (zone) => builtin?.notify(zone),
    async close() {
      await builtin?.[Symbol.asyncDispose]();
      await external?.driver[Symbol.asyncDispose]();
    },
  };
}

function addressText(address: string, port: number): string {
  return port === standardPort ? address : isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
}

/** Any answer counts, also a refusal. Repeats the query once, because UDP may lose it. */
async function answersQuery(server: ServerAddress, signal: AbortSignal): Promise<boolean> {
  for (let attempt = 0; attempt < 2; attempt++) {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(queryTimeoutMs)]);
    const isAnswered = await queryUdp(server, queryMessage('', rrTypes.SOA), limit).then(
      () => true,
      () => false,
    );
    if (isAnswered) return true;
  }
  return false;
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
      if (error.code === 'record_refused')
        throw new ApiError(error.code, { message: `The name server rejects this: ${error.message}`, cause: error });
      const code = error.code === 'nameserver_unreachable' ? error.code : 'nameserver_error';
      throw new ApiError(code, { internal: error.message, cause: error });
    }
    if (signal.aborted) throw new ApiError('nameserver_unreachable', { cause: error });
    throw error;
  }
}
