// Exchange rates in force, and the form to enter one.
import { Alert, Select, Stack, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { usePermissionDenial } from '../../data/identity.ts';
import { useStaffChange, useStaffRead, type StaffResult } from '../../data/operations.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { FormButton } from '../../parts/form-button.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { amountInput } from '../../parts/money-text.ts';
import { Day } from '../../parts/money.tsx';
import { EmptyCard, QueryResult } from '../../parts/query-result.tsx';
import { Section } from '../../parts/section.tsx';
import { TableCard, type Column } from '../../parts/table-card.tsx';
import { Icon } from '../../shell/icons.tsx';
import { t } from '../../text/text.ts';

type Rates = StaffResult<'exchangeRateList'>;

const columns: readonly Column<Rates['rates'][number]>[] = [
  { label: t('Currency'), fw: 600, cell: ({ currency }) => currency },
  { label: t('For one euro'), isNumber: true, cell: ({ rate }) => rate },
  { label: t('Date'), cell: ({ date }) => <Day on={date} /> },
  { label: t('Source'), cell: ({ source }) => (source === 'ecb' ? t('European Central Bank') : source) },
  { label: t('Customers'), cell: ({ used }) => (used ? t('Yes') : t('No')) },
];

export function ExchangeRates(): JSX.Element {
  const denial = usePermissionDenial()('operator:money');
  const rates = useStaffRead('exchangeRateList', {});
  return (
    <Section
      title={t('Exchange rates')}
      actions={
        <FormButton
          title={t('Enter a rate')}
          disabledReason={denial}
          form={(close) => <RateForm missing={rates.data?.missing ?? []} close={close} />}
        />
      }
    >
      <QueryResult query={rates} lines={4}>
        {(data) => (
          <Stack gap="sm">
            {data.missing.length > 0 && (
              <Alert variant="light" color="red" icon={<Icon name="warning" />} role="status">
                {t('No invoices with tax are issued in {currencies}: the rate is missing or older than {days} days.', {
                  currencies: data.missing.join(', '),
                  days: data.maxagedays,
                })}
              </Alert>
            )}
            <Dimmed>
              {data.source === ''
                ? t('Staff enter the rates: the site file names no source.')
                : t('Read from {source}.', { source: data.source })}
            </Dimmed>
            {data.rates.length === 0 ? (
              <EmptyCard icon="money" title={t('No exchange rates')}>
                {t('They are needed only for customers with another currency than {currency}.', {
                  currency: data.currency,
                })}
              </EmptyCard>
            ) : (
              <TableCard
                label={t('Exchange rates')}
                columns={columns}
                rows={data.rates}
                rowKey={({ currency }) => currency}
                minWidth={600}
              />
            )}
          </Stack>
        )}
      </QueryResult>
    </Section>
  );
}

function RateForm({ missing, close }: { missing: readonly string[]; close: () => void }): JSX.Element {
  const fields = useFormFields({
    currency: missing[0] ?? '',
    date: new Date().toISOString().slice(0, 10),
    rate: '',
  });
  const change = useStaffChange('exchangeRateSet', { successMessage: t('Exchange rate saved') });
  const { values } = fields;
  return (
    <Form
      fields={fields}
      submitLabel={t('Save')}
      close={close}
      onSubmit={() => change.mutateAsync({ ...values, rate: amountInput(values.rate) })}
    >
      <Select
        label={t('Currency')}
        searchable
        data={Intl.supportedValuesOf('currency').filter((code) => code !== 'EUR')}
        value={values.currency}
        error={fields.errorOf('currency')}
        onChange={(currency) => fields.set({ currency: currency ?? '' })}
      />
      <TextInput type="date" label={t('Date')} {...fields.input('date')} />
      <TextInput
        label={t('Rate@@currency')}
        description={t('How much of the currency one euro is worth, such as 1.0832')}
        inputMode="decimal"
        {...fields.input('rate')}
      />
    </Form>
  );
}
