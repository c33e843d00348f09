// Coupons: what they are worth, how often they were redeemed, and a form for new ones.
import { SimpleGrid, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import type { CouponCreateInput } from '#sdk/operator.ts';
import { usePermissionDenial } from '../../data/identity.ts';
import { useStaffChange, useStaffRead } from '../../data/operations.ts';
import { useStaffPages, type Row } from '../../data/staff-pages.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { FormButton } from '../../parts/form-button.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { Day } from '../../parts/money.tsx';
import { amountInput } from '../../parts/money-text.ts';
import { EmptyCard } from '../../parts/query-result.tsx';
import { Section } from '../../parts/section.tsx';
import { type Column } from '../../parts/table-card.tsx';
import { percentText } from '../../parts/traffic-units.ts';
import { t } from '../../text/text.ts';
import { amountText } from '../money/amounts.ts';
import { PagedTable } from '../parts/paged-table.tsx';

type Coupon = Row<'couponList'>;

/** Amounts are in the provider’s currency. */
const columnsIn = (currency: string): readonly Column<Coupon>[] => [
  { label: t('Code'), isOneLine: true, fw: 500, cell: ({ code }) => code },
  {
    label: t('Discount'),
    isNumber: true,
    cell: ({ percent, amount }) => (percent === '' ? amountText(amount, currency) : percentText(percent)),
  },
  {
    label: t('Redeemed'),
    isNumber: true,
    cell: ({ uses, maxuses }) => (maxuses === '' ? uses : `${uses} / ${maxuses}`),
  },
  { label: t('Invoices'), isNumber: true, cell: ({ periods }) => (periods === '' ? t('All') : periods) },
  { label: t('Until'), isOneLine: true, cell: ({ until }) => (until === '' ? '–' : <Day on={until} />) },
  { label: t('Plans'), miw: 120, cell: ({ plans }) => (plans.length === 0 ? t('All') : plans.join(', ')) },
  { label: t('Note'), className: 'wrap-anywhere', cell: ({ note }) => note },
  { label: t('Actions'), width: 1, cell: (coupon) => <EndButton coupon={coupon} /> },
];

export function Coupons(): JSX.Element {
  const denial = usePermissionDenial()('operator:money');
  const coupons = useStaffPages('couponList', {});
  const currency = useStaffRead('exchangeRateList', {}).data?.currency ?? '';
  return (
    <Section
      title={t('Coupons')}
      actions={
        <FormButton
          title={t('Create coupon')}
          icon="plus"
          variant="default"
          disabledReason={denial}
          form={(close) => <CouponForm close={close} />}
        />
      }
    >
      <PagedTable
        query={coupons}
        empty={<EmptyCard icon="money" title={t('No coupons')} />}
        label={t('Coupons')}
        columns={columnsIn(currency)}
        rowKey={({ code }) => code}
        minWidth={860}
      />
    </Section>
  );
}

function EndButton({ coupon: { code, ended } }: { readonly coupon: Coupon }): JSX.Element {
  const denial = usePermissionDenial()('operator:money');
  const end = useStaffChange('couponEnd', { successMessage: t('Coupon ended') });
  if (ended !== '') return <>{t('Ended')}</>;
  return (
    <ConfirmButton
      isInRow
      disabledReason={denial}
      question={t('End coupon {code}?', { code })}
      consequence={t('It can no longer be redeemed. Customers who have redeemed it keep their discount.')}
      confirmLabel={t('End')}
      onConfirm={() => end.mutateAsync({ coupon: code })}
    />
  );
}

const names = ['coupon', 'discount', 'uses', 'periods', 'until', 'note'] as const;

function CouponForm({ close }: { readonly close: () => void }): JSX.Element {
  const fields = useFormFields(
    Object.fromEntries(names.map((name) => [name, ''])) as Record<(typeof names)[number], string>,
  );
  const create = useStaffChange('couponCreate', { successMessage: t('Coupon created') });
  const { input, values } = fields;
  return (
    <Form
      fields={fields}
      submitLabel={t('Create coupon')}
      close={close}
      onSubmit={async () => {
        const given = Object.entries(values).filter(([, value]) => value.trim() !== '');
        await create.mutateAsync({
          ...Object.fromEntries(given),
          discount: amountInput(values.discount),
        } as CouponCreateInput);
      }}
    >
      <TextInput label={t('Code')} required placeholder="WELCOME-2027" maxLength={32} {...input('coupon')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label={t('Discount')}
          description={t('A percentage, or an amount per invoice')}
          placeholder="25%"
          required
          {...input('discount')}
        />
        <TextInput label={t('Maximum customers')} inputMode="numeric" {...input('uses')} />
        <TextInput label={t('Invoices of each customer')} inputMode="numeric" {...input('periods')} />
        <TextInput label={t('Redeemable until')} type="date" {...input('until')} />
        <TextInput label={t('Note')} {...input('note')} />
      </SimpleGrid>
    </Form>
  );
}
