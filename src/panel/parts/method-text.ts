// Methods of payments in words.
import { t } from '../text/text.ts';

const methods: Readonly<Record<string, string>> = {
  banktransfer: t('Bank transfer'),
  card: t('Card'),
  sepa: t('SEPA direct debit'),
  stripe: 'Stripe',
};

/** Returns the method in words, or the provider's own name of it. */
export function methodText(method: string): string {
  return methods[method] ?? method;
}
