// Workflows, newest first: what each does, how far it is, and why it stopped.
import { Group, Progress, Table, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { Row } from '../../data/staff-pages.ts';
import { Moment } from '../../parts/moment.tsx';
import { StateBadge } from '../../parts/state.tsx';
import { TableCard } from '../../parts/table-card.tsx';
import { CustomerLink, ServiceLink, WorkflowLink } from '../parts/links.tsx';
import { workName } from '../parts/workflow-steps.tsx';

const columns = ['Work', 'State', 'Progress', 'Customer', 'Service', 'Started'];

export function WorkflowTable({ workflows }: { workflows: readonly Row<'workflowList'>[] }): JSX.Element {
  return (
    <TableCard label="Workflows" columns={columns} minWidth={820}>
      {workflows.map((workflow) => (
        <Table.Tr key={workflow.id}>
          <Table.Td>
            <WorkflowLink id={workflow.id}>{workName(workflow.name)}</WorkflowLink>
          </Table.Td>
          <Table.Td>
            <StateBadge state={workflow.status} />
          </Table.Td>
          <Table.Td miw={190} maw={320}>
            <Doing of={workflow} />
          </Table.Td>
          <Table.Td>
            <CustomerLink account={workflow.account} />
          </Table.Td>
          <Table.Td>
            <ServiceLink service={workflow.service} />
          </Table.Td>
          <Table.Td>
            <Moment at={workflow.started} ago />
          </Table.Td>
        </Table.Tr>
      ))}
    </TableCard>
  );
}

function Doing({ of }: { of: Row<'workflowList'> }): JSX.Element {
  if (of.ended !== '')
    return (
      <Text size="sm" c="dimmed" className="wrap-anywhere" lineClamp={2}>
        {of.error === '' ? 'Done' : of.error}
      </Text>
    );
  return (
    <>
      <Group gap={6} wrap="nowrap" justify="space-between">
        <Text size="xs" truncate>
          {of.direction === 'back' ? `Undoing: ${workName(of.step)}` : workName(of.step)}
        </Text>
        <Text size="xs" className="numbers">
          {of.progress} %
        </Text>
      </Group>
      <Progress
        value={Number(of.progress)}
        size="sm"
        color={of.direction === 'back' ? 'orange' : 'yard'}
        aria-label={`Progress of ${workName(of.name)}`}
      />
    </>
  );
}
