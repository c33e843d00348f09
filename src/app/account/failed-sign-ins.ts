// Records failed sign-ins in the audit log of the person concerned. Repeats from one network are merged: the first is recorded,
// then the second, fourth, eighth and so on, each with the number so far, and a person gets only so many entries an hour. So
// nothing has to be written later, and no attacker can flood a log.
import type { Selectable } from 'kysely';
import { budgetNetwork } from '#lib/addresses.ts';
import { BoundedMap } from '#lib/bounded-map.ts';
import { auditAppend } from '#store/account/audit.ts';
import type { AuditTable } from '#store/account/tables.ts';
import type { Visitor } from '../app.ts';

/** Attempts count together until there has been none for this long. */
const quietMs = 3_600_000;
const entriesPerHour = 20;
const maxSubjects = 100_000;

/** Both in memory: after a restart, the next attempt is recorded as the first again. */
const counts = new BoundedMap<string, { readonly count: number; readonly at: number }>(maxSubjects);
const entries = new BoundedMap<string, { readonly left: number; readonly at: number }>(maxSubjects);

function countAttempt(subject: string, now: number): number {
  const last = counts.get(subject);
  const count = last === undefined || Math.abs(now - last.at) > quietMs ? 1 : last.count + 1;
  counts.set(subject, { count, at: now });
  return count;
}

/** Takes one of the person's entries, which come back over the hour. */
function takeEntry(person: string, now: number): boolean {
  const { left, at } = entries.get(person) ?? { left: entriesPerHour, at: now };
  const available = Math.min(entriesPerHour, left + (Math.max(0, now - at) * entriesPerHour) / quietMs);
  entries.set(person, { left: available < 1 ? available : available - 1, at: now });
  return available >= 1;
}

type Subject = Pick<Selectable<AuditTable>, 'account_id' | 'contact_id' | 'operation'> & { readonly operator?: string };

/** Does not wait until it is recorded: the response to a wrong password must not take longer than that to an unknown name. */
export function recordFailedSignIn({ app, address, requestId }: Visitor, subject: Subject): void {
  const now = app.clock.now();
  const person = [app.instanceId, subject.account_id, subject.contact_id, subject.operator].join(' ');
  const attempts = countAttempt(`${person} ${budgetNetwork(address)}`, now);
  const isPowerOfTwo = (attempts & (attempts - 1)) === 0;
  if (!isPowerOfTwo || !takeEntry(person, now)) return;
  app.store
    .transaction((queries) =>
      auditAppend(queries, {
        ...subject,
        key_id: null,
        at: now,
        address,
        target: attempts === 1 ? '' : `attempts=${attempts}`,
        outcome: 'unauthenticated',
        request_id: requestId,
      }),
    )
    .catch((error: unknown) => app.log.warn({ err: error }, 'cannot record a failed sign-in'));
}
