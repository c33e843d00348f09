// A customer's money: balance, dunning, ledger, and what staff can do about them.
import { Alert, Group, SimpleGrid, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { usePermissionDenial } from '../../data/identity.ts';
import { useStaffChange, useStaffRead, type StaffResult } from '../../data/operations.ts';
import { useStaffPages, type Row } from '../../data/staff-pages.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { FigureCard } from '../../parts/figure.tsx';
import { FormButton, ReasonButton } from '../../parts/form-button.tsx';
import { Day } from '../../parts/money.tsx';
import { methodText } from '../../parts/method-text.ts';
import { ChargeResult, MethodState } from '../../parts/payment-states.tsx';
import { EmptyCard, QueryResult } from '../../parts/query-result.tsx';
import { Section } from '../../parts/section.tsx';
import { QueryTable, TableCard, type Column } from '../../parts/table-card.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { Icon } from '../../shell/icons.tsx';
import { amountText } from '../money/amounts.ts';
import { bookLabel, kindLabels } from '../money/books.ts';
import { PagedTable } from '../parts/paged-table.tsx';
import { ShowMore } from '../parts/show-more.tsx';
import { CustomerStatement } from './customer-statement.tsx';
import { CreditForm, PaymentForm, RefundForm } from './money-forms.tsx';
import { rich } from '../../text/rich.ts';
import { t } from '../../text/text.ts';

interface AccountProps {
  readonly account: string;
  readonly currency: string;
}

export function CustomerMoney({ account, currency }: AccountProps): JSX.Element {
  return (
    <Stack gap="lg">
      <Balance account={account} currency={currency} />
      <Dunning account={account} currency={currency} />
      <PaymentMethods account={account} currency={currency} />
      <CustomerStatement account={account} currency={currency} />
      <Ledger account={account} currency={currency} />
    </Stack>
  );
}

function Balance({ account, currency }: AccountProps): JSX.Element {
  const balance = useStaffRead('ledgerBalance', { account });
  const denial = usePermissionDenial()('operator:money');
  return (
    <Section
      title={t('Balance')}
      actions={
        <Group gap="xs">
          <FormButton
            size="xs"
            icon="money"
            title={t('Record payment')}
            disabledReason={denial}
            form={(close) => <PaymentForm account={account} currency={currency} close={close} />}
          />
          <FormButton
            size="xs"
            variant="default"
            title={t('Grant credit')}
            disabledReason={denial}
            form={(close) => <CreditForm account={account} currency={currency} close={close} />}
          />
          <FormButton
            size="xs"
            variant="default"
            title={t('Record refund')}
            disabledReason={denial}
            form={(close) => <RefundForm account={account} currency={currency} close={close} />}
          />
        </Group>
      }
    >
      <QueryResult query={balance} lines={2}>
        {({ receivable, overdue, credit, writtenoff }) => (
          <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
            <FigureCard name={t('Open invoices')}>{amountText(receivable, currency)}</FigureCard>
            <FigureCard name={t('Overdue')}>{amountText(overdue, currency)}</FigureCard>
            <FigureCard name={t('Credit')}>{amountText(credit, currency)}</FigureCard>
            <FigureCard name={t('Written off')}>{amountText(writtenoff, currency)}</FigureCard>
          </SimpleGrid>
        )}
      </QueryResult>
    </Section>
  );
}

type DunningState = StaffResult<'dunningGet'>;

function Dunning({ account, currency }: AccountProps): JSX.Element {
  const dunning = useStaffRead('dunningGet', { account });
  const columns: readonly Column<DunningState['invoices'][number]>[] = [
    { label: t('Invoice'), cell: ({ invoicenum }) => invoicenum },
    { label: t('Due'), cell: ({ duedate }) => <Day on={duedate} /> },
    { label: t('Days late'), isNumber: true, cell: ({ dayslate }) => dayslate },
    { label: t('Amount due'), isNumber: true, cell: ({ balance }) => amountText(balance, currency) },
    { label: t('Last step'), cell: ({ laststep, lasttime }) => <Step name={laststep} time={lasttime} /> },
    {
      label: t('Next step'),
      cell: ({ nextstep, nextdate }) =>
        nextstep === '' ? '—' : rich('{step} on {date}', { step: stepText(nextstep), date: <Day on={nextdate} /> }),
    },
  ];
  return (
    <Section title={t('Dunning')} actions={dunning.data !== undefined && <HoldButton state={dunning.data} />}>
      <QueryResult query={dunning}>
        {({ held, heldby, heldsince, reason, invoices }) => (
          <Stack gap="sm">
            {held === '1' && (
              <Alert color="orange" variant="light" icon={<Icon name="warning" />}>
                {rich('On hold since {time}, by {name}: {reason}', {
                  time: <Timestamp at={heldsince} />,
                  name: heldby,
                  reason,
                })}
              </Alert>
            )}
            {invoices.length === 0 ? (
              <Dimmed>{t('No unpaid invoices')}</Dimmed>
            ) : (
              <TableCard
                label={t('Dunning')}
                columns={columns}
                rows={invoices}
                rowKey={({ id }) => id}
                minWidth={780}
              />
            )}
          </Stack>
        )}
      </QueryResult>
    </Section>
  );
}

function Step({ name, time }: { name: string; time: string }): JSX.Element {
  if (name === '') return <>—</>;
  return (
    <>
      {stepText(name)}
      <Dimmed size="xs">
        <Timestamp at={time} />
      </Dimmed>
    </>
  );
}

function stepText(step: string): string {
  const [, reminder] = /^reminder (\d+)$/.exec(step) ?? [];
  if (reminder !== undefined) return t('Reminder {number}', { number: reminder });
  return step === 'overdue' ? t('Overdue notice') : step === 'late fee' ? t('Late fee') : t('Suspension');
}

function HoldButton({ state: { account, held } }: { state: DunningState }): JSX.Element {
  const denial = usePermissionDenial()('operator:money');
  const hold = useStaffChange('dunningHold', { successMessage: t('Dunning is on hold') });
  const resume = useStaffChange('dunningResume', { successMessage: t('Dunning resumed') });
  if (held === '1')
    return (
      <ReasonButton
        size="xs"
        variant="default"
        title={t('Resume dunning?')}
        description={t('Steps that became due during the hold follow within a minute, up to a suspension.')}
        confirmLabel={t('Resume dunning')}
        disabledReason={denial}
        onConfirm={(reason) => resume.mutateAsync({ account, reason })}
      />
    );
  return (
    <ReasonButton
      size="xs"
      variant="default"
      title={t('Put dunning on hold?')}
      description={t('No reminders, late fees and suspensions until you resume it. The customer is not notified.')}
      confirmLabel={t('Hold dunning')}
      disabledReason={denial}
      onConfirm={(reason) => hold.mutateAsync({ account, reason })}
    />
  );
}

function PaymentMethods({ account, currency }: AccountProps): JSX.Element {
  const methods = useStaffRead('paymentMethods', { account });
  const charges = useStaffPages('paymentCharges', { account }, { length: 20 });
  return (
    <Section title={t('Payment methods')}>
      <QueryTable
        query={methods}
        label={t('Payment methods')}
        columns={[
          { label: t('Method@@payment'), cell: ({ label }) => label },
          { label: t('Provider'), cell: ({ provider }) => provider },
          { label: t('Status'), cell: (method) => <MethodState method={method} /> },
        ]}
        minWidth={560}
        empty={<Dimmed>{t('No stored payment methods')}</Dimmed>}
      />
      {charges.data !== undefined && charges.data.length > 0 && (
        <TableCard
          label={t('Charges')}
          columns={[
            { label: t('Time'), cell: ({ created }) => <Timestamp at={created} /> },
            { label: t('Method@@payment'), cell: ({ method }) => methodText(method) },
            { label: t('Invoice'), cell: ({ invoicenum }) => invoicenum || '—' },
            { label: t('Status'), cell: (charge) => <ChargeResult charge={charge} /> },
            { label: t('Amount'), isNumber: true, cell: ({ amount }) => amountText(amount, currency) },
          ]}
          rows={charges.data}
          rowKey={({ id }) => id}
          minWidth={680}
        />
      )}
      <ShowMore query={charges} />
    </Section>
  );
}

function Ledger({ account, currency }: AccountProps): JSX.Element {
  const ledger = useStaffPages('ledgerList', { account });
  const columns: readonly Column<Row<'ledgerList'>>[] = [
    { label: t('Time'), isOneLine: true, cell: ({ timestamp }) => <Timestamp at={timestamp} /> },
    { label: t('Kind'), cell: ({ kind }) => kindLabels[kind] },
    { label: t('From'), cell: ({ credit }) => bookLabel(credit) },
    { label: t('To'), cell: ({ debit }) => bookLabel(debit) },
    {
      label: t('Reference'),
      className: 'wrap-anywhere',
      cell: ({ invoicenum, reference }) => [...new Set([invoicenum, reference])].filter(Boolean).join(', '),
    },
    { label: t('Amount'), isNumber: true, fw: 600, cell: ({ amount }) => amountText(amount, currency) },
  ];
  return (
    <Section title={t('Ledger')}>
      <PagedTable
        query={ledger}
        label={t('Ledger')}
        columns={columns}
        minWidth={820}
        empty={<EmptyCard icon="money" title={t('No entries yet')} />}
      />
    </Section>
  );
}
