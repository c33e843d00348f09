import type { Bmcs } from '#equipment/bmcs.ts';
import { type AppendParts } from '#jobs/event-append.ts';
import type { Store } from '#store/store.ts';
import type { Reconciler } from './reconciler.ts';
export interface PowerSyncParts extends AppendParts {
  readonly store: Store;
  readonly bmcs: Bmcs;
}
export declare function powerSync(parts: PowerSyncParts): Reconciler;
