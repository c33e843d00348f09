// The page follows the account as it happens: one stream of events for all of it. An event says which answers are stale; they are
// read again where a page shows them.
import { useEffect, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { HostyardError, type Event } from '#sdk/v2.ts';
import { customer, useSession } from './session.ts';

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

/** Keeps the pages of a customer current, and says whether it can. */
export function useLiveAccount(onEvent?: (event: Event) => void): Connection {
  const session = useSession();
  const cache = useQueryClient();
  const [connection, setConnection] = useState<Connection>('connecting');
  useEffect(() => {
    if (session?.face !== 'customer') return undefined;
    const ending = new AbortController();
    void follow(ending.signal);
    return () => ending.abort();

    async function follow(signal: AbortSignal): Promise<void> {
      for (let againMs = firstAgainMs; !signal.aborted; againMs = Math.min(againMs * 2, longestAgainMs)) {
        try {
          const { cursor } = await customer().eventLogGet({ newest: true, limit: 1 }, { signal });
          setConnection('live');
          againMs = firstAgainMs;
          for await (const event of customer().events({ after: cursor }, { signal })) {
            onEvent?.(event);
            for (const name of staleAfter(event.type)) void cache.invalidateQueries({ queryKey: ['customer', name] });
          }
        } catch (error) {
          if (signal.aborted || isRefused(error)) return;
          setConnection('lost');
        }
        await new Promise((resolve) => setTimeout(resolve, againMs));
        // What happened meanwhile told nobody.
        void cache.invalidateQueries({ queryKey: ['customer'] });
      }
    }
  }, [session, cache, onEvent]);
  return connection;
}

/** A key that may not read events: its pages are current when they are opened or come to the front, and nothing is lost. */
function isRefused(error: unknown): boolean {
  return error instanceof HostyardError && error.status === 403;
}

function staleAfter(type: string): readonly string[] {
  const found = stale.filter(([beginning]) => type.startsWith(beginning));
  return [...logs, ...(found.toSorted(([one], [other]) => other.length - one.length)[0]?.[1] ?? [])];
}
