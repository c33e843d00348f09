// One workflow, step by step, and what a person can do where it does not go on by itself.
import { Alert, Group, Progress, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import { useStaffChange, useStaffRead } from '../../data/read.ts';
import { usePowerRefusal } from '../../data/who.ts';
import { Act, AskFirst } from '../../parts/act.tsx';
import { Answer, Failed } from '../../parts/answer.tsx';
import { Moment } from '../../parts/moment.tsx';
import { StateBadge } from '../../parts/state.tsx';
import { Facts } from '../parts/facts.tsx';
import { CustomerLink, ServiceLink } from '../parts/links.tsx';
import { workName, WorkflowSteps, type Workflow } from '../parts/workflow-steps.tsx';

const whileItRunsMs = 2000;

export function WorkflowDetail({ id }: { id: string }): JSX.Element {
  const workflow = useStaffRead('workflowGet', { id }, { everyMs: whileItRunsMs });
  return (
    <Answer of={workflow} lines={8}>
      {(known) => (
        <Stack>
          <Known of={known} />
          <Decide of={known} />
          <WorkflowSteps steps={known.steps} />
        </Stack>
      )}
    </Answer>
  );
}

function Known({ of }: { of: Workflow }): JSX.Element {
  return (
    <>
      <Facts
        facts={[
          ['State', <StateBadge key="state" state={of.status} />],
          ['Asked for by', of.operation],
          ['Customer', <CustomerLink key="customer" account={of.account} />],
          ['Service', of.service === '' ? '' : <ServiceLink key="service" service={of.service} />],
          ['Started', <Moment key="started" at={of.started} />],
          ['Ended', of.ended === '' ? '' : <Moment key="ended" at={of.ended} />],
          ['Tries of this step', of.ended === '' && of.tries !== '0' ? of.tries : ''],
        ]}
      />
      {of.error !== '' && (
        <Alert color="red" variant="light" title={of.code}>
          {of.error}
        </Alert>
      )}
      {of.ended === '' && (
        <div>
          <Text size="sm" mb={4}>
            {of.direction === 'back' ? 'Being undone' : 'Under way'}, {of.progress} %
          </Text>
          <Progress value={Number(of.progress)} animated aria-label="Progress" />
        </div>
      )}
    </>
  );
}

function Decide({ of }: { of: Workflow }): JSX.Element {
  const refusal = usePowerRefusal()('operator:equipment');
  const retry = useStaffChange('workflowRetry', { done: 'The step is tried again.' });
  const unwind = useStaffChange('workflowUnwind', { done: 'It is being undone.' });
  const ended = of.ended === '' ? undefined : 'It has ended.';
  const undoing = of.direction === 'back' ? 'It is being undone already.' : undefined;
  const name = workName(of.name);
  return (
    <>
      {retry.error !== null && <Failed error={retry.error} />}
      <Group gap="xs">
        <Act
          variant="default"
          reason={refusal ?? ended}
          loading={retry.isPending}
          onClick={() => retry.mutate({ id: of.id })}
        >
          Try again now
        </Act>
        <AskFirst
          variant="light"
          color="red"
          reason={refusal ?? ended ?? undoing}
          question={`Give up “${name}”${of.service === '' ? '' : ` of service ${of.service}`}?`}
          consequence="Every step that is done is undone, the last first. What was asked for does not happen."
          yes="Give up and undo"
          act={() => unwind.mutateAsync({ id: of.id })}
        >
          Give up
        </AskFirst>
      </Group>
    </>
  );
}
