// Renders a query: a skeleton while it loads, an error with a retry button, or its data. If a refetch fails, the older
// data stays below the error.
import { Alert, Button, Card, Center, Skeleton, Stack, Text } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import { HostyardError } from '#sdk/v2.ts';
import { Icon, type IconName } from '../shell/icons.tsx';
import { Dimmed } from './dimmed.tsx';
import { errorText, isModuleFailure } from './error-text.ts';

/** The part of a query that is rendered, whether it loads one response or several pages. */
export interface QueryState<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  refetch(): unknown;
}

export interface QueryResultProps<T> {
  readonly query: QueryState<T>;
  /** Lines of the skeleton. */
  readonly lines?: number;
  /** Shown instead of an empty list. */
  readonly empty?: ReactNode;
  readonly children: (value: T) => ReactNode;
}

export function QueryResult<T>({ query, lines = 4, empty, children }: QueryResultProps<T>): JSX.Element {
  const { data } = query;
  if (data === undefined) {
    if (isDenied(query.error)) return <Dimmed>You do not have the permission to see this.</Dimmed>;
    if (query.error !== null) return <ErrorAlert error={query.error} retry={() => void query.refetch()} />;
    return <LoadingLines lines={lines} />;
  }
  return (
    <>
      {query.error !== null && <ErrorAlert error={query.error} retry={() => void query.refetch()} />}
      {empty !== undefined && Array.isArray(data) && data.length === 0 ? empty : children(data)}
    </>
  );
}

/** A person without the permission can do nothing about it, so that it is no alarm. */
function isDenied(error: Error | null): boolean {
  return error instanceof HostyardError && /^(?:scope|permission|role)_missing$/.test(error.code);
}

export function LoadingLines({ lines }: { lines: number }): JSX.Element {
  return (
    <Stack gap="xs" role="status" aria-busy="true" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        <Skeleton key={index} height={28} radius="sm" />
      ))}
    </Stack>
  );
}

export function ErrorAlert({ error, retry }: { error: Error; retry?: () => void }): JSX.Element {
  const requestId = error instanceof HostyardError ? error.requestId : undefined;
  const { title, message } = errorText(error);
  return (
    <Alert color="red" variant="light" icon={<Icon name="warning" />} title={title} role="alert">
      <Text size="sm">{message}</Text>
      {requestId !== undefined && <Dimmed size="xs">Request {requestId}</Dimmed>}
      {retry !== undefined && (
        <Button mt="xs" size="xs" variant="default" onClick={isModuleFailure(error) ? reloadIfReachable : retry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}

/** Browsers remember a module that failed. Reloading without a connection would lose the panel. */
function reloadIfReachable(): void {
  fetch(location.href).then(
    () => location.reload(),
    () => {},
  );
}

export interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ReactNode;
}

export function EmptyState({ icon, title, children }: EmptyStateProps): JSX.Element {
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

export function EmptyCard(props: EmptyStateProps): JSX.Element {
  return (
    <Card>
      <EmptyState {...props} />
    </Card>
  );
}
