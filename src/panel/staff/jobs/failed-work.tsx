// Work that needs a person: workflows that are stuck or failed, with the step and its error, and jobs whose retries all failed.
import { Code, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import { usePermissionDenial } from '../../data/identity.ts';
import { useStaffChange } from '../../data/operations.ts';
import { useStaffPages, type Row } from '../../data/staff-pages.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { stepLabel } from '../../parts/operation-labels.ts';
import { EmptyCard, ErrorAlert, QueryResult } from '../../parts/query-result.tsx';
import { Section } from '../../parts/section.tsx';
import { TableCard, type Column } from '../../parts/table-card.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { CustomerLink, ServiceLink, WorkflowLink } from '../parts/links.tsx';
import { ShowMore } from '../parts/show-more.tsx';
import { workflowTitle } from '../parts/workflow-steps.tsx';
import { FailedJobs } from './failed-jobs.tsx';
import { Runbook } from './runbook.tsx';

type Workflow = Row<'workflowList'>;

const columns: readonly Column<Workflow>[] = [
  { label: 'Workflow', cell: ({ id, name }) => <WorkflowLink id={id}>{workflowTitle(name)}</WorkflowLink> },
  { label: 'Step', cell: ({ step }) => (step === '' ? '—' : stepLabel(step)) },
  {
    label: 'Error',
    className: 'wrap-anywhere',
    maw: 360,
    cell: ({ error, detail }) => (
      <>
        <Text size="sm">{error}</Text>
        {detail !== '' && detail !== error && <Code className="wrap-anywhere">{detail}</Code>}
      </>
    ),
  },
  { label: 'Customer', cell: ({ account }) => <CustomerLink account={account} /> },
  { label: 'Service', cell: ({ service }) => <ServiceLink service={service} /> },
  { label: 'Started', cell: ({ started }) => <Timestamp at={started} isRelative /> },
];

export function FailedWork(): JSX.Element {
  const denial = usePermissionDenial()('operator:equipment');
  const retry = useStaffChange('workflowRetry', { successMessage: 'Retrying the step' });
  const withRetry: readonly Column<Workflow>[] = [
    ...columns,
    {
      label: 'Actions',
      width: 1,
      cell: ({ id, name }) => (
        <ActionButton
          size="compact-sm"
          variant="default"
          disabledReason={denial}
          aria-label={`Retry: ${workflowTitle(name)} ${id}`}
          onClick={() => retry.mutate({ id })}
        >
          Retry
        </ActionButton>
      ),
    },
  ];
  return (
    <Stack gap="lg">
      <Section title="Stuck workflows">
        {retry.error !== null && <ErrorAlert error={retry.error} />}
        <Workflows status="Stuck" columns={withRetry} empty="No stuck workflows" />
        <Runbook page="HostyardWorkflowStuck" />
      </Section>
      <Section title="Failed jobs">
        <FailedJobs />
        <Runbook page="HostyardJobsFailed" />
      </Section>
      <Section title="Failed workflows">
        <Text size="sm" c="dimmed">
          These were rolled back. Start the action again from the service’s page.
        </Text>
        <Workflows status="Failed" columns={columns} empty="No failed workflows" />
      </Section>
    </Stack>
  );
}

interface WorkflowsProps {
  readonly status: 'Stuck' | 'Failed';
  readonly columns: readonly Column<Workflow>[];
  readonly empty: string;
}

function Workflows({ status, columns: shown, empty }: WorkflowsProps): JSX.Element {
  const workflows = useStaffPages('workflowList', { status }, { length: 25 });
  return (
    <>
      <QueryResult query={workflows} empty={<EmptyCard icon="check" title={empty} />}>
        {(all) => (
          <TableCard label={empty.slice(3)} columns={shown} rows={all} rowKey={({ id }) => id} minWidth={880} />
        )}
      </QueryResult>
      <ShowMore query={workflows} />
    </>
  );
}
