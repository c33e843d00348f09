// Keeps the open pages current over one event stream. An event of an account invalidates the responses it affects;
// staff, who see all accounts, only receive a signal that something changed. Invalidated responses are refetched if a
// page shows them.
import { useEffect, useState } from 'react';
import { useQueryClient, type Query } from '@tanstack/react-query';
import { HostyardError } from '#sdk/v2.ts';
import { customerApi, staffApi, useSession, type Portal } from './session.ts';

/**
 * The operations whose responses an event makes stale, by prefix of the event type. The longest matching prefix
 * applies.
 */
const staleOperations: readonly (readonly [prefix: string, operations: readonly string[]])[] = [
  ['device.power', ['devicePowerGet', 'deviceStateList', 'deviceTunGet']],
  ['device.reload', ['deviceReloadStatus', 'deviceRescueStatus', 'deviceFactsGet']],
  ['device.rescue', ['deviceReloadStatus', 'deviceRescueStatus', 'deviceFactsGet']],
  ['device.image', ['deviceImageStatus']],
  ['device.maintenance', ['deviceStateList']],
  ['device.hardware', ['deviceSensorsGet']],
  ['device.reclaimed', ['certificateList']],
  ['device.', ['deviceList', 'devicePowerGet', 'deviceReloadStatus', 'deviceRescueStatus']],
  ['service.', ['deviceList', 'deviceStateList', 'devicePlanGet', 'devicePriceGet', 'invoicePreview']],
  ['network.port', ['portGet', 'deviceHardwareGet', 'legacy portSet']],
  ['network.netblock', ['netblockList', 'netblockRequestList', 'reverseList', 'deliveryList']],
  ['network.', ['eventList', 'anomalyList', 'netblockList', 'portGet', 'legacy nullrouteSet']],
  ['dns.dnssec', ['dnssecGet']],
  ['dns.zone', ['zoneList', 'zoneWithdrawnList', 'recordList', 'recordSearch', 'zoneHistoryGet', 'dnssecGet']],
  ['dns.record', ['recordList', 'recordSearch', 'zoneHistoryGet']],
  ['dns.reverse', ['reverseList', 'netblockList']],
  ['account.', ['sessionGet', 'sessionList']],
  ['machinegroup.', ['machineGroupList']],
  ['machine.snapshot', ['machineSnapshotList']],
  ['device.backup', ['machineBackupList', 'machineBackupScheduleGet']],
  ['device.restore', ['machineBackupList']],
  ['machine.image', ['machineImageList', 'machineOptions']],
  ['machine.resize', ['machineSizeGet', 'machineList', 'deviceStatsGet', 'devicePlanGet']],
  ['machine.', ['deviceList', 'deviceStateList', 'devicePlanGet', 'machineList', 'machineOptions', 'machineGroupList']],
  ['sshkey.', ['sshKeyList']],
  ['volume.', ['volumeList']],
  ['invoice.', ['invoicePreview', 'devicePriceGet', 'invoiceGet', 'balanceGet', 'accountGet']],
  ['payment.', ['invoiceGet', 'balanceGet', 'accountGet', 'chargeList', 'paymentMethodList']],
  ['contact.', ['contactGet']],
  ['key.', ['keyGet']],
  ['support.', ['supportAccessList']],
  ['plan.', ['planGet']],
  ['maintenance.', ['maintenanceGet']],
  ['software.', ['deviceLicenceList', 'deviceLicenceOfferList']],
];
/** Logs, which any event extends. */
const logs = ['eventLogGet', 'actionList', 'auditGet', 'deliveryGet', 'webhookGet'];

export type Connection = 'connecting' | 'live' | 'lost';
const firstRetryMs = 1000;
const longestRetryMs = 30_000;

/** Staff operations that are too slow to repeat on every change; pages poll these. */
const slowOperations = new Set(['billingDryRun', 'netblockList', 'sessionGet']);

/** Follows the event stream and returns the state of the connection. */
export function useLiveUpdates(portal: Portal): Connection {
  const session = useSession(portal);
  const cache = useQueryClient();
  const [connection, setConnection] = useState<Connection>('connecting');
  useEffect(() => {
    if (session === null) return undefined;
    const closing = new AbortController();
    void follow(closing.signal);
    return () => closing.abort();

    async function follow(signal: AbortSignal): Promise<void> {
      let isReconnected = false;
      for (let retryMs = firstRetryMs; !signal.aborted; retryMs = Math.min(retryMs * 2, longestRetryMs)) {
        try {
          for await (const isStale of portal === 'customer' ? accountChanges(signal) : staffChanges(signal)) {
            setConnection('live');
            retryMs = firstRetryMs;
            // Changes were missed while disconnected, also between the reload below and now.
            if (isReconnected) void cache.invalidateQueries({ queryKey: [portal] });
            isReconnected = false;
            void cache.invalidateQueries({
              predicate: (query) => query.queryKey[0] === portal && isStale(operationOf(query)),
            });
          }
        } catch (error) {
          if (signal.aborted || isForbidden(error)) return;
          setConnection('lost');
        }
        isReconnected = true;
        await new Promise((resolve) => setTimeout(resolve, retryMs));
        // Reloads what can be, and notices a session that has expired.
        void cache.invalidateQueries({ queryKey: [portal] });
      }
    }
  }, [portal, session, cache]);
  return connection;
}

type IsStale = (operation: string) => boolean;
const operationOf = ({ queryKey }: Query): string => String(queryKey[1]);

async function* accountChanges(signal: AbortSignal): AsyncGenerator<IsStale, void> {
  const { cursor } = await customerApi().eventLogGet({ newest: true, limit: 1 }, { signal });
  // Reports that the connection works.
  yield () => false;
  for await (const { type } of customerApi().events({ after: cursor }, { signal })) {
    const operations = staleAfter(type);
    yield (operation) => operations.includes(operation);
  }
}

async function* staffChanges(signal: AbortSignal): AsyncGenerator<IsStale, void> {
  for await (const _ of staffApi().stream.changeList({}, { signal }))
    yield (operation) => !slowOperations.has(operation);
}

/** True for a key that may not read events. Its pages refetch when they are opened or focused instead. */
function isForbidden(error: unknown): boolean {
  return error instanceof HostyardError && error.status === 403;
}

function staleAfter(type: string): readonly string[] {
  const matches = staleOperations.filter(([prefix]) => type.startsWith(prefix));
  return [...logs, ...(matches.toSorted(([a], [b]) => b.length - a.length)[0]?.[1] ?? [])];
}
