// Raises the serial of every signed zone every few days, so that secondaries fetch new signatures long before those that
// they have expire. The built-in name server itself renews signatures when it sends them.
import { dayMs } from '#lib/time.ts';
import { signedZonesDue } from '#store/dns/zone-keys.ts';
import type { Zone } from '#store/dns/zones.ts';
import type { Reconciler, ReconcilerParts } from './reconciler.ts';

export interface SignatureRefreshParts extends ReconcilerParts {
  readonly refreshZone: (zone: Pick<Zone, 'id' | 'account_id'>) => Promise<void>;
}

/** Signatures of which less than seven days are left are renewed at a transfer, so that secondaries always have four. */
const refreshMs = 3 * dayMs;
const zonesPerRun = 500;

export function signatureRefresh({ store, clock, refreshZone }: SignatureRefreshParts): Reconciler {
  return {
    name: 'signature-refresh',
    everySeconds: 600,
    deadlineSeconds: 300,
    async run(signal) {
      const due = await signedZonesDue(store.queries, clock.now() - refreshMs, zonesPerRun);
      let backlog = due.length;
      for (const zone of due) {
        if (signal.aborted) break;
        await refreshZone(zone);
        backlog--;
      }
      return { backlog };
    },
  };
}
