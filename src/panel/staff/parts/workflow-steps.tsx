// The steps of a workflow as they stand: what is done, what is under way, what is undone.
import { Text, ThemeIcon, Timeline } from '@mantine/core';
import type { JSX } from 'react';
import type { Methods } from '#sdk/operator.ts';
import { Icon } from '../../shell/icons.tsx';

export type Workflow = Awaited<ReturnType<Methods['workflowGet']>>;
type Step = Workflow['steps'][number];

const looks: Readonly<
  Record<Step['state'], { readonly colour: string; readonly sign?: 'check' | 'refresh' | 'work' }>
> = {
  done: { colour: 'teal', sign: 'check' },
  'under way': { colour: 'blue', sign: 'work' },
  'to come': { colour: 'gray' },
  undone: { colour: 'orange', sign: 'refresh' },
};

/** `machine-create` as people say it. */
export function workName(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function WorkflowSteps({ steps }: { steps: readonly Step[] }): JSX.Element {
  if (steps.length === 0)
    return (
      <Text size="sm" c="dimmed">
        This node does not know the steps of it, as during an upgrade.
      </Text>
    );
  return (
    <Timeline bulletSize={22} lineWidth={2} aria-label="Steps">
      {steps.map(({ name, state }) => {
        const { colour, sign } = looks[state];
        return (
          <Timeline.Item
            key={name}
            title={<Text size="sm">{workName(name)}</Text>}
            bullet={
              <ThemeIcon size={22} radius="xl" color={colour} variant={state === 'to come' ? 'light' : 'filled'}>
                {sign === undefined ? null : <Icon name={sign} size={13} />}
              </ThemeIcon>
            }
          >
            <Text size="xs" c="dimmed">
              {state}
            </Text>
          </Timeline.Item>
        );
      })}
    </Timeline>
  );
}
