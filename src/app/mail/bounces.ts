// Messages that came back after a relay had accepted them. After several hard bounces, nothing is sent to the address
// until it changes or staff clear it: relays block senders that keep writing to mailboxes that do not exist.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { mailOperator } from '#contract/operator/mail.ts';
import type { UndeliverableAddress } from '#contract/shapes/mail.ts';
import { requireFound } from '#lib/api-error.ts';
import { dayMs, timeText } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import * as store from '#store/mail/bounces.ts';
import { mailBounce, mailFind, type Mail } from '#store/mail/mails.ts';
import type { Queries } from '#store/store.ts';
import type { App, Context } from '../app.ts';
import { cleanValue } from './compose.ts';
import { parseDeliveryStatus, type DeliveryStatus } from './delivery-status.ts';
import { readReturnPath } from './return-path.ts';

/** Hard bounces until an address is undeliverable. */
const maxHardBounces = 3;
/** Bounces that are further apart do not add up. */
const countedMs = 30 * dayMs;
const defaultPage = 100;

export type BounceOutcome = 'recorded' | 'undeliverable' | 'already recorded' | 'not a failure' | 'not ours';

/** Records a report. `recipient` is the address it was delivered to; by default the one in its header. */
export async function recordBounce(
  app: Pick<App, 'store' | 'secrets' | 'clock'>,
  source: Uint8Array | string,
  recipient?: string,
): Promise<BounceOutcome> {
  // Loaded on first use, because a server never parses mail.
  const { default: PostalMime } = await import('postal-mime');
  const report = await PostalMime.parse(source);
  const addresses = [recipient, report.deliveredTo, ...(report.to ?? []).map(({ address }) => address)];
  const [id] = addresses.flatMap((address) => (address === undefined ? [] : (readReturnPath(app, address) ?? [])));
  if (id === undefined) return 'not ours';
  const parts = report.attachments.filter(({ mimeType }) => mimeType.endsWith('/delivery-status'));
  const failure = parts
    .flatMap(({ content }) => parseDeliveryStatus(textOf(content)))
    .find(({ action }) => action === 'failed');
  if (failure === undefined) return 'not a failure';
  return app.store.transaction(async (queries) => {
    const mail = await mailFind(queries, id);
    if (mail === undefined) return 'not ours';
    const diagnostic = cleanValue(failure.diagnostic);
    if (!(await mailBounce(queries, id, diagnostic))) return 'already recorded';
    return isHard(failure) ? countBounce(queries, mail, diagnostic, app.clock.now()) : 'recorded';
  });
}

function textOf(content: ArrayBuffer | Uint8Array | string): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
}

/** A report without a status also comes after the last retry, but does not say whether the mailbox exists. */
function isHard({ status }: DeliveryStatus): boolean {
  return status.startsWith('5.');
}

async function countBounce(
  queries: Queries,
  { account_id, address }: Mail,
  diagnostic: string,
  now: number,
): Promise<BounceOutcome> {
  const earlier = await store.bounceLock(queries, { account_id, address });
  const count = now - earlier.bounced_at > countedMs ? 1 : earlier.count + 1;
  const undeliverable_since = earlier.undeliverable_since ?? (count >= maxHardBounces ? now : null);
  await store.bouncePut(queries, { account_id, address, count, diagnostic, bounced_at: now, undeliverable_since });
  return undeliverable_since === null ? 'recorded' : 'undeliverable';
}

export async function undeliverableList(
  { queries }: Context,
  { account, limit = defaultPage }: InputOf<typeof mailOperator.undeliverableList>,
): Promise<Static<typeof UndeliverableAddress>[]> {
  const bounces = await store.undeliverableList(queries, { account: account as AccountId | undefined, limit });
  return bounces.map(({ account_id, address, count, diagnostic, undeliverable_since }) => ({
    account: String(account_id),
    address,
    count: String(count),
    diagnostic,
    since: timeText(undeliverable_since!),
  }));
}

export async function undeliverableClear(
  context: Context,
  { account, address }: InputOf<typeof mailOperator.undeliverableClear>,
): Promise<void> {
  const holder = { account_id: account as AccountId, address };
  requireFound((await store.bounceRemove(context.queries, holder)) || undefined, 'Messages to this address are sent.');
  context.onBehalfOf(holder.account_id);
}
