// One workflow step by step, with actions for when it does not progress.
import { Alert, Code, Group, Progress, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import { useStaffChange, useStaffRead } from '../../data/operations.ts';
import { usePermissionDenial } from '../../data/identity.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { QueryResult, ErrorAlert } from '../../parts/query-result.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { percentText } from '../../parts/traffic-units.ts';
import { actionLabel } from '#text/operation-labels.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Facts } from '../../parts/facts.tsx';
import { CustomerLink, ServiceLink } from '../parts/links.tsx';
import { workflowTitle, WorkflowSteps, type Workflow } from '../parts/workflow-steps.tsx';
import { t, tError } from '../../text/text.ts';

const pollMs = 2000;

export function WorkflowDetail({ id }: { id: string }): JSX.Element {
  const query = useStaffRead('workflowGet', { id }, { refetchMs: pollMs });
  return (
    <QueryResult query={query} lines={8}>
      {(workflow) => (
        <Stack>
          <WorkflowFacts workflow={workflow} />
          <WorkflowActions workflow={workflow} />
          <WorkflowSteps steps={workflow.steps} />
        </Stack>
      )}
    </QueryResult>
  );
}

function WorkflowFacts({ workflow }: { workflow: Workflow }): JSX.Element {
  return (
    <>
      <Facts
        facts={[
          [t('Status'), <StateBadge key="state" state={workflow.status} />],
          [t('Started by'), actionLabel(workflow.operation)],
          [t('Customer'), <CustomerLink key="customer" account={workflow.account} />],
          [t('Service'), workflow.service === '' ? '' : <ServiceLink key="service" service={workflow.service} />],
          [t('Started'), <Timestamp key="started" at={workflow.started} />],
          [t('Ended'), workflow.ended === '' ? '' : <Timestamp key="ended" at={workflow.ended} />],
          [t('Attempts at this step'), workflow.ended === '' && workflow.tries !== '0' ? workflow.tries : ''],
        ]}
      />
      {(workflow.error !== '' || workflow.detail !== '') && (
        <Alert color="red" variant="light" title={t('Last error')}>
          <Stack gap="xs" align="flex-start">
            {workflow.error !== '' && <Text size="sm">{tError(workflow.code, workflow.error)}</Text>}
            {workflow.detail !== '' && <Code className="wrap-anywhere">{workflow.detail}</Code>}
          </Stack>
        </Alert>
      )}
      {workflow.ended === '' && (
        <div>
          <Text size="sm" mb={4}>
            {workflow.direction === 'back' ? t('Rolling back') : t('Running')}, {percentText(workflow.progress)}
          </Text>
          <Progress value={Number(workflow.progress)} animated aria-label={t('Progress')} />
        </div>
      )}
    </>
  );
}

function WorkflowActions({ workflow }: { workflow: Workflow }): JSX.Element {
  const denial = usePermissionDenial()('operator:equipment');
  const retry = useStaffChange('workflowRetry', { successMessage: t('Retrying the step') });
  const unwind = useStaffChange('workflowUnwind', { successMessage: t('Rolling back') });
  const endedReason = workflow.ended === '' ? undefined : t('The workflow has ended.');
  const rollingBackReason = workflow.direction === 'back' ? t('The workflow is already being rolled back.') : undefined;
  const name = workflowTitle(workflow.name);
  return (
    <>
      {retry.error !== null && <ErrorAlert error={retry.error} />}
      <Group gap="xs">
        <ActionButton
          variant="default"
          disabledReason={denial ?? endedReason}
          loading={retry.isPending}
          onClick={() => retry.mutate({ id: workflow.id })}
        >
          {t('Retry now')}
        </ActionButton>
        <ConfirmButton
          variant="light"
          color="red"
          disabledReason={denial ?? endedReason ?? rollingBackReason}
          question={
            workflow.service === ''
              ? t('Cancel “{name}”?', { name })
              : t('Cancel “{name}” of service {service}?', { name, service: workflow.service })
          }
          consequence={t('All completed steps are rolled back, last first.')}
          confirmLabel={t('Cancel and roll back')}
          dismissLabel={t('Close')}
          onConfirm={() => unwind.mutateAsync({ id: workflow.id })}
        />
      </Group>
    </>
  );
}
