// Revenue by month, plan and kind of line, and the exports for the bookkeeping.
import { Group, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useMemo, useState, type JSX } from 'react';
import { useStaffRead } from '../data/operations.ts';
import { staffApi } from '../data/session.ts';
import { BarChart } from '../parts/bar-chart.tsx';
import { FileButton } from '../parts/file-button.tsx';
import { FormButton } from '../parts/form-button.tsx';
import { Page } from '../parts/page.tsx';
import { lineLabels } from '../parts/line-labels.ts';
import { methodText } from '../parts/method-text.ts';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { Section } from '../parts/section.tsx';
import { QueryTable, TableCard, type Column } from '../parts/table-card.tsx';
import { percentText } from '../parts/traffic-units.ts';
import { amountText, axisText, dayText, monthStart, monthText } from './money/amounts.ts';
import { DatevForm } from './money/datev-form.tsx';
import { centsText, groupSums, revenueChart, type RevenueRow, type RevenueSum } from './money/revenue-data.ts';
import { t } from '../text/text.ts';

/** The current month is the twelfth. */
const monthsAgo = 11;
const planLabel = (plan: string): string => (plan === '' ? t('Without a plan') : plan);

export function RevenuePage(): JSX.Element {
  const [from, setFrom] = useState(() => monthStart(new Date(), monthsAgo));
  const [until, setUntil] = useState(() => dayText(new Date()));
  const period = { from, until };
  const isComplete = from !== '' && until !== '';
  const revenue = useStaffRead('reportRevenue', period, { enabled: isComplete, keepsPrevious: true });
  return (
    <Page
      title={t('Revenue')}
      description={t('Invoices and credit notes by their date, without tax')}
      actions={
        <>
          <FileButton load={() => staffApi().reportCsv({ report: 'revenue', ...period })}>
            {t('Download CSV')}
          </FileButton>
          <FormButton
            variant="default"
            icon="download"
            title={t('Export for DATEV')}
            form={(close) => <DatevForm close={close} />}
          />
        </>
      }
    >
      <Group gap="sm" align="flex-end">
        <TextInput
          type="date"
          label={t('From')}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label={t('Until')}
          value={until}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
      </Group>
      <QueryResult query={revenue} lines={8} empty={<EmptyCard icon="graph" title={t('No invoices in this period')} />}>
        {(rows) => <RevenueByCurrency rows={rows} />}
      </QueryResult>
      {isComplete && <Taxes period={period} />}
      {isComplete && <Payments period={period} />}
    </Page>
  );
}

function RevenueByCurrency({ rows }: { rows: readonly RevenueRow[] }): JSX.Element {
  const currencies = useMemo(
    () =>
      [...new Set(rows.map(({ currency }) => currency))].map(
        (currency) => [currency, rows.filter((row) => row.currency === currency)] as const,
      ),
    [rows],
  );
  return (
    <Stack>
      {currencies.map(([currency, ofCurrency]) => (
        <Revenue key={currency} rows={ofCurrency} currency={currency} />
      ))}
    </Stack>
  );
}

const groupings = { plan: t('By plan'), type: t('By kind of line'), month: t('By month') } as const;
const groupLabels = { plan: t('Plan'), type: t('Kind'), month: t('Month') } as const;
type Grouping = keyof typeof groupings;

interface SumRow extends RevenueSum {
  readonly name: string;
}

