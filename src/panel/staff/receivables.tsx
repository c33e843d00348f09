// What customers owe, by how late it is, on any day.
import { SimpleGrid, TextInput } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useStaffRead, type StaffResult } from '../data/operations.ts';
import { staffApi } from '../data/session.ts';
import { BarChart } from '../parts/bar-chart.tsx';
import { FigureCard } from '../parts/figure.tsx';
import { FileButton } from '../parts/file-button.tsx';
import { subtractMoney } from '../parts/money-text.ts';
import { Page } from '../parts/page.tsx';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { Section } from '../parts/section.tsx';
import { TableCard, type Column } from '../parts/table-card.tsx';
import { amountText, axisText, dayText } from './money/amounts.ts';
import { CustomerLink } from './parts/links.tsx';
import { t, tCount } from '../text/text.ts';

type Receivables = StaffResult<'reportReceivables'>;
type Debtor = Receivables['customers'][number];
type Total = Receivables['totals'][number];

const ages = [
  ['current', t('Not due')],
  ['days30', t('1–30 days')],
  ['days60', t('31–60 days')],
  ['days90', t('61–90 days')],
  ['older', t('> 90 days')],
] as const;
/** Days late, short enough for a phone. */
const ageLabels = ['0', '1–30', '31–60', '61–90', '> 90'];

const columns: readonly Column<Debtor>[] = [
  {
    label: t('Customer'),
    className: 'wrap-anywhere',
    cell: ({ account, name }) => <CustomerLink account={account}>{name}</CustomerLink>,
  },
  ...ages.map(([name, label]): Column<Debtor> => ({
    label,
    isNumber: true,
    cell: (debtor) => amountText(debtor[name], ''),
  })),
  { label: t('Total'), isNumber: true, fw: 600, cell: ({ total, currency }) => amountText(total, currency) },
];

export function ReceivablesPage(): JSX.Element {
  const [day, setDay] = useState(() => dayText(new Date()));
  const report = useStaffRead('reportReceivables', { day, limit: 1000 }, { enabled: day !== '', keepsPrevious: true });
  return (
    <Page
      title={t('Receivables')}
      description={t('Open invoices by how late they are, at the end of a day')}
      actions={
        <>
          <TextInput
            type="date"
            aria-label={t('Day')}
            value={day}
            onChange={(event) => setDay(event.currentTarget.value)}
          />
          <FileButton load={() => staffApi().reportCsv({ report: 'receivables', from: day, until: day })}>
            {t('Download CSV')}
          </FileButton>
        </>
      }
    >
      <QueryResult query={report} lines={8}>
        {({ totals, customers }) =>
          totals.length === 0 ? (
            <EmptyCard icon="check" title={t('No open invoices')}>
              {t('No customer owed anything on this day.')}
            </EmptyCard>
          ) : (
            <>
              {totals.map((total) => (
                <Ageing key={total.currency} total={total} />
              ))}
              <Section title={t('Customers')}>
                <TableCard
                  label={t('Receivables by customer')}
                  columns={columns}
                  rows={customers}
                  rowKey={({ account }) => account}
                  minWidth={900}
                />
              </Section>
            </>
          )
        }
      </QueryResult>
    </Page>
  );
}

function Ageing({ total }: { total: Total }): JSX.Element {
  const late = ages.slice(1).map(([name, label]) => `${label} ${amountText(total[name], total.currency)}`);
  const series = [{ name: t('Open'), values: ages.map(([name]) => Number(total[name])) }];
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
        <FigureCard name={t('Open in total')}>{amountText(total.total, total.currency)}</FigureCard>
        <FigureCard name={t('Overdue')}>
          {amountText(subtractMoney(total.total, total.current), total.currency)}
        </FigureCard>
        <FigureCard name={t('Customers who owe')}>
          {tCount(Number(total.customers), { one: '{count} customer', other: '{count} customers' })}
        </FigureCard>
      </SimpleGrid>
      <BarChart
        title={t('Open amounts by days late')}
        labels={ageLabels}
        series={series}
        format={axisText}
        label={t('Receivables by age in {currency}: {amounts}', { currency: total.currency, amounts: late.join(', ') })}
      />
    </>
  );
}
