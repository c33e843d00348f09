// Workflows, newest first, with their progress or error.
import { Group, Progress, Table, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { Row } from '../../data/staff-pages.ts';
import { Timestamp } from '../../parts/timestamp.tsx';
import { stepLabel } from '../../parts/operation-labels.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import { TableCard } from '../../parts/table-card.tsx';
import { CustomerLink, ServiceLink, WorkflowLink } from '../parts/links.tsx';
import { workflowTitle } from '../parts/workflow-steps.tsx';

const columns = ['Workflow', 'Status', 'Progress', 'Customer', 'Service', 'Started'];

export function WorkflowTable({ workflows }: { workflows: readonly Row<'workflowList'>[] }): JSX.Element {
  return (
    <TableCard label="Workflows" columns={columns} minWidth={820}>
      {workflows.map((workflow) => (
        <Table.Tr key={workflow.id}>
          <Table.Td>
            <WorkflowLink id={workflow.id}>{workflowTitle(workflow.name)}</WorkflowLink>
          </Table.Td>
          <Table.Td>
            <StateBadge state={workflow.status} />
          </Table.Td>
          <Table.Td miw={190} maw={320}>
            <WorkflowProgress workflow={workflow} />
          </Table.Td>
          <Table.Td>
            <CustomerLink account={workflow.account} />
          </Table.Td>
          <Table.Td>
            <ServiceLink service={workflow.service} />
          </Table.Td>
          <Table.Td>
            <Timestamp at={workflow.started} isRelative />
          </Table.Td>
        </Table.Tr>
      ))}
    </TableCard>
  );
}

function WorkflowProgress({ workflow }: { workflow: Row<'workflowList'> }): JSX.Element {
  if (workflow.ended !== '')
    return (
      <Text size="sm" c="dimmed" className="wrap-anywhere" lineClamp={2}>
        {workflow.error === '' ? 'Done' : workflow.error}
      </Text>
    );
  return (
    <>
      <Group gap={6} wrap="nowrap" justify="space-between">
        <Text size="xs" truncate>
          {workflow.direction === 'back' ? `Rolling back: ${stepLabel(workflow.step)}` : stepLabel(workflow.step)}
        </Text>
        <Text size="xs" className="numbers">
          {workflow.progress} %
        </Text>
      </Group>
      <Progress
        value={Number(workflow.progress)}
        size="sm"
        color={workflow.direction === 'back' ? 'orange' : 'brand'}
        aria-label={`Progress of ${workflowTitle(workflow.name)}`}
      />
    </>
  );
}
