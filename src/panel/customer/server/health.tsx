// The health of a device in one word, with the reason as a tooltip.
import { Group, Text, Tooltip } from '@mantine/core';
import type { JSX } from 'react';
import type { DeviceState } from '#sdk/v2.ts';
import { Icon, type IconName } from '../../shell/icons.tsx';
import { t } from '../../text/text.ts';

const signs: Record<DeviceState['health'], readonly [icon: IconName, colour: string]> = {
  Good: ['check', 'light-dark(var(--mantine-color-teal-8), var(--mantine-color-teal-5))'],
  Waiting: ['refresh', 'dimmed'],
  Unreachable: ['warning', 'light-dark(#b3450a, var(--mantine-color-orange-5))'],
  Maintenance: ['work', 'light-dark(var(--mantine-color-blue-8), var(--mantine-color-blue-4))'],
  Locked: ['key', 'light-dark(#b3450a, var(--mantine-color-orange-5))'],
};

const words: Record<DeviceState['health'], string> = {
  Good: t('Good'),
  Waiting: t('Waiting'),
  Unreachable: t('Unreachable'),
  Maintenance: t('Maintenance'),
  Locked: t('Locked'),
};

export function Health({ state }: { state: DeviceState | undefined }): JSX.Element {
  if (state === undefined) return <Text c="dimmed">—</Text>;
  const [icon, colour] = signs[state.health];
  const word = (
    <Group gap={6} wrap="nowrap" w="fit-content" component="span">
      <Text span c={colour} lh={0}>
        <Icon name={icon} size={16} />
      </Text>
      <Text span inherit>
        {words[state.health]}
      </Text>
    </Group>
  );
  return state.reason === '' ? word : <Tooltip label={state.reason}>{word}</Tooltip>;
}
