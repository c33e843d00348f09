// A preview of the next invoice, and coupons that reduce it.
import { TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { useScopeDenial } from '../../data/identity.ts';
import { useChange, useRead } from '../../data/operations.ts';
import { FormButton } from '../../parts/form-button.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { Day, Money } from '../../parts/money.tsx';
import { EmptyCard, QueryResult } from '../../parts/query-result.tsx';
import { Section } from '../../parts/section.tsx';
import { TableCard, type Column } from '../../parts/table-card.tsx';
import { Dimmed } from '../../parts/dimmed.tsx';
import { rich } from '../../text/rich.ts';
import { t } from '../../text/text.ts';

interface Line {
  readonly key: string;
  readonly description: string;
  readonly amount: string;
  readonly isSum?: boolean;
}

const columns: readonly Column<Line>[] = [
  {
    label: t('Description'),
    className: 'wrap-anywhere',
    cell: ({ description, isSum }) => (isSum === true ? <strong>{description}</strong> : description),
  },
  { label: t('Amount'), isNumber: true, cell: ({ amount }) => <Money amount={amount} /> },
];

export function NextInvoice(): JSX.Element {
  const preview = useRead('invoicePreview', {});
  const denial = useScopeDenial()('account:write');
  return (
    <Section
      title={t('Next invoice')}
      actions={
        <FormButton
          variant="default"
          title={t('Redeem coupon')}
          disabledReason={denial}
          form={(close) => <CouponForm close={close} />}
        />
      }
    >
      <QueryResult query={preview} lines={4}>
        {({ date, lines, subtotal, tax, credit, total }) =>
          date === '' || lines.length === 0 ? (
            <EmptyCard icon="invoice" title={t('Nothing to bill yet')} />
          ) : (
            <>
              <Dimmed>
                {rich('Planned for {day}. Usage can still change until then.', { day: <Day on={date} /> })}
              </Dimmed>
              <TableCard
                label={t('Next invoice')}
                columns={columns}
                rows={[
                  ...lines,
                  { description: t('Net'), amount: subtotal, isSum: true },
                  { description: t('Tax'), amount: tax },
                  ...(credit === '0.00' ? [] : [{ description: t('Credit'), amount: `-${credit}` }]),
                  { description: t('Total'), amount: total, isSum: true },
                ].map((line, index) => ({ ...line, key: String(index) }))}
                rowKey={({ key }) => key}
                minWidth={320}
              />
            </>
          )
        }
      </QueryResult>
    </Section>
  );
}

function CouponForm({ close }: { readonly close: () => void }): JSX.Element {
  const fields = useFormFields({ coupon: '' });
  const redeem = useChange('couponRedeem', { successMessage: t('Coupon redeemed') });
  return (
    <Form
      fields={fields}
      submitLabel={t('Redeem coupon')}
      close={close}
      onSubmit={() => redeem.mutateAsync({ coupon: fields.values.coupon.trim() })}
    >
      <TextInput
        label={t('Code')}
        description={t('It reduces the prices of your plans from the next invoice on.')}
        required
        maxLength={32}
        data-autofocus
        {...fields.input('coupon')}
      />
    </Form>
  );
}
