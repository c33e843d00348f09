// A value with a small label above it.
import { Text, type TextProps } from '@mantine/core';
import type { JSX, ReactNode } from 'react';

export interface FigureProps extends Pick<TextProps, 'size'> {
  readonly name: string;
  readonly children: ReactNode;
}

export function Figure({ name, children, ...props }: FigureProps): JSX.Element {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text fw={600} className="numbers" component="div" {...props}>
        {children}
      </Text>
    </div>
  );
}
