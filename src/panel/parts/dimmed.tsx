// Secondary text, such as a description or the second line of a table cell.
import { Text, type TextProps } from '@mantine/core';
import type { JSX, ReactNode } from 'react';

export interface DimmedProps extends TextProps {
  readonly children: ReactNode;
}

export function Dimmed(props: DimmedProps): JSX.Element {
  return <Text size="sm" c="dimmed" {...props} />;
}
