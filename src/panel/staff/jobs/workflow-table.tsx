// Workflows, newest first, with their progress or error.
import { Group, Progress, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { Row } from '../../data/staff-pages.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { percentText } from '../../parts/traffic-units.ts';
import { stepLabel } from '#text/operation-labels.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import { TableCard, type Column } from '../../parts/table-card.tsx';
import { CustomerLink, ServiceLink, WorkflowLink } from '../parts/links.tsx';
import { workflowTitle } from '../parts/workflow-steps.tsx';
import { t, tError } from '../../text/text.ts';

type Workflow = Row<'workflowList'>;
const columns: readonly Column<Workflow>[] = [
  { label: t('Workflow'), cell: ({ id, name }) => <WorkflowLink id={id}>{workflowTitle(name)}</WorkflowLink> },
  { label: t('Status'), cell: ({ status }) => <StateBadge state={status} /> },
  { label: t('Progress'), miw: 190, maw: 320, cell: (workflow) => <WorkflowProgress workflow={workflow} /> },
  { label: t('Customer'), cell: ({ account }) => <CustomerLink account={account} /> },
  { label: t('Service'), cell: ({ service }) => <ServiceLink service={service} /> },
  { label: t('Started'), cell: ({ started }) => <Timestamp at={started} isRelative /> },
];

export function WorkflowTable({ workflows }: { workflows: readonly Workflow[] }): JSX.Element {
  return <TableCard label={t('Workflows')} columns={columns} rows={workflows} rowKey={({ id }) => id} minWidth={820} />;
}

function WorkflowProgress({ workflow }: { workflow: Workflow }): JSX.Element {
  if (workflow.ended !== '')
    return (
      <Dimmed className="wrap-anywhere" lineClamp={2}>
        {workflow.error === '' ? t('Done') : tError(workflow.code, workflow.error)}
      </Dimmed>
    );
  return (
    <>
      <Group gap={6} wrap="nowrap" justify="space-between">
        <Text size="xs" truncate>
          {workflow.direction === 'back'
            ? t('Rolling back: {step}', { step: stepLabel(workflow.step) })
            : stepLabel(workflow.step)}
        </Text>
        <Text size="xs" className="numbers">
          {percentText(workflow.progress)}
        </Text>
      </Group>
      <Progress
        value={Number(workflow.progress)}
        size="sm"
        color={workflow.direction === 'back' ? 'orange' : 'brand'}
        aria-label={t('Progress of {name}', { name: workflowTitle(workflow.name) })}
      />
    </>
  );
}
