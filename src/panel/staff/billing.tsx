// The billing run: a preview next to the previous run, and the run itself.
import { Alert, List } from '@mantine/core';
import type { JSX } from 'react';
import { useStaffChange } from '../data/operations.ts';
import { useStaffPages, type Row } from '../data/staff-pages.ts';
import { usePermissionDenial } from '../data/identity.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Dimmed } from '../parts/dimmed.tsx';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { Day } from '../parts/money.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { type Column } from '../parts/table-card.tsx';
import { Icon } from '../shell/icons.tsx';
import { changeText } from './billing/change-text.ts';
import { CustomerAmount, CustomerLink } from './parts/links.tsx';
import { PagedTable } from './parts/paged-table.tsx';
import { ShowMore } from './parts/show-more.tsx';
import { WorkflowTable } from './jobs/workflow-table.tsx';
import { t, tCount } from '../text/text.ts';

/** A dry run calculates every invoice, so it is not refreshed often. */
const refetchMs = 60_000;
const runsPerPage = 20;
const columns: readonly Column<Row<'billingDryRun'>>[] = [
  { label: t('Customer'), cell: ({ account }) => <CustomerLink account={account} /> },
  { label: t('Period from'), cell: ({ period }) => <Day on={period} /> },
  {
    label: t('Previous run'),
    isNumber: true,
    cell: ({ account, before }) => <CustomerAmount account={account} amount={before} />,
  },
  {
    label: t('This run'),
    isNumber: true,
    fw: 600,
    cell: ({ account, now }) => <CustomerAmount account={account} amount={now} />,
  },
  { label: t('Change'), isNumber: true, cell: ({ before, now }) => changeText(before, now) },
  { label: t('Differences'), cell: ({ differences }) => <Differences lines={differences} /> },
];

export function BillingPage(): JSX.Element {
  const bills = useStaffPages('billingDryRun', {}, { refetchMs });
  const runs = useStaffPages('workflowList', { name: 'billing-run' }, { length: runsPerPage });
  const denial = usePermissionDenial()('operator:money');
  const start = useStaffChange('billingRunStart');
  const count = bills.data?.length ?? 0;
  return (
    <Page
      title={t('Billing run')}
      description={t('Preview of the next billing run. No invoices are issued until you start it.')}
      actions={
        <ConfirmButton
          color="brand"
          icon="money"
          disabledReason={denial ?? (count === 0 ? t('Nothing is due.') : undefined)}
          question={
            bills.hasNextPage
              ? t('Start the billing run for {count} or more customers?', { count })
              : tCount(count, {
                  one: 'Start the billing run for {count} customer?',
                  other: 'Start the billing run for {count} customers?',
                })
          }
          consequence={t(
            'Invoices will be numbered, issued and sent. An issued invoice cannot be changed, only corrected with a credit note.',
          )}
          confirmLabel={t('Start billing run')}
          onConfirm={() => start.mutateAsync({})}
        />
      }
    >
      {start.data !== undefined && (
        <Alert color="teal" variant="light" icon={<Icon name="check" />} role="status">
          {tCount(Number(start.data.started), {
            one: 'Started for {count} customer. See the progress below.',
            other: 'Started for {count} customers. See the progress below.',
          })}
        </Alert>
      )}
      <PagedTable
        query={bills}
        lines={6}
        empty={nothingDue}
        label={t('Next billing run')}
        columns={columns}
        rowKey={({ account, period }) => `${account} ${period}`}
        minWidth={900}
      />
      <Section title={t('Billing runs')}>
        <QueryResult query={runs} empty={<EmptyCard icon="invoice" title={t('No billing runs yet')} />}>
          {(all) => <WorkflowTable workflows={all} />}
        </QueryResult>
        <ShowMore query={runs} />
      </Section>
    </Page>
  );
}

const nothingDue = (
  <EmptyCard icon="money" title={t('Nothing is due')}>
    {t('All customers are billed up to date.')}
  </EmptyCard>
);

function Differences({ lines }: { lines: readonly string[] }): JSX.Element {
  if (lines.length === 0) return <Dimmed>{t('None')}</Dimmed>;
  return (
    <List size="sm" spacing={2}>
      {lines.map((line) => (
        <List.Item key={line} className="wrap-anywhere">
          {line}
        </List.Item>
      ))}
    </List>
  );
}
