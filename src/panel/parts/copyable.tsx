// A value in fixed-width type with a button that copies it.
import { ActionIcon, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import type { JSX } from 'react';
import { Icon } from '../shell/icons.tsx';
import { t } from '../text/text.ts';

export interface CopyableProps {
  readonly value: string;
  /** Of the value, for the button's accessible name. */
  readonly label: string;
}

export function Copyable({ value, label }: CopyableProps): JSX.Element {
  return (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
      <Text span inherit ff="monospace" miw={0} style={{ overflowWrap: 'break-word' }}>
        {value}
      </Text>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? t('Copied') : t('Copy')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              onClick={copy}
              aria-label={t('Copy {label} {value}', { label, value })}
            >
              <Icon name={copied ? 'check' : 'copy'} size={14} />
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
}
