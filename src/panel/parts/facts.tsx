// A list of labelled values.
import { Text } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import styles from './facts.module.css';

export type Fact = readonly [name: string, value: ReactNode];

/** Empty values are omitted. */
export function Facts({ facts }: { facts: readonly Fact[] }): JSX.Element {
  return (
    <dl className={styles['facts']}>
      {facts
        .filter(([, value]) => value !== '' && value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <Text component="dt" size="sm" c="dimmed">
              {name}
            </Text>
            <Text component="dd" size="sm" m={0} className="wrap-anywhere">
              {value}
            </Text>
          </div>
        ))}
    </dl>
  );
}
