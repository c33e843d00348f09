// A payment provider's report of a payment: genuine by its signature, and the same however often it is sent.
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/schema';
import { Fault, invalid } from '#kernel/fault.ts';
import { hookIsGenuine, hookSecret, type HookHeaders } from '#kernel/hook-signature.ts';
import { moneyCents } from '#kernel/money.ts';
import { paymentHookFind } from '#store/billing/payment-hooks.ts';
import type { AccountId } from '#store/tables.ts';
import type { Yard } from '../yard.ts';
import { paymentReceive, type IncomingPayment } from './payments.ts';
import { paymentHookContext } from './settings.ts';

const Report = Type.Object({
  /** The provider's own number of the payment. */
  reference: Type.String({ minLength: 1, maxLength: 64 }),
  amount: Type.String(),
  currency: Type.Optional(Type.String()),
  invoice: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  account: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$' })),
  /** ISO 8601; when it was reported unless told. */
  paidat: Type.Optional(Type.String({ maxLength: 32 })),
});
let checker: ReturnType<typeof Compile<typeof Report>> | undefined;

export interface HookReport {
  readonly name: string;
  readonly headers: HookHeaders;
  readonly body: Buffer;
}

/** A hook that is not there and a signature that is not right are told alike. */
export async function paymentReport(yard: Yard, { name, headers, body }: HookReport): Promise<string> {
  const hook = await paymentHookFind(yard.store.queries, name);
  const secret = hook && hookSecret(yard.secrets.open(hook.secret, paymentHookContext(name)));
  if (hook === undefined || secret === undefined || !hookIsGenuine(secret, headers, body, yard.clock.now()))
    throw new Fault('unauthenticated', { message: 'The signature is not that of a known sender.' });
  const payment = { ...readReport(yard, body), method: hook.method };
  const outcome = await yard.store.transaction((queries) => paymentReceive(yard, queries, payment));
  yard.authentication.forget();
  return outcome === 'received' ? 'Payment Received' : 'Payment Known';
}

function readReport(yard: Yard, body: Buffer): Omit<IncomingPayment, 'method'> {
  const report = parsed(body);
  const cents = moneyCents(report.amount);
  if (cents === undefined || cents <= 0)
    throw invalid({ amount: 'must be an amount above zero with at most two decimals' });
  const paidAt = report.paidat === undefined ? yard.clock.now() : Date.parse(report.paidat);
  if (Number.isNaN(paidAt)) throw invalid({ paidat: 'must be a moment such as 2026-11-15T12:00:00Z' });
  const { reference, currency } = report;
  return { payer: payerOf(report), cents, paidAt, reference, ...(currency === undefined ? {} : { currency }) };
}

function parsed(body: Buffer): Static<typeof Report> {
  let report: unknown;
  try {
    report = JSON.parse(body.toString());
  } catch {
    throw new Fault('malformed_request');
  }
  checker ??= Compile(Report);
  if (checker.Check(report)) return report;
  const fields = checker
    .Errors(report)[1]
    .map(({ instancePath, message }) => [instancePath.slice(1) || 'body', message]);
  throw invalid(Object.fromEntries(fields) as Record<string, string>);
}

function payerOf({ invoice, account }: Static<typeof Report>): IncomingPayment['payer'] {
  if (invoice !== undefined) return { invoice };
  if (account !== undefined) return { account: Number(account) as AccountId };
  throw invalid({ invoice: 'is needed, or account' });
}
