// Pays what is open of an invoice.
import { Text } from '@mantine/core';
import type { JSX } from 'react';
import type { InvoiceDetail } from '#sdk/v2.ts';
import { useScopeDenial } from '../../data/identity.ts';
import { useChange, useRead } from '../../data/operations.ts';
import { FormButton } from '../../parts/form-button.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Money } from '../../parts/money.tsx';
import { rich } from '../../text/rich.ts';
import { t } from '../../text/text.ts';
import { chosenMethod, firstChoice, PayForm } from './pay-form.tsx';

/** Shows nothing if the provider takes no payments online and the customer has no payment method. */
export function PayButton({ invoice }: { invoice: InvoiceDetail }): JSX.Element | null {
  const denial = useScopeDenial()('billing:pay');
  const info = useRead('paymentGet', {}).data;
  const methods = useRead('paymentMethodList', {}).data;
  if (info === undefined || methods === undefined || (!info.online && methods.length === 0)) return null;
  return (
    <FormButton
      size="xs"
      title={t('Pay now')}
      disabledReason={denial}
      form={(close) => <InvoicePayForm invoice={invoice} first={firstChoice(methods, info.online)} close={close} />}
    />
  );
}

interface InvoicePayFormProps {
  readonly invoice: InvoiceDetail;
  /** The method that is chosen at first. */
  readonly first: string;
  readonly close: () => void;
}

function InvoicePayForm({ invoice, first, close }: InvoicePayFormProps): JSX.Element {
  const fields = useFormFields({ method: first, amount: '' });
  const pay = useChange('invoicePay', { successMessage: t('Payment started') });
  return (
    <PayForm
      fields={fields}
      close={close}
      pay={() => pay.mutateAsync({ invoice: Number(invoice.invoiceid), ...chosenMethod(fields.values.method) })}
    >
      <Text size="sm">
        {rich('Pay {amount} of invoice {number}. Older open invoices are paid first.', {
          amount: <Money amount={invoice.balance} />,
          number: invoice.invoicenum,
        })}
      </Text>
    </PayForm>
  );
}
