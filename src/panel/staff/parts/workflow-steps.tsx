// The steps of a workflow and their states.
import { Text, ThemeIcon, Timeline } from '@mantine/core';
import type { JSX } from 'react';
import type { StaffResult } from '../../data/operations.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { spellOut, stepLabel } from '#text/operation-labels.ts';
import { Icon } from '../../shell/icons.tsx';
import { t } from '../../text/text.ts';

export type Workflow = StaffResult<'workflowGet'>;
type Step = Workflow['steps'][number];

const stepStyles: Readonly<
  Record<Step['state'], { readonly colour: string; readonly icon?: 'check' | 'refresh' | 'work' }>
> = {
  done: { colour: 'teal', icon: 'check' },
  'under way': { colour: 'blue', icon: 'work' },
  'to come': { colour: 'gray' },
  undone: { colour: 'orange', icon: 'refresh' },
};

const stateNames: Readonly<Record<Step['state'], string>> = {
  done: t('Done'),
  'under way': t('Running'),
  'to come': t('Pending'),
  undone: t('Rolled back'),
};

const titles: Readonly<Record<string, string>> = {
  'machine-create': t('Create machine'),
  'machine-migrate': t('Migrate machine'),
  'machine-power': t('Machine power command'),
  'machine-reinstall': t('Reinstall machine'),
  'server-password': t('Reset root password'),
  'server-reload': t('Install operating system'),
  'server-rescue': t('Boot rescue system'),
  'service-resume': t('Resume service'),
  'service-suspend': t('Suspend service'),
  'service-terminate': t('Terminate service'),
};

export function workflowTitle(name: string): string {
  return titles[name] ?? spellOut(name);
}

export function WorkflowSteps({ steps }: { steps: readonly Step[] }): JSX.Element {
  if (steps.length === 0)
    return <Dimmed>{t('The steps are not known to this server version. This can happen during an upgrade.')}</Dimmed>;
  return (
    <Timeline bulletSize={22} lineWidth={2} aria-label={t('Steps')}>
      {steps.map(({ name, state }) => {
        const { colour, icon } = stepStyles[state];
        return (
          <Timeline.Item
            key={name}
            title={<Text size="sm">{stepLabel(name)}</Text>}
            bullet={
              <ThemeIcon size={22} radius="xl" color={colour} variant={state === 'to come' ? 'light' : 'filled'}>
                {icon === undefined ? null : <Icon name={icon} size={13} />}
              </ThemeIcon>
            }
          >
            <Dimmed size="xs">{stateNames[state]}</Dimmed>
          </Timeline.Item>
        );
      })}
    </Timeline>
  );
}
