// Payment reports from a payment provider: authenticated by their signature, and idempotent.
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/schema';
import { ApiError, invalid } from '#lib/api-error.ts';
import { isHookGenuine, hookSecret, type HookReport } from '#lib/hook-signature.ts';
import { moneyCents } from '#lib/money.ts';
import { paymentHookFind } from '#store/billing/payment-hooks.ts';
import type { App } from '../app.ts';
import { receivePayment, type IncomingPayment } from './payments.ts';
import { paymentHookSealContext } from './settings.ts';
import type { AccountId } from '#store/account-id.ts';

const Report = Type.Object({
  /** The payment provider's own id of the payment. */
  reference: Type.String({ minLength: 1, maxLength: 64 }),
  amount: Type.String(),
  currency: Type.Optional(Type.String()),
  invoice: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  account: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$' })),
  /** ISO 8601; defaults to the time of the report. */
  paidat: Type.Optional(Type.String({ maxLength: 32 })),
});
let checker: ReturnType<typeof Compile<typeof Report>> | undefined;

/** An unknown hook and a wrong signature get the same response. */
export async function receivePaymentReport(app: App, { name, headers, body }: HookReport): Promise<string> {
  const hook = await paymentHookFind(app.store.queries, name);
  const secret = hook && hookSecret(app.secrets.open(hook.secret, paymentHookSealContext(name)));
  if (hook === undefined || secret === undefined || !isHookGenuine(secret, headers, body, app.clock.now()))
    throw new ApiError('unauthenticated', { message: 'The signature does not match any known sender.' });
  const payment = { ...readReport(app, body), method: hook.method };
  const outcome = await app.store.transaction((queries) => receivePayment(app, queries, payment));
  app.authentication.forget();
  return outcome === 'received' ? 'Payment Received' : 'Payment Known';
}

function readReport(app: App, body: Buffer): Omit<IncomingPayment, 'method'> {
  const report = parseReport(body);
  const cents = moneyCents(report.amount);
  if (cents === undefined || cents <= 0)
    throw invalid({ amount: 'must be an amount above zero with at most two decimals' });
  const paidAt = report.paidat === undefined ? app.clock.now() : Date.parse(report.paidat);
  if (Number.isNaN(paidAt)) throw invalid({ paidat: 'must be a time such as 2026-11-15T12:00:00Z' });
  const { reference, currency } = report;
  return { payer: readPayer(report), cents, paidAt, reference, ...(currency === undefined ? {} : { currency }) };
}

function parseReport(body: Buffer): Static<typeof Report> {
  let report: unknown;
  try {
    report = JSON.parse(body.toString());
  } catch {
    throw new ApiError('malformed_request');
  }
  checker ??= Compile(Report);
  if (checker.Check(report)) return report;
  const fields = checker
    .Errors(report)[1]
    .map(({ instancePath, message }) => [instancePath.slice(1) || 'body', message]);
  throw invalid(Object.fromEntries(fields) as Record<string, string>);
}

function readPayer({ invoice, account }: Static<typeof Report>): IncomingPayment['payer'] {
  if (invoice !== undefined) return { invoice };
  if (account !== undefined) return { account: Number(account) as AccountId };
  throw invalid({ invoice: 'or account is required' });
}
