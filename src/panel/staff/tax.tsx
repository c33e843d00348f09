// Tax for staff: VAT numbers and their states, contradicting evidence, exchange rates, e-invoices in the network, and VAT
// rates.
import { Alert, SimpleGrid, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import { useStaffRead, type StaffResult } from '../data/operations.ts';
import { useStaffPages, pollMs, type Row } from '../data/staff-pages.ts';
import { countryName } from '../parts/countries.ts';
import { Facts } from '../parts/facts.tsx';
import { FigureCard } from '../parts/figure.tsx';
import { HashTabs } from '../parts/hash-tabs.tsx';
import { Day } from '../parts/money.tsx';
import { Page } from '../parts/page.tsx';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { TableCard, type Column } from '../parts/table-card.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { percentText } from '../parts/traffic-units.ts';
import { t } from '../text/text.ts';
import { CustomerLink } from './parts/links.tsx';
import { PagedTable } from './parts/paged-table.tsx';
import { StaffDeliveries } from './tax/deliveries.tsx';
import { ExchangeRates } from './tax/exchange-rates.tsx';

type Overview = StaffResult<'taxOverview'>;

const numberNames = {
  valid: t('VAT numbers confirmed'),
  invalid: t('Not registered'),
  unchecked: t('Not checked yet'),
  unreachable: t('Register not reachable'),
} as const;
const sourceNames = { order: t('IP address'), payment: t('Payment method'), staff: t('Staff') } as const;

export function StaffTaxPage(): JSX.Element {
  const overview = useStaffRead('taxOverview', {}, { refetchMs: pollMs });
  return (
    <Page title={t('Tax')} description={t('VAT numbers, evidence, exchange rates and e-invoices')}>
      <QueryResult query={overview} lines={8}>
        {(data) => (
          <>
            {!data.isactive && (
              <Alert variant="light" color="yellow" role="status">
                {t('The site file has tax rates by country. Add provider.tax to it to compute VAT.')}
              </Alert>
            )}
            <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
              {data.numbers.map(({ validation, count }) => (
                <FigureCard key={validation} name={numberNames[validation]}>
                  {count}
                </FigureCard>
              ))}
            </SimpleGrid>
            <HashTabs
              label={t('Tax')}
              tabs={[
                { id: 'numbers', label: t('Rejected numbers'), content: () => <RejectedNumbers overview={data} /> },
                { id: 'evidence', label: t('Conflicting evidence'), content: () => <Conflicts /> },
                { id: 'exchange', label: t('Exchange rates'), content: () => <ExchangeRates /> },
                { id: 'deliveries', label: t('E-invoices'), content: () => <StaffDeliveries /> },
                { id: 'rates', label: t('VAT rates'), content: () => <VatRates overview={data} /> },
              ]}
            />
          </>
        )}
      </QueryResult>
    </Page>
  );
}

const rejectedColumns: readonly Column<Overview['rejected'][number]>[] = [
  { label: t('Customer'), cell: ({ account, name }) => <CustomerLink account={account}>{name}</CustomerLink> },
  { label: t('VAT number'), isOneLine: true, cell: ({ vatnumber }) => vatnumber },
  {
    label: t('Last checked'),
    isOneLine: true,
    cell: ({ checked }) => (checked === null ? '–' : <Timestamp at={checked} isRelative />),
  },
];

function RejectedNumbers({ overview: { rejected } }: { overview: Overview }): JSX.Element {
  if (rejected.length === 0)
    return (
      <EmptyCard icon="check" title={t('No rejected VAT numbers')}>
        {t('Customers whose number the register does not know appear here. They are charged VAT and notified.')}
      </EmptyCard>
    );
  return (
    <TableCard
      label={t('Rejected numbers')}
      columns={rejectedColumns}
      rows={rejected}
      rowKey={({ account }) => account}
      minWidth={600}
    />
  );
}

const conflictColumns: readonly Column<Row<'taxConflictList'>>[] = [
  { label: t('Customer'), cell: ({ account, name }) => <CustomerLink account={account}>{name}</CustomerLink> },
  { label: t('Billing country'), cell: ({ country }) => countryName(country) },
  {
    label: t('Evidence'),
    cell: ({ evidence }) =>
      evidence.map(({ source, country }) => `${countryName(country)} (${sourceNames[source]})`).join(', '),
  },
];

function Conflicts(): JSX.Element {
  const conflicts = useStaffPages('taxConflictList', {});
  return (
    <Stack gap="sm">
      <Text size="sm">
        {t(
          'Private customers in the EU need two pieces of evidence that agree. Ask these customers where they are, then correct the address or record the country that you verified.',
        )}
      </Text>
      <PagedTable
        query={conflicts}
        empty={
          <EmptyCard icon="check" title={t('No conflicts')}>
            {t('Private customers whose evidence contradicts their billing country appear here.')}
          </EmptyCard>
        }
        label={t('Conflicting evidence')}
        columns={conflictColumns}

        rowKey={({ account }) => account}
        minWidth={600}
      />
    </Stack>
  );
}

const rateColumns: readonly Column<Overview['rates'][number]>[] = [
  { label: t('Territory'), cell: ({ territory }) => territoryName(territory) },
  { label: t('Rate'), isNumber: true, cell: ({ rate }) => percentText(rate) },
  { label: t('Since'), cell: ({ since }) => <Day on={since} /> },
];

function territoryName(code: string): string {
  return code.length === 2 ? countryName(code) : `${countryName(code.slice(0, 2))} (${code.slice(3)})`;
}

function VatRates({ overview }: { overview: Overview }): JSX.Element {
  const { country, currency, oss, smallbusiness, registrations, register, countryheader, rates } = overview;
  const yesOrNo = (value: boolean): string => (value ? t('Yes') : t('No'));
  return (
    <Stack gap="sm">
      <Facts
        facts={[
          [t('Seller’s country'), countryName(country)],
          [t('Currency'), currency],
          [t('One Stop Shop'), yesOrNo(oss)],
          [t('Small business'), yesOrNo(smallbusiness)],
          [t('Other registrations'), registrations.map(countryName).join(', ')],
          [t('Register'), register],
          [t('Header with the country'), countryheader],
        ]}
      />
      <TableCard
        label={t('VAT rates')}
        columns={rateColumns}
        rows={rates}
        rowKey={({ territory }) => territory}
        minWidth={400}
      />
    </Stack>
  );
}
