// Looks up the targets of ALIAS records when they are due.
import { aliasReconciler, type Alias } from '#store/dns/aliases.ts';
import { pollingReconciler } from './poll.ts';
import { failureLog, type Reconciler, type ReconcilerParts } from './reconciler.ts';

/** Implemented in app. */
export interface AliasWork {
  listDue(limit: number): Promise<readonly Alias[]>;
  /** Throws if no resolver responds, after which the target is due again a while later. */
  refresh(alias: Alias, signal: AbortSignal): Promise<void>;
}

export function aliasPoll({ log }: Pick<ReconcilerParts, 'log'>, { listDue, refresh }: AliasWork): Reconciler {
  const failures = failureLog(log, 'could not look up the target of an ALIAS record');
  return pollingReconciler(
    aliasReconciler,
    async (limit) => (await listDue(limit)).map((alias) => ({ name: String(alias.record_id), alias })),
    async ({ alias }, signal) => void (await failures.attempt('resolvers', () => refresh(alias, signal))),
    // New records signal it.
    'one instance',
  );
}
