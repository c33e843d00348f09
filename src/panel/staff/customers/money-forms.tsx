// Records what happened to a customer's money: a payment, goodwill credit, or a refund.
import { Group, Text, TextInput } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useStaffChange } from '../../data/operations.ts';
import { TypedConfirmation, unconfirmedReason } from '../../parts/confirm-button.tsx';
import { ReasonInput } from '../../parts/form-button.tsx';
import { useFormFields, type FormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { amountInput } from '../../parts/money-text.ts';
import { dayText } from '../money/amounts.ts';
import { t } from '../../text/text.ts';

export interface MoneyFormProps {
  readonly account: string;
  readonly currency: string;
  readonly close: () => void;
}

export function PaymentForm({ account, currency, close }: MoneyFormProps): JSX.Element {
  const fields = useFormFields({ amount: '', method: 'banktransfer', reference: '', date: dayText(new Date()) });
  const record = useStaffChange('paymentRecord', { successMessage: t('Payment recorded') });
  return (
    <Form
      fields={fields}
      submitLabel={t('Record payment')}
      close={close}
      onSubmit={() => record.mutateAsync({ account, ...amountOf(fields.values) })}
    >
      <Text size="sm">{t('Pays the oldest open invoices first. The rest becomes credit.')}</Text>
      <Group grow align="flex-start">
        <AmountInput currency={currency} fields={fields} />
        <TextInput type="date" label={t('Received')} required {...fields.input('date')} />
      </Group>
      <TransferInputs
        fields={fields}
        referenceHint={t('For example the number on the bank statement. Each counts once.')}
      />
    </Form>
  );
}

export function CreditForm({ account, currency, close }: MoneyFormProps): JSX.Element {
  const fields = useFormFields({ amount: '', reason: '' });
  const grant = useStaffChange('creditGrant', { successMessage: t('Credit granted') });
  return (
    <Form
      fields={fields}
      submitLabel={t('Grant credit')}
      close={close}
      onSubmit={() => grant.mutateAsync({ account, ...amountOf(fields.values) })}
    >
      <Text size="sm">{t('Goodwill credit, which the next invoices use.')}</Text>
      <AmountInput currency={currency} fields={fields} />
      <ReasonInput
        description={t('The customer sees it with your name')}
        {...fields.input('reason')}
        data-autofocus={undefined}
      />
    </Form>
  );
}

export function RefundForm({ account, currency, close }: MoneyFormProps): JSX.Element {
  const fields = useFormFields({ amount: '', method: 'banktransfer', reference: '', reason: '' });
  const [text, setText] = useState('');
  const record = useStaffChange('refundRecord', { successMessage: t('Refund recorded') });
  const { amount } = fields.values;
  return (
    <Form
      fields={fields}
      submitLabel={t('Record refund')}
      close={close}
      disabledReason={amount === '' ? t('Enter an amount.') : unconfirmedReason(amount, text)}
      onSubmit={() => record.mutateAsync({ account, ...amountOf(fields.values) })}
    >
      <Text size="sm">
        {t(
          'For credit that you have paid out. Hostyard does not move the money. To refund an invoice, issue a credit note first.',
        )}
      </Text>
      <AmountInput currency={currency} fields={fields} />
      <TransferInputs fields={fields} referenceHint={t('For example the number of the bank transfer.')} />
      <ReasonInput
        description={t('The customer sees it with your name')}
        {...fields.input('reason')}
        data-autofocus={undefined}
      />
      {amount !== '' && <TypedConfirmation confirmText={amount} text={text} setText={setText} />}
    </Form>
  );
}

/** With the amount as the API takes it. */
function amountOf<Values extends { readonly amount: string }>(values: Values): Values {
  return { ...values, amount: amountInput(values.amount) };
}

function AmountInput({
  currency,
  fields,
}: {
  currency: string;
  fields: Pick<FormFields<{ amount: string }>, 'input'>;
}): JSX.Element {
  return (
    <TextInput
      label={t('Amount in {currency}', { currency })}
      placeholder="12.50"
      inputMode="decimal"
      required
      data-autofocus
      {...fields.input('amount')}
    />
  );
}

interface TransferInputsProps {
  readonly fields: Pick<FormFields<{ method: string; reference: string }>, 'input'>;
  readonly referenceHint: string;
}

function TransferInputs({ fields, referenceHint }: TransferInputsProps): JSX.Element {
  return (
    <>
      <TextInput label={t('Method@@payment')} required maxLength={32} {...fields.input('method')} />
      <TextInput
        label={t('Reference')}
        description={referenceHint}
        required
        maxLength={128}
        {...fields.input('reference')}
      />
    </>
  );
}
