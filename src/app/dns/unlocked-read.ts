// Reads a whole zone without locking it. A large zone is read in several steps, between which it may change, and an account
// reads one large zone at a time: the budgets of its keys would allow more than other customers would not notice.
import { ApiError } from '#lib/api-error.ts';
import type { AccountId } from '#store/account-id.ts';
import type { Store } from '#store/store.ts';
import type { Zone } from '#store/dns/zones.ts';
import type { Context } from '../app.ts';
import { findZone } from './change.ts';

type Reading = Pick<Context, 'app' | 'caller' | 'queries'>;

const maxReads = 10;
const largeZone = 1000;
const maxWaiting = 5;

interface LargeReads {
  count: number;
  last: Promise<unknown>;
}
const largeReads = new WeakMap<Store, Map<AccountId, LargeReads>>();

/** Reads again if the zone changed while it was read. Returns undefined if there is none. */
export async function readUnlocked<Content>(
  context: Reading,
  domain: number,
  read: (zone: Zone) => Promise<Content>,
): Promise<{ readonly zone: Zone; readonly content: Content } | undefined> {
  for (let reads = 0; reads < maxReads; reads++) {
    const zone = await findZone(context, domain);
    if (zone === undefined) return undefined;
    const content = await (zone.record_count > largeZone ? readInTurn(context, () => read(zone)) : read(zone));
    const current = await findZone(context, domain);
    if (current?.revision === zone.revision) return { zone, content };
  }
  throw new ApiError('overloaded', { internal: 'the zone kept changing while it was being read' });
}

async function readInTurn<Content>({ app, caller }: Reading, read: () => Promise<Content>): Promise<Content> {
  const byAccount = largeReads.get(app.store) ?? new Map<AccountId, LargeReads>();
  largeReads.set(app.store, byAccount);
  const reads = byAccount.get(caller.account) ?? { count: 0, last: Promise.resolve() };
  if (reads.count > maxWaiting)
    throw new ApiError('rate_limited', {
      message: `An account can have at most ${maxWaiting} calls waiting for a large zone.`,
      retryAfterSeconds: 1,
    });
  byAccount.set(caller.account, reads);
  reads.count++;
  const content = reads.last.then(read);
  reads.last = content
    .catch(() => {})
    .finally(() => {
      reads.count--;
      if (reads.count === 0) byAccount.delete(caller.account);
    });
  return content;
}
