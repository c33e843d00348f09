// Work that needs a person: workflows that are stuck or failed, with the step and its error, and jobs whose retries all failed.
import { Code, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import { usePermissionDenial } from '../../data/identity.ts';
import { useStaffChange } from '../../data/operations.ts';
import { useStaffPages, type Row } from '../../data/staff-pages.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { ActionButton } from '../../parts/action-button.tsx';
import { stepLabel } from '#text/operation-labels.ts';
import { EmptyCard, ErrorAlert } from '../../parts/query-result.tsx';
import { Section } from '../../parts/section.tsx';
import { type Column } from '../../parts/table-card.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { CustomerLink, ServiceLink, WorkflowLink } from '../parts/links.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { workflowTitle } from '../parts/workflow-steps.tsx';
import { FailedJobs } from './failed-jobs.tsx';
import { Runbook } from './runbook.tsx';
import { t, tError } from '../../text/text.ts';

type Workflow = Row<'workflowList'>;

const columns: readonly Column<Workflow>[] = [
  { label: t('Workflow'), cell: ({ id, name }) => <WorkflowLink id={id}>{workflowTitle(name)}</WorkflowLink> },
  { label: t('Step'), cell: ({ step }) => (step === '' ? '—' : stepLabel(step)) },
  {
    label: t('Error'),
    className: 'wrap-anywhere',
    maw: 360,
    cell: ({ code, error, detail }) => (
      <>
        <Text size="sm">{tError(code, error)}</Text>
        {detail !== '' && detail !== error && <Code className="wrap-anywhere">{detail}</Code>}
      </>
    ),
  },
  { label: t('Customer'), cell: ({ account }) => <CustomerLink account={account} /> },
  { label: t('Service'), cell: ({ service }) => <ServiceLink service={service} /> },
  { label: t('Started'), cell: ({ started }) => <Timestamp at={started} isRelative /> },
];

export function FailedWork(): JSX.Element {
  const denial = usePermissionDenial()('operator:equipment');
  const retry = useStaffChange('workflowRetry', { successMessage: t('Retrying the step') });
  const withRetry: readonly Column<Workflow>[] = [
    ...columns,
    {
      label: t('Actions'),
      width: 1,
      cell: ({ id, name }) => (
        <ActionButton
          isInRow
          disabledReason={denial}
          aria-label={t('Retry: {name} {id}', { name: workflowTitle(name), id })}
          loading={retry.isPending && retry.variables.id === id}
          onClick={() => retry.mutate({ id })}
        >
          {t('Retry')}
        </ActionButton>
      ),
    },
  ];
  return (
    <Stack gap="lg">
      <Section title={t('Stuck workflows')}>
        {retry.error !== null && <ErrorAlert error={retry.error} />}
        <Workflows status="Stuck" label={t('Stuck workflows')} columns={withRetry} empty={t('No stuck workflows')} />
        <Runbook page="HostyardWorkflowStuck" />
      </Section>
      <Section title={t('Failed jobs')}>
        <FailedJobs />
        <Runbook page="HostyardJobsFailed" />
      </Section>
      <Section title={t('Failed workflows')}>
        <Dimmed>{t('These were rolled back. Start the action again from the service’s page.')}</Dimmed>
        <Workflows status="Failed" label={t('Failed workflows')} columns={columns} empty={t('No failed workflows')} />
      </Section>
    </Stack>
  );
}

interface WorkflowsProps {
  readonly status: 'Stuck' | 'Failed';
  readonly label: string;
  readonly columns: readonly Column<Workflow>[];
  readonly empty: string;
}

function Workflows({ status, label, columns: shown, empty }: WorkflowsProps): JSX.Element {
  const workflows = useStaffPages('workflowList', { status }, { length: 25 });
  return (
    <>
      <PagedTable
        query={workflows}
        label={label}
        columns={shown}
        minWidth={880}
        empty={<EmptyCard icon="check" title={empty} />}
      />
    </>
  );
}
