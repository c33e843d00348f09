// The page follows what happens, over one stream. An event of an account says which answers are stale; staff, who see all, are told
// that something has changed. What is stale is read again where a page shows it.
import { useEffect, useState } from 'react';
import { useQueryClient, type Query } from '@tanstack/react-query';
import { HostyardError } from '#sdk/v2.ts';
import { customer, staff, useSession, type Face } from './session.ts';

/** What an event of this kind (or any below it) makes stale. The longest beginning counts. */
const stale: readonly (readonly [beginning: string, names: readonly string[]])[] = [
  ['device.power', ['devicePowerGet', 'deviceStateList']],
  ['device.reload', ['deviceReloadStatus', 'deviceRescueStatus']],
  ['device.rescue', ['deviceReloadStatus', 'deviceRescueStatus']],
  ['device.image', ['deviceImageStatus']],
  ['device.maintenance', ['deviceStateList']],
  ['device.', ['deviceList', 'devicePowerGet', 'deviceReloadStatus', 'deviceRescueStatus']],
  ['service.', ['deviceList', 'deviceStateList']],
  ['network.port', ['portGet', 'deviceHardwareGet', 'legacy portSet']],
  ['network.netblock', ['netblockList', 'reverseList']],
  ['network.', ['eventList', 'anomalyList', 'netblockList', 'portGet', 'legacy nullrouteSet']],
  ['dns.zone', ['zoneList', 'recordList', 'zoneHistoryGet', 'dnssecGet']],
  ['dns.record', ['recordList', 'zoneHistoryGet']],
  ['dns.reverse', ['reverseList', 'netblockList']],
  ['invoice.', ['invoiceGet', 'balanceGet', 'accountGet']],
  ['payment.', ['invoiceGet', 'balanceGet', 'accountGet']],
  ['contact.', ['contactGet']],
  ['key.', ['keyGet']],
  ['plan.', ['planGet']],
  ['software.', ['deviceLicenceList', 'deviceLicenceOfferList']],
];
/** These grow with whatever happens. */
const logs = ['eventLogGet', 'actionList', 'auditGet', 'deliveryGet', 'webhookGet'];

export type Connection = 'connecting' | 'live' | 'lost';
const firstAgainMs = 1000;
const longestAgainMs = 30_000;

/** Of staff, what takes long to answer: it is looked at again by its own clock. */
const slow = new Set(['billingDryRun', 'netblockList', 'sessionGet']);

/** Keeps the pages current, and says whether it can. */
export function useLive(): Connection {
  const session = useSession();
  const cache = useQueryClient();
  const [connection, setConnection] = useState<Connection>('connecting');
  useEffect(() => {
    if (session === undefined) return undefined;
    const { face } = session;
    const ending = new AbortController();
    void follow(ending.signal);
    return () => ending.abort();

    async function follow(signal: AbortSignal): Promise<void> {
      for (let againMs = firstAgainMs; !signal.aborted; againMs = Math.min(againMs * 2, longestAgainMs)) {
        try {
          for await (const isStale of face === 'customer' ? accountTold(signal) : staffTold(signal)) {
            setConnection('live');
            againMs = firstAgainMs;
            void cache.invalidateQueries({
              predicate: (query) => query.queryKey[0] === face && isStale(nameOf(query)),
            });
          }
        } catch (error) {
          if (signal.aborted || isRefused(error)) return;
          setConnection('lost');
        }
        await new Promise((resolve) => setTimeout(resolve, againMs));
        // What happened meanwhile told nobody.
        void cache.invalidateQueries({ queryKey: [face satisfies Face] });
      }
    }
  }, [session, cache]);
  return connection;
}

/** Whether the answer of this operation is stale. */
type IsStale = (operation: string) => boolean;
const nameOf = ({ queryKey }: Query): string => String(queryKey[1]);

async function* accountTold(signal: AbortSignal): AsyncGenerator<IsStale, void> {
  const { cursor } = await customer().eventLogGet({ newest: true, limit: 1 }, { signal });
  // It answers: nothing is stale by that.
  yield () => false;
  for await (const { type } of customer().events({ after: cursor }, { signal })) {
    const names = staleAfter(type);
    yield (operation) => names.includes(operation);
  }
}

async function* staffTold(signal: AbortSignal): AsyncGenerator<IsStale, void> {
  for await (const _ of staff().stream.changeList({}, { signal })) yield (operation) => !slow.has(operation);
}

/** A key that may not read events: its pages are current when they are opened or come to the front, and nothing is lost. */
function isRefused(error: unknown): boolean {
  return error instanceof HostyardError && error.status === 403;
}

function staleAfter(type: string): readonly string[] {
  const found = stale.filter(([beginning]) => type.startsWith(beginning));
  return [...logs, ...(found.toSorted(([one], [other]) => other.length - one.length)[0]?.[1] ?? [])];
}
