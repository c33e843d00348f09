// Payment methods, top-ups, and all charges.
import { Group, TextInput } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useScopeDenial } from '../data/identity.ts';
import { useChange, useRead, type Result } from '../data/operations.ts';
import { usePages } from '../data/pages.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { DangerButton } from '../parts/confirm-button.tsx';
import { Dimmed } from '../parts/dimmed.tsx';
import { FormButton } from '../parts/form-button.tsx';
import { useFormFields } from '../parts/form-fields.ts';
import { LoadOlder } from '../parts/load-older.tsx';
import { leaveFor } from '../parts/leave-for.ts';
import { Money } from '../parts/money.tsx';
import { amountInput, moneyText } from '../parts/money-text.ts';
import { notifyError } from '../parts/notify-error.ts';
import { Page } from '../parts/page.tsx';
import { ChargeResult, MethodState } from '../parts/payment-states.tsx';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { Section } from '../parts/section.tsx';
import { TableCard, type Column } from '../parts/table-card.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { t } from '../text/text.ts';
import { BankSection } from './payments/bank-section.tsx';
import { chosenMethod, firstChoice, PayForm, type PaymentMethod } from './payments/pay-form.tsx';

type Info = Result<'paymentGet'>;
type Charge = Result<'chargeList'>[number];

/** A charge of a card takes seconds. */
const refetchMs = 5000;
const isInProgress = ({ state }: Charge): boolean =>
  state === 'created' || state === 'submitted' || state === 'needs_action';

export function PaymentsPage(): JSX.Element {
  const info = useRead('paymentGet', {});
  const methods = useRead('paymentMethodList', {}, { refetchMs });
  const charges = usePages('chargeList', {}, { refetchMs, isInProgress });
  return (
    <Page title={t('Payments')} description={t('Payment methods, top-ups and charges')}>
      <QueryResult query={info}>
        {(data) => (
          <Section title={t('Payment methods')} actions={<PaymentActions info={data} methods={methods.data ?? []} />}>
            <QueryResult
              query={methods}
              empty={
                <EmptyCard icon="card" title={t('No payment methods yet')}>
                  {data.online
                    ? t('Add a card, and invoices are paid from it on their due date.')
                    : t('Each invoice says how to pay it.')}
                </EmptyCard>
              }
            >
              {(all) => <MethodTable methods={all} />}
            </QueryResult>
          </Section>
        )}
      </QueryResult>
      <BankSection />
      <Section title={t('Charges')}>
        <QueryResult
          query={charges}
          empty={
            <EmptyCard icon="invoice" title={t('No charges yet')}>
              {t('Manual and automatic payments appear here.')}
            </EmptyCard>
          }
        >
          {(all) => (
            <>
              <TableCard
                label={t('Charges')}
                columns={chargeColumns}
                rows={all}
                rowKey={({ id }) => id}
                minWidth={760}
              />
              <LoadOlder query={charges} />
            </>
          )}
        </QueryResult>
      </Section>
    </Page>
  );
}

function PaymentActions({ info, methods }: { info: Info; methods: readonly PaymentMethod[] }): JSX.Element | null {
  const denial = useScopeDenial()('billing:pay');
  const add = useChange('paymentMethodAdd', { invalidates: [] });
  const [isOpening, setOpening] = useState(false);
  const openCardPage = async (): Promise<void> => {
    setOpening(true);
    try {
      await leaveFor((await add.mutateAsync({})).url);
    } catch (error) {
      notifyError(error);
    } finally {
      setOpening(false);
    }
  };
  if (!info.online && methods.length === 0) return null;
  return (
    <Group gap="xs">
      <FormButton
        variant="default"
        title={t('Top up credit')}
        disabledReason={denial}
        form={(close) => <TopUpForm info={info} methods={methods} close={close} />}
      />
      {info.online && (
        <ActionButton icon="plus" disabledReason={denial} loading={isOpening} onClick={() => void openCardPage()}>
          {t('Add card')}
        </ActionButton>
      )}
    </Group>
  );
}

function MethodTable({ methods }: { methods: readonly PaymentMethod[] }): JSX.Element {
  const denial = useScopeDenial()('billing:pay');
  const invalidates = ['paymentMethodList'];
  const remove = useChange('paymentMethodRemove', { successMessage: t('Payment method removed'), invalidates });
  const choose = useChange('paymentMethodDefault', {
    successMessage: t('Default payment method changed'),
    invalidates,
  });
  const columns: readonly Column<PaymentMethod>[] = [
    { label: t('Payment method'), fw: 600, cell: ({ label }) => label },
    { label: t('Status'), cell: (method) => <MethodState method={method} /> },
    { label: t('Added'), cell: ({ created }) => <Timestamp at={created} /> },
    {
      label: t('Actions'),
      width: 1,
      cell: (method) => (
        <Group gap="xs" wrap="nowrap">
          {!method.default && method.state === 'active' && (
            <ActionButton
              isInRow
              disabledReason={denial}
              onClick={() => choose.mutate({ id: method.id }, { onError: notifyError })}
            >
              {t('Make default')}
            </ActionButton>
          )}
          <DangerButton
            aria-label={t('Remove {name}', { name: method.label })}
            disabledReason={denial}
            question={t('Remove {name}?', { name: method.label })}
            consequence={
              method.default
                ? t('Invoices are no longer collected automatically until you choose another default method.')
                : t('It is no longer charged.')
            }
            confirmLabel={t('Remove')}
            onConfirm={() => remove.mutateAsync({ id: method.id })}
          />
        </Group>
      ),
    },
  ];
  return (
    <TableCard label={t('Payment methods')} columns={columns} rows={methods} rowKey={({ id }) => id} minWidth={560} />
  );
}

const chargeColumns: readonly Column<Charge>[] = [
  { label: t('Date'), cell: ({ created }) => <Timestamp at={created} /> },
  {
    label: t('For'),
    cell: ({ purpose, invoicenum, automatic }) => (
      <>
        {purpose === 'invoice' ? invoicenum : t('Top-up')}
        {automatic && <Dimmed size="xs">{t('Automatic')}</Dimmed>}
      </>
    ),
  },
  { label: t('Payment method'), cell: ({ method }) => (method === '' ? t('Payment page') : method) },
  { label: t('Status'), cell: (charge) => <ChargeResult charge={charge} /> },
  { label: t('Amount'), isNumber: true, fw: 600, cell: ({ amount }) => <Money amount={amount} /> },
];

interface TopUpFormProps {
  readonly info: Info;
  readonly methods: readonly PaymentMethod[];
  readonly close: () => void;
}

function TopUpForm({ info, methods, close }: TopUpFormProps): JSX.Element {
  const fields = useFormFields({ method: firstChoice(methods, info.online), amount: '' });
  const pay = useChange('topUp', { successMessage: t('Payment started') });
  const [min, max] = [moneyText(info.topupmin, ''), moneyText(info.topupmax, '')];
  return (
    <PayForm
      fields={fields}
      close={close}
      pay={() =>
        pay.mutateAsync({
          amount: amountInput(fields.values.amount),
          ...chosenMethod(fields.values.method),
        })
      }
    >
      <TextInput
        label={t('Amount in {currency}', { currency: info.currency })}
        description={t('From {min} to {max}. Open invoices are paid first; the rest becomes credit.', { min, max })}
        inputMode="decimal"
        required
        data-autofocus
        {...fields.input('amount')}
      />
    </PayForm>
  );
}
