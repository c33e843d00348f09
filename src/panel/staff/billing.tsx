// The billing run: what it would bill beside what the run before billed, then the run itself.
import { Alert, Card, List, Stack, Table, Text, Title } from '@mantine/core';
import type { JSX } from 'react';
import { useStaffChange } from '../data/read.ts';
import { useStaffPages, type Row } from '../data/staff-pages.ts';
import { usePowerRefusal } from '../data/who.ts';
import { AskFirst } from '../parts/act.tsx';
import { Answer, Empty } from '../parts/answer.tsx';
import { Day } from '../parts/money.tsx';
import { moneyText } from '../parts/money-text.ts';
import { Page } from '../parts/page.tsx';
import { TableCard } from '../parts/table-card.tsx';
import { Icon } from '../shell/icons.tsx';
import { changeText } from './billing/change-text.ts';
import { CustomerLink } from './parts/links.tsx';
import { More } from './parts/more.tsx';
import { WorkflowTable } from './work/workflow-table.tsx';

type Due = Row<'billingDryRun'>;
/** A dry run reckons every bill: not every few seconds. */
const lookMs = 60_000;
const runsShown = 20;
const columns = [
  'Customer',
  'Period from',
  { label: 'Run before', isNumber: true },
  { label: 'This run', isNumber: true },
  { label: 'Change', isNumber: true },
  'What differs',
];

export function BillingPage(): JSX.Element {
  const due = useStaffPages('billingDryRun', {}, { everyMs: lookMs });
  const runs = useStaffPages('workflowList', { name: 'billing-run' }, { length: runsShown });
  const refusal = usePowerRefusal()('operator:money');
  const start = useStaffChange('billingRunStart');
  const count = due.data?.length ?? 0;
  const customers = `${count}${due.hasMore ? ' or more' : ''} ${count === 1 ? 'customer' : 'customers'}`;
  return (
    <Page
      title="Billing run"
      about="What would be billed now, beside the run before. Nothing is issued until the run is started."
      actions={
        <AskFirst
          color="yard"
          leftSection={<Icon name="money" size={16} />}
          reason={refusal ?? (count === 0 ? 'Nothing is due.' : undefined)}
          question={`Start the billing run for ${customers}?`}
          consequence="Invoices are numbered, issued and sent. An invoice that was issued is never changed: a mistake takes a credit note."
          yes="Start the run"
          act={() => start.mutateAsync({})}
        >
          Start the run
        </AskFirst>
      }
    >
      {start.data !== undefined && (
        <Alert color="teal" variant="light" icon={<Icon name="check" />} role="status">
          Started for {start.data.started} {start.data.started === '1' ? 'customer' : 'customers'}. How it goes is
          below.
        </Alert>
      )}
      <Answer of={due} lines={6}>
        {(all) =>
          all.length === 0 ? (
            <Card>
              <Empty icon="money" title="Nothing is due">
                Every customer whose period has begun has been billed.
              </Empty>
            </Card>
          ) : (
            <TableCard label="What would be billed" columns={columns} minWidth={900}>
              {all.map((one) => (
                <DueRow key={`${one.account} ${one.period}`} of={one} />
              ))}
            </TableCard>
          )
        }
      </Answer>
      <More of={due} />
      <Stack gap="xs" component="section" aria-labelledby="runs">
        <Title order={2} size="h4" id="runs">
          Runs
        </Title>
        <Answer of={runs}>
          {(all) =>
            all.length === 0 ? (
              <Text size="sm" c="dimmed">
                None yet.
              </Text>
            ) : (
              <WorkflowTable workflows={all} />
            )
          }
        </Answer>
        <More of={runs} />
      </Stack>
    </Page>
  );
}

function DueRow({ of }: { of: Due }): JSX.Element {
  return (
    <Table.Tr>
      <Table.Td>
        <CustomerLink account={of.account} />
      </Table.Td>
      <Table.Td>
        <Day on={of.period} />
      </Table.Td>
      <Table.Td ta="right" className="numbers">
        {moneyText(of.before, '')}
      </Table.Td>
      <Table.Td ta="right" className="numbers" fw={600}>
        {moneyText(of.now, '')}
      </Table.Td>
      <Table.Td ta="right" className="numbers">
        {changeText(of.before, of.now)}
      </Table.Td>
      <Table.Td>
        {of.differences.length === 0 ? (
          <Text size="sm" c="dimmed">
            Nothing
          </Text>
        ) : (
          <List size="sm" spacing={2}>
            {of.differences.map((difference) => (
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
