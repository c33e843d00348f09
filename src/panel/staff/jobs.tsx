// Background jobs: workflows with their steps, and jobs that failed permanently.
import { Group, SegmentedControl, Stack } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useStaffPages } from '../data/staff-pages.ts';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { ItemDrawer } from '../parts/item-drawer.tsx';
import { useOpenItem } from '../parts/open-item.ts';
import { Page } from '../parts/page.tsx';
import { ShowMore } from './parts/show-more.tsx';
import { StatusFilter } from './parts/search-bar.tsx';
import { FailedWork } from './jobs/failed-work.tsx';
import { WorkflowDetail } from './jobs/workflow-detail.tsx';
import { WorkflowTable } from './jobs/workflow-table.tsx';
import { t } from '../text/text.ts';

const statuses = ['Queued', 'Running', 'Stuck', 'Completed', 'Failed', 'Cancelled'] as const;

export function JobsPage(): JSX.Element {
  const [view, setView] = useState('workflows');
  const item = useOpenItem();
  return (
    <Page
      title={t('Jobs')}
      description={t('Background jobs of all customers, and jobs that need attention')}
      actions={
        <SegmentedControl
          value={view}
          onChange={setView}
          aria-label={t('View')}
          data={[
            { value: 'workflows', label: t('Workflows') },
            { value: 'jobs', label: t('Failed work') },
          ]}
        />
      }
    >
      {view === 'jobs' ? <FailedWork /> : <Workflows />}
      <ItemDrawer item={item} size="md" title={t('Workflow')}>
        {(id) => <WorkflowDetail id={id} />}
      </ItemDrawer>
    </Page>
  );
}

function Workflows(): JSX.Element {
  const [status, setStatus] = useState<(typeof statuses)[number]>();
  const workflows = useStaffPages('workflowList', { status });
  return (
    <Stack>
      <Group>
        <StatusFilter options={statuses} value={status} onChange={setStatus} />
      </Group>
      <QueryResult
        query={workflows}
        lines={8}
        empty={
          <EmptyCard
            icon="work"
            title={status === undefined ? t('No workflows yet') : t('No workflows with this status')}
          />
        }
      >
        {(all) => <WorkflowTable workflows={all} />}
      </QueryResult>
      <ShowMore query={workflows} />
    </Stack>
  );
}
