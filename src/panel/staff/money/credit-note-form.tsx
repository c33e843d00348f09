// Issues a credit note, for what is left of an invoice or for some of its lines.
import { Checkbox, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useStaffChange, type StaffResult } from '../../data/operations.ts';
import { TypedConfirmation, unconfirmedReason } from '../../parts/confirm-button.tsx';
import { ReasonInput } from '../../parts/form-button.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { amountInput, moneyText } from '../../parts/money-text.ts';
import { t } from '../../text/text.ts';

export type InvoiceDetail = StaffResult<'invoiceGet'>;
/** Amounts by the id of the line. */
type Amounts = Readonly<Record<string, string>>;

export function CreditNoteForm({ invoice, close }: { invoice: InvoiceDetail; close: () => void }): JSX.Element {
  const { invoiceid: id, invoicenum: number } = invoice;
  const fields = useFormFields({ reason: '', lines: '' });
  const [extent, setExtent] = useState<'whole' | 'lines'>('whole');
  const [amounts, setAmounts] = useState<Amounts>({});
  const [text, setText] = useState('');
  const credit = useStaffChange('invoiceCredit', { successMessage: t('Credit note issued') });
  const lines = Object.entries(amounts).map(([line, amount]) => ({ id: Number(line), amount: amountInput(amount) }));
  const isEmpty = extent === 'lines' && lines.length === 0;
  return (
    <Form
      fields={fields}
      submitLabel={t('Issue credit note')}
      close={close}
      disabledReason={isEmpty ? t('Select at least one line.') : unconfirmedReason(number, text)}
      onSubmit={() =>
        credit.mutateAsync({ id, reason: fields.values.reason.trim(), ...(extent === 'lines' && { lines }) })
      }
    >
      <Text size="sm">
        {t('The open amount is no longer owed, and what was paid becomes credit. This cannot be undone.')}
      </Text>
      <SegmentedControl
        aria-label={t('Extent')}
        data={[
          { value: 'whole', label: t('Whole invoice') },
          { value: 'lines', label: t('Single lines') },
        ]}
        value={extent}
        onChange={(value) => setExtent(value as typeof extent)}
      />
      {extent === 'lines' && (
        <LineChoice invoice={invoice} amounts={amounts} setAmounts={setAmounts} error={fields.errorOf('lines')} />
      )}
      <ReasonInput description={t('It is printed on the credit note')} {...fields.input('reason')} />
      <TypedConfirmation confirmText={number} text={text} setText={setText} />
    </Form>
  );
}

interface LineChoiceProps {
  readonly invoice: InvoiceDetail;
  readonly amounts: Amounts;
  readonly setAmounts: (amounts: Amounts) => void;
  readonly error: string | undefined;
}

function LineChoice({ invoice, amounts, setAmounts, error }: LineChoiceProps): JSX.Element {
  const creditable = invoice.items.item.filter(({ amount }) => Number(amount) > 0);
  return (
    <Stack gap="xs">
      {creditable.map(({ id, description, amount }) => (
        <Group key={id} justify="space-between" wrap="nowrap" align="flex-start">
          <Checkbox
            label={description}
            className="wrap-anywhere"
            description={moneyText(amount, '')}
            checked={id in amounts}
            onChange={({ currentTarget: { checked } }) => {
              const { [id]: _, ...others } = amounts;
              setAmounts(checked ? { ...others, [id]: amount } : others);
            }}
          />
          {id in amounts && (
            <TextInput
              w={120}
              inputMode="decimal"
              aria-label={t('Amount without tax')}
              value={amounts[id]!}
              onChange={(event) => setAmounts({ ...amounts, [id]: event.currentTarget.value })}
            />
          )}
        </Group>
      ))}
      {error !== undefined && (
        <Text size="sm" c="red" role="alert">
          {error}
        </Text>
      )}
    </Stack>
  );
}
