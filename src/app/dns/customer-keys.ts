// The keys of customers as the name server's thread sees them. It verifies signatures itself, so that forged messages
// never reach the main thread, which decides what a key may do.
import type { CustomerKeys, SignedUpdate } from '#drivers/dns/builtin/access.ts';
import { BoundedMap } from '#lib/bounded-map.ts';
import type { SecretBox } from '#lib/secrets.ts';
import { askMain } from '#lib/thread.ts';
import { sourceTsigKey } from '#store/dns/signed-requests.ts';
import type { Reader } from '#store/engine/reader.ts';
import type { TsigAlgorithm, TsigKey } from '#protocols/dns/tsig.ts';
import { rcodes } from '#protocols/dns/types.ts';
import { readTsigName, tsigSealContext } from './tsig-names.ts';

/** A question of the thread to the main thread. `key` is the printable id. */
export type KeyQuestion =
  | { readonly about: 'transfer'; readonly key: string; readonly address: string; readonly zone: string }
  | {
      readonly about: 'update';
      readonly key: string;
      readonly address: string;
      readonly bytes: Uint8Array;
      readonly mac: string;
    };

/** A deleted key is refused within a second. */
const cacheMs = 500;
const maxCachedKeys = 10_000;
/** Stored answers for messages that may come again, because a datagram was lost or because an attacker recorded it. */
const maxRecentUpdates = 10_000;

export function customerKeys(reader: Reader, secrets: SecretBox): CustomerKeys {
  const cache = new BoundedMap<string, { readonly key: Promise<TsigKey | undefined>; readonly until: number }>(
    maxCachedKeys,
  );
  const recentUpdates = new BoundedMap<string, Promise<number>>(maxRecentUpdates);
  const idOf = (name: string): string => readTsigName(secrets, name)!;

  async function load(name: string, printableId: string): Promise<TsigKey | undefined> {
    const row = await sourceTsigKey(reader, printableId);
    if (row === undefined || (row.expires_at !== null && row.expires_at <= Date.now())) return undefined;
    const secret = Buffer.from(secrets.open(row.tsig_secret, tsigSealContext(printableId)), 'base64');
    return { name, algorithm: row.tsig_algorithm as TsigAlgorithm, secret };
  }

  async function update(name: string, { bytes, mac, address }: SignedUpdate): Promise<number> {
    const question: KeyQuestion = { about: 'update', key: idOf(name), address, bytes, mac: mac.toString('hex') };
    return askMain<number>(question);
  }

  return {
    find(name) {
      const printableId = readTsigName(secrets, name);
      if (printableId === undefined) return Promise.resolve(undefined);
      const now = performance.now();
      const cached = cache.get(name);
      if (cached !== undefined && cached.until > now) return cached.key;
      const key = load(name, printableId);
      cache.set(name, { key, until: now + cacheMs });
      return key;
    },
    mayTransfer: (name, zone, address) =>
      askMain<boolean>({ about: 'transfer', key: idOf(name), address, zone } satisfies KeyQuestion),
    async update(name, request) {
      const id = `${name} ${request.mac.toString('base64')}`;
      const recent = recentUpdates.get(id);
      if (recent !== undefined) return recent;
      const answer = update(name, request);
      recentUpdates.set(id, answer);
      // Failures are temporary, so that the client's next attempt must not get the same answer.
      const forget = (): void => void (recentUpdates.get(id) === answer && recentUpdates.delete(id));
      answer.then((rcode) => rcode === rcodes.SERVFAIL && forget(), forget);
      return answer;
    },
  };
}
