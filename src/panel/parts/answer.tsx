// An answer on its way: while it is awaited, where it failed, where there is nothing, and then what is there. Where there is an
// older answer and the newer one failed, the older one stays, with a word about it.
import { Alert, Button, Center, Skeleton, Stack, Text } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import { HostyardError } from '#sdk/v2.ts';
import { Icon, type IconName } from '../shell/icons.tsx';

/** What is needed of a query, whether it reads one answer or page after page. */
export interface Awaitable<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  refetch(): unknown;
}

export interface AnswerProps<T> {
  readonly of: Awaitable<T>;
  /** How many lines are awaited. */
  readonly lines?: number;
  readonly children: (value: T) => ReactNode;
}

export function Answer<T>({ of, lines = 4, children }: AnswerProps<T>): JSX.Element {
  if (of.data === undefined) {
    if (of.error !== null) return <Failed error={of.error} again={() => void of.refetch()} />;
    return <Awaited lines={lines} />;
  }
  return (
    <>
      {of.error !== null && <Failed error={of.error} again={() => void of.refetch()} />}
      {children(of.data)}
    </>
  );
}

export function Awaited({ lines }: { lines: number }): JSX.Element {
  return (
    <Stack gap="xs" role="status" aria-busy="true" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        <Skeleton key={index} height={28} radius="sm" />
      ))}
    </Stack>
  );
}

export function Failed({ error, again }: { error: Error; again?: () => void }): JSX.Element {
  const requestId = error instanceof HostyardError ? error.requestId : undefined;
  return (
    <Alert color="red" variant="light" icon={<Icon name="warning" />} title="That did not work" role="alert">
      <Text size="sm">{error.message}</Text>
      {requestId !== undefined && (
        <Text size="xs" c="dimmed">
          Request {requestId}
        </Text>
      )}
      {again !== undefined && (
        <Button mt="xs" size="xs" variant="default" onClick={again}>
          Try again
        </Button>
      )}
    </Alert>
  );
}

export function Empty({ icon, title, children }: { icon: IconName; title: string; children?: ReactNode }): JSX.Element {
  return (
    <Center py="xl">
      <Stack align="center" gap="xs" maw={420} ta="center">
        <Text c="dimmed" component="span">
          <Icon name={icon} size={36} />
        </Text>
        <Text fw={600}>{title}</Text>
        {children !== undefined && (
          <Text c="dimmed" size="sm" component="div">
            {children}
          </Text>
        )}
      </Stack>
    </Center>
  );
}
