// The billing run: a preview next to the previous run, and the run itself.
import { Alert, Card, List, Stack, Table, Text, Title } from '@mantine/core';
import type { JSX } from 'react';
import { useStaffChange } from '../data/operations.ts';
import { useStaffPages, type Row } from '../data/staff-pages.ts';
import { usePermissionDenial } from '../data/identity.ts';
import { ConfirmButton } from '../parts/action-button.tsx';
import { QueryResult, EmptyState } from '../parts/query-result.tsx';
import { Day } from '../parts/money.tsx';
import { moneyText } from '../parts/money-text.ts';
import { Page } from '../parts/page.tsx';
import { TableCard } from '../parts/table-card.tsx';
import { Icon } from '../shell/icons.tsx';
import { changeText } from './billing/change-text.ts';
import { CustomerLink } from './parts/links.tsx';
import { ShowMore } from './parts/show-more.tsx';
import { WorkflowTable } from './jobs/workflow-table.tsx';

type Bill = Row<'billingDryRun'>;
/** A dry run calculates every invoice, so it is not refreshed often. */
const refetchMs = 60_000;
const runsPerPage = 20;
const columns = [
  'Customer',
  'Period from',
  { label: 'Previous run', isNumber: true },
  { label: 'This run', isNumber: true },
  { label: 'Change', isNumber: true },
  'Differences',
];

export function BillingPage(): JSX.Element {
  const bills = useStaffPages('billingDryRun', {}, { refetchMs });
  const runs = useStaffPages('workflowList', { name: 'billing-run' }, { length: runsPerPage });
  const denial = usePermissionDenial()('operator:money');
  const start = useStaffChange('billingRunStart');
  const count = bills.data?.length ?? 0;
  const customers = `${count}${bills.hasMore ? ' or more' : ''} ${count === 1 ? 'customer' : 'customers'}`;
  return (
    <Page
      title="Billing run"
      description="Preview of the next billing run. No invoices are issued until you start it."
      actions={
        <ConfirmButton
          color="brand"
          leftSection={<Icon name="money" size={16} />}
          disabledReason={denial ?? (count === 0 ? 'Nothing is due.' : undefined)}
          question={`Start the billing run for ${customers}?`}
          consequence="Invoices will be numbered, issued and sent. An issued invoice cannot be changed, only corrected with a credit note."
          confirmLabel="Start billing run"
          onConfirm={() => start.mutateAsync({})}
        >
          Start billing run
        </ConfirmButton>
      }
    >
      {start.data !== undefined && (
        <Alert color="teal" variant="light" icon={<Icon name="check" />} role="status">
          Started for {start.data.started} {start.data.started === '1' ? 'customer' : 'customers'}. See the progress
          below.
        </Alert>
      )}
      <QueryResult query={bills} lines={6}>
        {(all) =>
          all.length === 0 ? (
            <Card>
              <EmptyState icon="money" title="Nothing is due">
                All customers are billed up to date.
              </EmptyState>
            </Card>
          ) : (
            <TableCard label="Next billing run" columns={columns} minWidth={900}>
              {all.map((bill) => (
                <BillRow key={`${bill.account} ${bill.period}`} bill={bill} />
              ))}
            </TableCard>
          )
        }
      </QueryResult>
      <ShowMore list={bills} />
      <Stack gap="xs" component="section" aria-labelledby="runs">
        <Title order={2} size="h4" id="runs">
          Billing runs
        </Title>
        <QueryResult query={runs}>
          {(all) =>
            all.length === 0 ? (
              <Text size="sm" c="dimmed">
                No billing runs yet
              </Text>
            ) : (
              <WorkflowTable workflows={all} />
            )
          }
        </QueryResult>
        <ShowMore list={runs} />
      </Stack>
    </Page>
  );
}

function BillRow({ bill }: { bill: Bill }): JSX.Element {
  return (
    <Table.Tr>
      <Table.Td>
        <CustomerLink account={bill.account} />
      </Table.Td>
      <Table.Td>
        <Day on={bill.period} />
      </Table.Td>
      <Table.Td ta="right" className="numbers">
        {moneyText(bill.before, '')}
      </Table.Td>
      <Table.Td ta="right" className="numbers" fw={600}>
        {moneyText(bill.now, '')}
      </Table.Td>
      <Table.Td ta="right" className="numbers">
        {changeText(bill.before, bill.now)}
      </Table.Td>
      <Table.Td>
        {bill.differences.length === 0 ? (
          <Text size="sm" c="dimmed">
            None
          </Text>
        ) : (
          <List size="sm" spacing={2}>
            {bill.differences.map((difference) => (
              <List.Item key={difference} className="wrap-anywhere">
                {difference}
              </List.Item>
            ))}
          </List>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
