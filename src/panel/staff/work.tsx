// Work in the background: workflows with their steps, and jobs that failed for good.
import { Card, Drawer, Group, SegmentedControl, Stack, Title } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useStaffPages } from '../data/staff-pages.ts';
import { Answer, Empty } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { More } from './parts/more.tsx';
import { useOpened } from './parts/opened.ts';
import { Choice } from './parts/search-bar.tsx';
import { FailedJobs } from './work/failed-jobs.tsx';
import { WorkflowDetail } from './work/workflow-detail.tsx';
import { WorkflowTable } from './work/workflow-table.tsx';

const statuses = ['Queued', 'Running', 'Stuck', 'Completed', 'Failed', 'Cancelled'] as const;

export function WorkPage(): JSX.Element {
  const [shown, setShown] = useState('workflows');
  const { opened, close } = useOpened();
  return (
    <Page
      title="Work"
      about="What runs in the background for any customer, and what does not go on by itself."
      actions={
        <SegmentedControl
          value={shown}
          onChange={setShown}
          aria-label="Which work"
          data={[
            { value: 'workflows', label: 'Workflows' },
            { value: 'jobs', label: 'Failed jobs' },
          ]}
        />
      }
    >
      {shown === 'jobs' ? <FailedJobs /> : <Workflows />}
      <Drawer
        opened={opened !== undefined}
        onClose={close}
        position="right"
        size="md"
        title={<Title order={2} size="h4" component="span" children="Workflow" />}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {opened !== undefined && <WorkflowDetail id={opened} />}
      </Drawer>
    </Page>
  );
}

function Workflows(): JSX.Element {
  const [status, setStatus] = useState<(typeof statuses)[number]>();
  const workflows = useStaffPages('workflowList', status === undefined ? {} : { status });
  return (
    <Stack>
      <Group>
        <Choice label="State" any="Any state" options={statuses} value={status} onChange={setStatus} />
      </Group>
      <Answer of={workflows} lines={8}>
        {(all) =>
          all.length === 0 ? (
            <Card>
              <Empty
                icon="work"
                title={status === undefined ? 'Nothing ran yet' : `Nothing is ${status.toLowerCase()}`}
              />
            </Card>
          ) : (
            <WorkflowTable workflows={all} />
          )
        }
      </Answer>
      <More of={workflows} />
    </Stack>
  );
}
