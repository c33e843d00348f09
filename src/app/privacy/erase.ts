// Erases accounts whose waiting time has ended, and later what tax law required. Each step can be repeated, and the state
// of the erasure says how far it is, so that a process that dies is continued by the next one.
import { appendEvent } from '#events/append.ts';
import { dayMs } from '#lib/time.ts';
import { accountChange, accountFind } from '#store/account/accounts.ts';
import { signUpsRemoveRejected } from '#store/account/sign-ups.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { mailChoicesFind, mailsRemoveEnded } from '#store/privacy/last-mail.ts';
import { eraseAccountRow, eraseTable, purgeTable, tablesToErase, tablesToPurge } from '#store/privacy/account-rows.ts';
import * as store from '#store/privacy/erasures.ts';
import type { App } from '../app.ts';
import { removeZonesOfAccount } from '../dns/lost-names.ts';
import { queueMail } from '../mail/sending.ts';
import { findObstacles, maxCallMs } from './erasure.ts';
import { getPrivacySettings } from './settings.ts';

type EraseDeps = Pick<App, 'store' | 'clock' | 'queue' | 'secrets' | 'mailer' | 'authentication' | 'nameService'>;

/** Returns how many accounts are left, for which there was no time. */
export async function eraseDueAccounts(app: EraseDeps, signal: AbortSignal): Promise<number> {
  const { queries } = app.store;
  const now = app.clock.now();
  const erasing = (await store.erasuresIn(queries, 'Erasing')).filter(({ erase_at }) => erase_at <= now);
  for (const [index, erasure] of erasing.entries()) {
    if (signal.aborted) return erasing.length - index;
    await eraseAccount(app, erasure);
  }
  for (const erasure of await store.erasuresIn(queries, 'Waiting'))
    if (erasure.erase_at <= now) await startErasing(app, erasure);
  for (const erasure of await store.erasuresIn(queries, 'Erased')) {
    const isMailLeft = await mailsRemoveEnded(queries, erasure.account_id);
    if (!isMailLeft && erasure.kept_until !== null && erasure.kept_until <= now)
      await store.erasureMove(queries, erasure, { status: 'Purging' });
  }
  for (const erasure of await store.erasuresIn(queries, 'Purging')) {
    if (signal.aborted) return 1;
    for (const table of tablesToPurge) await purgeTable(app.store, table, erasure.account_id);
    await store.erasureMove(queries, erasure, { status: 'Purged', purged_at: app.clock.now() });
  }
  return 0;
}

/**
 * Closes the account; from here on nothing can be cancelled. A service that was ordered since the request cancels the
 * erasure instead.
 */
async function startErasing(app: EraseDeps, erasure: store.Erasure): Promise<void> {
  await app.store.transaction(async (queries) => {
    // An order holds the same lock.
    const { next_day } = await billingAccountLock(queries, erasure.account_id);
    const obstacles = await findObstacles(queries, erasure.account_id);
    if (obstacles.length === 0) {
      // What was used since the last invoice is still to be billed, to a person with a name and an address.
      if (next_day !== null) return;
      const erase_at = app.clock.now() + maxCallMs;
      if (!(await store.erasureMove(queries, erasure, { status: 'Erasing', erase_at }))) return;
      await accountChange(queries, erasure.account_id, { status: 'Closed' });
      return removeZonesOfAccount(app, queries, erasure.account_id);
    }
    const reason = obstacles.join(' ');
    if (await store.erasureMove(queries, erasure, { status: 'Cancelled', reason }))
      await appendEvent(app, queries, {
        account: erasure.account_id,
        type: 'account.erasure.cancelled',
        data: { reason },
      });
  });
  app.authentication.forget();
  app.nameService.catchUp();
}

async function eraseAccount(app: EraseDeps, erasure: store.Erasure): Promise<void> {
  const account = erasure.account_id;
  const owner = await accountFind(app.store.queries, account);
  const choices = await mailChoicesFind(app.store.queries, account);
  for (const table of tablesToErase) await eraseTable(app.store, table, account);
  app.authentication.forget();
  const kept_until = await keptUntil(app, erasure);
  const isMailed = (await app.mailer.settings()) !== undefined;
  await app.store.transaction(async (queries) => {
    // They belong to no account, but the address says whose they are.
    if (owner !== undefined) await signUpsRemoveRejected(queries, owner.email.toLowerCase());
    await eraseAccountRow(queries, account);
    const change = { status: 'Erased', erased_at: app.clock.now(), kept_until, reason: '' } as const;
    const isFirst = await store.erasureMove(queries, erasure, change);
    // The message is also deleted, once it was sent.
    if (isFirst && isMailed && owner !== undefined && owner.email !== '')
      await queueMail(app, queries, {
        account,
        contact: null,
        address: owner.email,
        language: choices?.language ?? '',
        kind: 'erased',
        values: { account: String(account) },
      });
  });
}

/** Tax law counts from the end of the calendar year. */
async function keptUntil({ store: { queries } }: EraseDeps, erasure: store.Erasure): Promise<number> {
  const { day, at } = await store.lastTaxRecords(queries, erasure.account_id);
  const { keptYears } = await getPrivacySettings(queries);
  const last = Math.max(day === null ? 0 : day * dayMs, at ?? 0);
  return last === 0 ? 0 : Date.UTC(new Date(last).getUTCFullYear() + 1 + keptYears, 0, 1);
}
