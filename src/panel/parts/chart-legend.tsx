// An entry of a chart's legend: the colour of a series, its name and its value.
import { Group, Text } from '@mantine/core';
import type { JSX } from 'react';

export interface LegendEntryProps {
  readonly colour: string;
  readonly name: string;
  readonly value?: string | undefined;
  readonly isLine?: true;
}

export function LegendEntry({ colour, name, value, isLine }: LegendEntryProps): JSX.Element {
  const mark =
    isLine === true ? { borderTop: `2px dashed ${colour}` } : { height: 10, borderRadius: 3, background: colour };
  return (
    <Group gap={6} wrap="nowrap">
      <span aria-hidden="true" style={{ width: 14, display: 'inline-block', ...mark }} />
      <Text size="xs" component="span">
        {name}
        {value !== undefined && (
          <Text span inherit fw={600} className="numbers">
            {` ${value}`}
          </Text>
        )}
      </Text>
    </Group>
  );
}