function Revenue({ rows, currency }: { rows: readonly RevenueRow[]; currency: string }): JSX.Element {
  const [grouping, setGrouping] = useState<Grouping>('plan');
  const { months, series } = useMemo(() => revenueChart(rows, planLabel, t('Other plans')), [rows]);
  const nameOf = (row: RevenueRow): string =>
    grouping === 'plan' ? planLabel(row.plan) : grouping === 'type' ? lineLabels[row.type] : row.month;
  const sums = [...groupSums(rows, nameOf)].map(([name, sum]) => ({ name, ...sum }));
  const total = rows.length === 0 ? undefined : groupSums(rows, () => '').get('')!;
  const amount = (cents: number): string => amountText(centsText(cents), currency);
  const columns: readonly Column<SumRow>[] = [
    { label: groupLabels[grouping], cell: ({ name }) => name },
    { label: t('Net'), isNumber: true, cell: ({ net }) => amount(net) },
    { label: t('Tax'), isNumber: true, cell: ({ tax }) => amount(tax) },
    { label: t('Gross'), isNumber: true, fw: 600, cell: ({ net, tax }) => amount(net + tax) },
  ];
  const ordered =
    grouping === 'month'
      ? sums
          .toSorted((left, right) => left.name.localeCompare(right.name))
          .map((sum) => ({ ...sum, name: monthText(sum.name) }))
      : sums.toSorted((left, right) => right.net - left.net);
  return (
    <>
      <BarChart
        title={t('Revenue by month and plan')}
        labels={months.map(monthText)}
        series={series}
        format={axisText}
        label={t('Revenue by month and plan: {amount} in total', { amount: amount(total?.net ?? 0) })}
      />
      <Section
        title={t('Revenue in {currency}', { currency })}
        actions={
          <SegmentedControl
            size="xs"
            aria-label={t('Group by')}
            data={Object.entries(groupings).map(([value, label]) => ({ value, label }))}
            value={grouping}
            onChange={(next) => setGrouping(next as Grouping)}
          />
        }
      >
        <TableCard
          label={t('Revenue')}
          columns={columns}
          rows={total === undefined ? ordered : [...ordered, { name: t('Total'), ...total }]}
          rowKey={({ name }) => name}
          minWidth={560}
        />
      </Section>
    </>
  );
}

interface PeriodProps {
  readonly period: { readonly from: string; readonly until: string };
}

function Taxes({ period }: PeriodProps): JSX.Element {
  const taxes = useStaffRead('reportTaxes', period, { keepsPrevious: true });
  return (
    <Section
      title={t('Taxes')}
      actions={
        <FileButton load={() => staffApi().reportCsv({ report: 'taxes', ...period })}>{t('Download CSV')}</FileButton>
      }
    >
      <QueryTable
        query={taxes}
        empty={<EmptyCard icon="money" title={t('No taxes in this period')} />}
        label={t('Taxes')}
        columns={[
          { label: t('Country'), cell: ({ country }) => country },
          { label: t('Category'), cell: ({ category }) => category || '—' },
          { label: t('Rate'), isNumber: true, cell: ({ rate }) => percentText(rate) },
          { label: t('Invoices'), isNumber: true, cell: ({ invoices }) => invoices },
          { label: t('Net'), isNumber: true, cell: ({ base, currency }) => amountText(base, currency) },
          { label: t('Tax'), isNumber: true, fw: 600, cell: ({ tax, currency }) => amountText(tax, currency) },
        ]}

        rowKey={({ country, category, rate, currency }) => [country, category, rate, currency].join(' ')}
        minWidth={640}
      />
    </Section>
  );
}

function Payments({ period }: PeriodProps): JSX.Element {
  const payments = useStaffRead('reportPayments', period, { keepsPrevious: true });
  return (
    <Section
      title={t('Payments by method')}
      actions={
        <FileButton load={() => staffApi().reportCsv({ report: 'payments', ...period })}>
          {t('Download CSV')}
        </FileButton>
      }
    >
      <QueryTable
        query={payments}
        empty={<EmptyCard icon="money" title={t('No payments in this period')} />}
        label={t('Payments by method')}
        columns={[
          { label: t('Month'), cell: ({ month }) => monthText(month) },
          { label: t('Method@@payment'), cell: ({ method }) => methodText(method) },
          { label: t('Payments'), isNumber: true, cell: (row) => row.payments },
          {
            label: t('Received'),
            isNumber: true,
            cell: ({ received, currency }) => amountText(received, currency),
          },
          {
            label: t('Returned'),
            isNumber: true,
            cell: ({ returned, currency }) => amountText(returned, currency),
          },
        ]}

        rowKey={({ month, method, currency }) => [month, method, currency].join(' ')}
        minWidth={600}
      />
    </Section>
  );
}
