// SEPA as a payment driver. A charge or refund waits for the next file for the bank; a statement decides it. Nothing is
// asked of anybody, so the same request always has the same answer.
import type { ChargeRequest, PaymentDriver, RefundRequest } from '../driver.ts';

export const sepaDriver: PaymentDriver = {
  charge: async ({ key, currency }: ChargeRequest) =>
    currency === 'EUR'
      ? { state: 'submitted', externalId: endToEndId('HY', key) }
      : {
          state: 'failed',
          externalId: endToEndId('HY', key),
          code: 'currency',
          message: 'Direct debits are possible in euro only.',
          isRetryable: false,
        },
  refund: async ({ key }: RefundRequest) => ({ state: 'submitted', externalId: endToEndId('HR', key) }),
};

/** At most 35 characters; a key without hyphens has 32. */
function endToEndId(prefix: string, key: string): string {
  return prefix + key.replaceAll('-', '').slice(0, 33);
}
