// Validates VAT numbers: after a change, when staff ask for it, and again at intervals. If the register does not answer,
// the number keeps its state and is checked again; it never becomes valid that way.
import { RegisterError, type VatRegister } from '#drivers/vat/driver.ts';
import { createViesRegister } from '#drivers/vat/vies.ts';
import { appendEvent, type AppendParts } from '#events/append.ts';
import { growingDelay, jittered } from '#lib/delays.ts';
import { dayMs } from '#lib/time.ts';
import * as store from '#store/billing/account-taxes.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import type { Queries } from '#store/store.ts';
import type { App } from '../../app.ts';
import { getSeller } from '../invoice-parties.ts';
import { getTaxSettings, type TaxSettings } from './settings.ts';
import { isInVies, normalizeVatNumber } from './vat-numbers.ts';

const delays = { shortestMs: 60_000, longestMs: 6 * 3_600_000 };
/** Longer than the register may take to answer. */
const claimMs = 60_000;

type VatDeps = Pick<App, 'store'> & AppendParts;

export function createVatWork(app: VatDeps) {
  return {
    async listDue(limit: number): Promise<readonly store.AccountTax[]> {
      const settings = await getTaxSettings(app.store.queries);
      if (settings?.registerUrl === undefined) return [];
      return store.accountTaxesDue(app.store.queries, app.clock.now(), limit);
    },
    /** Throws if the register does not answer, after which the number is due again a while later. */
    async validate(due: store.AccountTax, signal: AbortSignal): Promise<void> {
      const { queries } = app.store;
      const settings = await getTaxSettings(queries);
      if (settings?.registerUrl === undefined) return;
      await store.accountTaxChecked(queries, due, { next_check_at: app.clock.now() + claimMs });
      const register = createViesRegister(settings.registerUrl);
      try {
        await recordAnswer(app, settings, due, register, signal);
      } catch (error) {
        if (error instanceof RegisterError) await recordSilence(app, due);
        throw error;
      }
    },
  };
}

async function recordAnswer(
  app: VatDeps,
  { recheckDays }: TaxSettings,
  due: store.AccountTax,
  register: VatRegister,
  signal: AbortSignal,
): Promise<void> {
  const { queries, transaction } = app.store;
  const seller = normalizeVatNumber((await getSeller(queries)).vatNumber);
  const answer = await register.check(due.vat_number, isInVies(seller) ? seller : '', signal);
  const at = app.clock.now();
  const state = answer.isValid ? 'valid' : 'invalid';
  await transaction(async (writing) => {
    // The account's page and its next invoice change with the answer.
    await billingAccountLock(writing, due.account_id);
    const next = at + jittered(recheckDays * dayMs);
    const checked = { state, checked_at: at, failing_since: null, next_check_at: next } as const;
    const isCurrent = await store.accountTaxChecked(writing, due, checked);
    await store.vatCheckInsert(writing, {
      account_id: due.account_id,
      at,
      vat_number: due.vat_number,
      state,
      consultation: answer.consultation,
      register_name: answer.name,
      register_address: answer.address,
    });
    if (isCurrent && state !== due.state) await emitChange(app, writing, due, state);
  });
}

/** The customer's next invoice changes with it. */
async function emitChange(
  app: VatDeps,
  queries: Queries,
  { account_id: account, vat_number: vatnumber }: store.AccountTax,
  state: 'valid' | 'invalid',
): Promise<void> {
  const type = state === 'valid' ? 'account.vatnumber.confirmed' : 'account.vatnumber.rejected';
  await appendEvent(app, queries, { account, type, data: { vatnumber } });
}

/** An earlier answer stays, until it is too old to count. */
async function recordSilence({ store: { queries }, clock }: Pick<App, 'store' | 'clock'>, due: store.AccountTax) {
  const now = clock.now();
  const since = due.failing_since ?? now;
  await store.accountTaxChecked(queries, due, {
    ...(due.checked_at === null && { state: 'unreachable' }),
    failing_since: since,
    next_check_at: now + growingDelay(now - since, delays),
  });
}
