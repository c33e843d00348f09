// Why a booking of a bank statement is not matched, for people.
import type { Row } from '../../data/staff-pages.ts';
import { moneyText } from '../../parts/money-text.ts';
import { t } from '../../text/text.ts';

type Entry = Pick<Row<'sepaEntries'>, 'problem' | 'problemcode' | 'expected'>;

/** Bookings of earlier versions have only the API's own text. */
export function problemText({ problem, problemcode, expected }: Entry): string {
  const amount = moneyText(expected === '' ? '0.00' : expected, '€');
  switch (problemcode) {
    case 'no_reference':
      return t('The text does not mention an invoice or a customer reference.');
    case 'several_customers':
      return t('The text mentions several customers.');
    case 'outgoing':
      return t('The outgoing payment is not from one of our files.');
    case 'currency':
      return t('The account of the customer is in another currency.');
    case 'debit_amount':
      return t('The amount differs: the direct debit is of {amount}.', { amount });
    case 'refund_amount':
      return t('The amount differs: the refund is of {amount}.', { amount });
    case 'batch_amount':
      return t('The amount differs: this part of our file is of {amount}.', { amount });
    case 'unknown_batch':
      return t('The batch booking does not match one of our files.');
    case 'rejected':
    case '':
      return problem;
  }
}
