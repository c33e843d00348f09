// A value with a small label above it.
import { Card, Text, type TextProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { Dimmed } from './dimmed.tsx';

export interface FigureProps extends Pick<TextProps, 'size'> {
  readonly name: string;
  readonly children: ReactNode;
}

export function Figure({ name, children, ...props }: FigureProps): JSX.Element {
  return (
    <div>
      <Dimmed size="xs">{name}</Dimmed>
      <Text fw={600} className="numbers" component="div" {...props}>
        {children}
      </Text>
    </div>
  );
}

export interface FigureCardProps {
  readonly name: string;
  /** The page that the name links to. */
  readonly to?: string;
  readonly children: ReactNode;
}

/** A card with one large figure. */
export function FigureCard({ name, to, children }: FigureCardProps): JSX.Element {
  return (
    <Card padding="sm">
      <Dimmed>
        {to === undefined ? (
          name
        ) : (
          <Link to={to} className="plain">
            {name}
          </Link>
        )}
      </Dimmed>
      <Text size="xl" fw={650} className="numbers" component="div">
        {children}
      </Text>
    </Card>
  );
}
